"""Section values: what each key of a policy file may say."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabmux.errors import Misuse
from tabmux.policy.rule_source import RuleSource
from tabmux.policy.tool_limit import ToolLimit, parse_tools
from tabmux.policy.url_patterns import UrlPattern, parse_pattern
from tabmux.secrets.secret import NAME

# Written into an address, but never part of what is compared with a pattern.
_NEVER_MATCHES = re.compile(r"[\s#@,]")


@dataclass(frozen=True)
class ValueContext:
    """What values are read in.

    Args:
        folder: The folder of the file, where relative paths begin.
        groups: The names of all tools, by group.
    """

    folder: Path
    groups: Mapping[str, Collection[str]]


def _patterns(value: Any, source: RuleSource, context: ValueContext) -> tuple[UrlPattern, ...]:
    return tuple(map(_pattern, _texts(value)))


def _pattern(text: str) -> UrlPattern:
    if found := _NEVER_MATCHES.search(text):
        raise Misuse(
            f"{text!r} can match no address, because of {found[0]!r}.",
            hint="Write one pattern a text, like https://*.example.com/* or localhost:3000.",
        )
    return parse_pattern(text)


def _tools(value: Any, source: RuleSource, context: ValueContext) -> ToolLimit:
    return parse_tools(_texts(value), context.groups, source)


def _folders(value: Any, source: RuleSource, context: ValueContext) -> tuple[Path, ...]:
    return tuple(_folder(text, context.folder) for text in _texts(value))


def _folder(text: str, start: Path) -> Path:
    try:
        found = (start / Path(text).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise Misuse(f"{text!r} is not a usable path: {error}.") from error
    if not text or "*" in text or found.is_file():
        raise Misuse(f"{text!r} is not a folder.", hint="Name folders; what is in them is meant.")
    return found


def _secrets(value: Any, source: RuleSource, context: ValueContext) -> frozenset[str]:
    for name in _texts(value):
        if not NAME.fullmatch(name):
            hint = "Write the name of a [[secret]] table, or the NAME of --secret NAME=ORIGIN."
            raise Misuse(f"{name!r} is not the name of a secret.", hint=hint)
    return frozenset(value)


def _switch(value: Any, source: RuleSource, context: ValueContext) -> bool:
    if not isinstance(value, bool):
        raise Misuse(f"{value!r} is neither true nor false.")
    return value


def _count(value: Any, source: RuleSource, context: ValueContext) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise Misuse(f"{value!r} is not a whole number from 1.")
    return value


def _duration(value: Any, source: RuleSource, context: ValueContext) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        raise Misuse(f"{value!r} is not a number of minutes.")
    return float(value)


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise Misuse(f"{value!r} is not a list of texts.", hint='Write it like ["one", "two"].')
    return value


READERS: Mapping[str, Callable[[Any, RuleSource, ValueContext], Any]] = {
    "urls": _patterns,
    "deny_urls": _patterns,
    "tools": _tools,
    "scripts": _switch,
    "read_only": _switch,
    "files": _folders,
    "downloads": _switch,
    "secrets": _secrets,
    "calls": _count,
    "minutes": _duration,
    "widens": _switch,
}
