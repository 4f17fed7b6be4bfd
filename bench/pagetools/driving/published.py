"""Published tools: what `list_page_tools` shows of a page, read as an agent reads it."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

# Tools of tabmux's own, which every page could have.
GENERIC = ("click_element", "open_link", "fill_field", "get_page_content")
_TOOL = re.compile(r"(\w+): (\[[^\]]*\] ?.*|Accept .*|Dismiss .*|Submit .*)")
_ENTRY = re.compile(r"\s*(\d+)\. (.*)")
_ENTRIES = "Entries of "
_DESTRUCTIVE = " (destructive)"


@dataclass(frozen=True)
class PublishedTool:
    """One tool, as far as an agent knows it."""

    name: str
    description: str = ""
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    destructive: bool = False

    @property
    def is_generic(self) -> bool:
        """Whether every page could have it."""
        return self.name in GENERIC

    @property
    def takes_entry(self) -> bool:
        """Whether it acts on one entry of a list."""
        return "index" in self.parameters

    @property
    def label(self) -> str:
        """Its description without the host in front."""
        return re.sub(r"^\[[^\]]*\] ", "", self.description)


@dataclass(frozen=True)
class Listing:
    """All that `list_page_tools` said.

    Attributes:
        tools: What is published.
        others: Names of what can be called although it is not published.
        entries: Text of the entries of the list that is shown, by their numbers.
        opener: The tool whose entries those are.
    """

    tools: tuple[PublishedTool, ...] = ()
    others: tuple[str, ...] = ()
    entries: Mapping[int, str] = field(default_factory=dict)
    opener: str = ""


def read_listing(text: str) -> Listing:
    """Read a reply of `list_page_tools`."""
    tools, others, entries, opener = [], [], {}, ""
    for line in text.splitlines():
        if line.startswith("Also: "):
            others += line.removeprefix("Also: ").split(", ")
        elif line.startswith(_ENTRIES):
            opener = line.removeprefix(_ENTRIES).rstrip(":")
        elif entry := _ENTRY.fullmatch(line):
            entries[int(entry[1])] = entry[2]
        elif (found := _TOOL.fullmatch(line)) is not None:
            tools.append(_tool(found[1], found[2]))
    return Listing(tuple(tools), tuple(others), entries, opener)


def _tool(name: str, rest: str) -> PublishedTool:
    description, parameters = _parameters(rest)
    return PublishedTool(
        name,
        description.removesuffix(_DESTRUCTIVE),
        {key.rstrip("*"): about for key, about in parameters.items()},
        frozenset(key.rstrip("*") for key in parameters if key.endswith("*")),
        description.endswith(_DESTRUCTIVE),
    )


def _parameters(rest: str) -> tuple[str, dict[str, Any]]:
    """Cut a line where the JSON of the parameters begins; a description may have braces, too."""
    for start in (match.start() for match in re.finditer(r" \{\"", rest)):
        try:
            found = json.loads(rest[start:])
        except ValueError:
            continue
        if isinstance(found, dict):
            return rest[:start], found
    return rest, {}


def words_of(text: str) -> list[str]:
    """Return the words of a label or name, without case and accents."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return re.findall(
        r"\w+", "".join(c for c in plain if not unicodedata.combining(c)).replace("_", " ")
    )


def has_words(wanted: str, texts: Iterable[str]) -> bool:
    """Whether all words of a label occur in what is said of something."""
    said = {word for text in texts for word in words_of(text)}
    words = words_of(wanted)
    return bool(words) and all(word in said for word in words)
