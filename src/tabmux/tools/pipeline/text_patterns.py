"""Text patterns of agents: plain text, addresses with stars, or a /regular expression/."""

from __future__ import annotations

import re
from collections.abc import Callable

from tabmux.errors import BadArguments
from tabmux.policy.url_patterns import glob_matches

Matches = Callable[[str], bool]


def text_matcher(pattern: str) -> Matches:
    """Match texts that contain a text, upper and lower case alike, or a /regular expression/."""
    return _expression_in(pattern) or (lambda text: pattern.lower() in text.lower())


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
    if re.search(r"[+*}]\)[+*{]", pattern):
        # Such an expression can keep the whole server busy with a single text.
        raise BadArguments(
            f"{pattern} repeats what repeats.", hint="Write it without the outer one."
        )
    try:
        expression = re.compile(pattern[1:-1], re.IGNORECASE)
    except re.error as error:
        raise BadArguments(f"{pattern} is not a regular expression: {error}.") from error
    return lambda text: expression.search(text) is not None
