"""Client TOML: our table in the text of a client's TOML file, and nothing else changed."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any

_HEADER = re.compile(r"[ \t]*\[")
_OURS = re.compile(
    r"""[ \t]*\[{1,2}[ \t]*(?:mcp_servers|"mcp_servers"|'mcp_servers')[ \t]*\."""
    r"""[ \t]*(?:tabmux|"tabmux"|'tabmux')[ \t]*(?P<end>[.\]])"""
)


def toml_with_entry(text: str, entry: dict[str, Any], renewed: Collection[str]) -> str:
    """Return the text with our table in it.

    Args:
        text: The file.
        entry: What the table shall say.
        renewed: The keys that are ours to write, whether the table has them or not.
    """
    lines = text.splitlines(keepends=True)
    newline = "\r\n" if "\r\n" in text else "\n"
    start, stop = next(
        ((start, stop) for start, stop, is_main in _sections(lines) if is_main), (0, 0)
    )
    # What stands in tables of its own, as env may, stays where it is.
    own = tomllib.loads("".join(lines[start:stop])).get("mcp_servers", {}).get("tabmux", {})
    entry = {key: value for key, value in entry.items() if key in own or key in renewed}
    shown = ["[mcp_servers.tabmux]", *(f"{k} = {_value(v)}" for k, v in entry.items())]
    table = "".join(line + newline for line in shown)
    if stop:
        return "".join([*lines[:start], table, *lines[stop:]])
    gap = newline if text.strip() else ""
    return text + (newline if text and not text.endswith("\n") else "") + gap + table


def toml_without_entry(text: str) -> str:
    """Return the text without our tables."""
    lines = text.splitlines(keepends=True)
    for start, stop, _ in reversed(list(_sections(lines))):
        gap = start > 0 and not lines[start - 1].strip()
        del lines[start - gap : stop]
    return "".join(lines)


def _sections(lines: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """Find our tables: first line, line after the last, and whether it is the main one."""
    headers = [at for at, line in enumerate(lines) if _HEADER.match(line)]
    for start, stop in pairwise([*headers, len(lines)]):
        if ours := _OURS.match(lines[start]):
            # Comments above the next table belong to that one.
            while lines[stop - 1].lstrip()[:1] in ("", "#"):
                stop -= 1
            yield start, stop, ours["end"] == "]"


def _value(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        pairs = (f"{json.dumps(key)} = {_value(each)}" for key, each in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, str | bool):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)
