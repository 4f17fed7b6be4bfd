"""Client JSON: one member in the text of a client's JSON file, and nothing else changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tabmux.json_text import decoded

_BLANK = re.compile(r"[ \t\r\n]*")
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"{_STRING}|,(?=[ \t\r\n]*[}}\]])")
_COMMENT_BEHIND = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/)")


@dataclass(frozen=True)
class _JsonMember:
    """Where a member of a JSON object stands in the text."""

    key: str
    start: int
    value: int
    stop: int


class JsonText:
    """A JSON text that is edited in place.

    Args:
        text: What the file holds; an empty one is an empty object.
        comments: Whether its program takes comments and trailing commas.
    """

    def __init__(self, text: str, *, comments: bool = False) -> None:
        self._text = text if text.strip() else "{}\n"
        # The same with blanks for them, so that all else is in the same place.
        self._uncommented = _COMMENT.sub(_blanked, self._text) if comments else self._text
        self._plain = _TRAILING_COMMA.sub(_blanked, self._uncommented) if comments else self._text

    def parsed(self) -> Any:
        """Return what the text says."""
        return decoded(self._plain)

    def with_member(self, path: Sequence[str], value: Any) -> str:
        """Return the text with a member set, and with the objects that lead to it."""
        at = _skip_blanks(self._plain, 0)
        for depth, key in enumerate(path, 1):
            found = self._member(at, key)
            if found is None or depth == len(path):
                for each in reversed(path[depth:]):
                    value = {each: value}
                return self._with_value(at, depth, key, value)
            at = found.value
        raise AssertionError("a path has a last key")

    def without_member(self, path: Sequence[str]) -> str:
        """Return the text without a member that is there."""
        at, parent = _skip_blanks(self._plain, 0), None
        for key in path[:-1]:
            parent = self._member(at, key)
            assert parent is not None
            at = parent.value
        members = list(self._members(at))
        index = max(index for index, member in enumerate(members) if member.key == path[-1])
        if len(members) == 1 and parent is not None:
            return self._text[: parent.value] + "{}" + self._text[parent.stop :]
        return self._without(members, index)

    def _with_value(self, start: int, depth: int, key: str, value: Any) -> str:
        """Set a member of the object at start, in the indentation of the file."""
        indent, newline = self._indent(), "\r\n" if "\r\n" in self._text else "\n"
        margin = newline + indent * depth
        shown = json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", margin)
        if old := self._member(start, key):
            return self._text[: old.value] + shown + self._text[old.stop :]
        line = f"{margin}{json.dumps(key)}: {shown}"
        if members := list(self._members(start)):
            return self._with_last(members[-1].stop, line)
        close = _skip_blanks(self._plain, start + 1)
        inside = self._text[start + 1 : close].rstrip()  # a comment stays
        end = newline + indent * (depth - 1)
        return self._text[: start + 1] + inside + line + end + self._text[close:]

    def _with_last(self, stop: int, line: str) -> str:
        """Add a member behind the last one; a comment behind that one stays with it."""
        comma = self._comma_behind(stop)
        head, at = (self._text[:comma], comma) if comma else (self._text[:stop] + ",", stop)
        comment = _COMMENT_BEHIND.match(self._text, at)
        if comment is not None and self._uncommented[at : comment.end()].isspace():
            head, at = head + comment[0], comment.end()
        return head + line + ("," if comma else "") + self._text[at:]

    def _without(self, members: Sequence[_JsonMember], index: int) -> str:
        """Take a member out; comments around it stay."""
        member, text = members[index], self._text
        comma = self._comma_behind(member.stop)
        if index + 1 < len(members):
            return text[: member.start] + text[_skip_blanks(text, comma) :]
        if comma or index == 0:
            return text[: member.start].rstrip() + text[comma or member.stop :]
        before = self._comma_behind(members[index - 1].stop)
        between = text[before : member.start].rstrip()
        return text[: before - 1] + between + text[member.stop :]

    def _comma_behind(self, at: int) -> int:
        """Return where a comma behind a value ends, a trailing one too; 0 when there is none."""
        at = _skip_blanks(self._uncommented, at)
        return at + 1 if self._uncommented[at] == "," else 0

    def _indent(self) -> str:
        first = next(self._members(_skip_blanks(self._plain, 0)), None)
        before = self._plain[: first.start] if first else ""
        return before.rpartition("\n")[2] if "\n" in before else "  "

    def _member(self, start: int, key: str) -> _JsonMember | None:
        # The last one of a name is the one that counts.
        found = reversed(list(self._members(start)))
        return next((member for member in found if member.key == key), None)

    def _members(self, start: int) -> Iterator[_JsonMember]:
        """Find the members of the object at start, in a text that is known to be valid."""
        text, decoder = self._plain, json.JSONDecoder()
        at = _skip_blanks(text, start + 1)
        while text[at] != "}":
            key, end = decoder.raw_decode(text, at)
            value = _skip_blanks(text, _skip_blanks(text, end) + 1)
            _, stop = decoder.raw_decode(text, value)
            yield _JsonMember(key, at, value, stop)
            at = _skip_blanks(text, stop)
            at = _skip_blanks(text, at + 1) if text[at] == "," else at


def _blanked(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else re.sub(r"[^\r\n]", " ", found[0])


def _skip_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found is not None
    return found.end()
