"""Text patterns of agents: plain text, addresses with stars, or a /regular expression/."""

from __future__ import annotations

from collections.abc import Callable

from tabmux.patterns import TextPattern
from tabmux.policy.url_patterns import glob_matches

Matches = Callable[[str], bool]


def text_matcher(pattern: str) -> Matches:
    """Match texts that contain a text, upper and lower case alike, or a /regular expression/."""
    return _expression_in(pattern) or TextPattern(pattern, ignore_case=True, plain=True).is_in


def url_matcher(pattern: str) -> Matches:
    """Match addresses by a part, by the whole with * for anything, or a /regular expression/."""
    if found := _expression_in(pattern):
        return found
    if "*" in pattern:
        return lambda url: glob_matches(pattern, url)
    return lambda url: pattern in url


def _expression_in(pattern: str) -> Matches | None:
    if not (len(pattern) > 2 and pattern.startswith("/") and pattern.endswith("/")):
        return None
    return TextPattern(pattern[1:-1], ignore_case=True).is_in
