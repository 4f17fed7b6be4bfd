"""Peer flags: flags of chrome-devtools-mcp that are called otherwise here, in our words."""

from __future__ import annotations

import re

from tabmux.errors import Misuse

_SHORT = {"-u": "--browser-url", "-w": "--ws-endpoint", "-e": "--executable-path"}
_SWITCHES: dict[tuple[str, bool], tuple[str, ...]] = {
    # Nobody is told of anything here, and pageId is always taken.
    **{
        (name, is_on): ()
        for name in ("usage_statistics", "performance_crux", "page_id_routing")
        for is_on in (True, False)
    },
    ("source_maps", True): (),
    ("redact_network_headers", True): (),
    ("redact_network_headers", False): ("--redact-headers", "off"),
    ("file_navigations", True): ("--allow-scheme", "file"),
    ("file_navigations", False): (),
    ("allow_unrestricted_paths", True): ("--allow-path", "/"),
    ("allow_unrestricted_paths", False): (),
    ("experimental_structured_content", True): ("--structured",),
    ("experimental_structured_content", False): (),
}
_GROUPS = {
    **{
        f"category_{group}": group
        for group in (
            *("input", "navigation", "emulation", "network", "debugging", "performance"),
            *("memory", "extensions", "pwa"),
        )
    },
    "category_experimental_webmcp": "webmcp",
    "memory_debugging": "memory",
}
_NAMES = {name for name, _ in _SWITCHES} | set(_GROUPS)
_ELSEWHERE = {
    "screenshot_format": "The argument format of take_screenshot says it.",
    "screenshot_quality": "The argument quality of take_screenshot says it.",
    "screenshot_max_width": "The argument maxSide of take_screenshot says it.",
    "screenshot_max_height": "The argument maxSide of take_screenshot says it.",
    "source_maps": "They are fetched when a message is asked for; leave it out.",
}


def snake_case(flag: str) -> str:
    """Return the name of a flag as fields are spelled."""
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", flag.removeprefix("--")).lower().replace("-", "_")


def in_our_words(word: str, rest: list[str]) -> list[str] | None:
    """Return what means the same as a flag of the peer; None where it is none.

    Args:
        word: The flag, with or without a value.
        rest: What follows it; the value of a switch is taken out.
    """
    flag, equals, value = word.partition("=")
    if flag in _SHORT:
        return [_SHORT[flag] + equals + value]
    name = snake_case(flag)
    plain = name if name in _NAMES else name.removeprefix("no_")
    if plain in _NAMES:
        is_on = _is_on(value if equals else switch_value(rest)) == (plain == name)
        if group := _GROUPS.get(plain):
            return ["--tools", f"{'+' if is_on else '-'}{group}"]
        if (plain, is_on) in _SWITCHES:
            return [*_SWITCHES[plain, is_on]]
    if plain in _ELSEWHERE:
        raise Misuse(f"{flag} is no option of tabmux.", hint=_ELSEWHERE[plain])
    return None


def switch_value(rest: list[str]) -> str:
    """Take the value of a switch where it stands in a word of its own."""
    return rest.pop(0) if rest and rest[0] in {"true", "false"} else "true"


def _is_on(value: str) -> bool:
    try:
        return parse_switch(value)
    except ValueError as error:
        raise Misuse(f"{value!r} is neither true nor false.") from error


def parse_switch(value: str) -> bool:
    """Read the value of a switch; fails with ValueError where it is none."""
    known = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    if value.lower() not in known:
        raise ValueError(value)
    return known[value.lower()]
