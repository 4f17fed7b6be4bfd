"""Query options: what can be asked of a heap, importable without numpy."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from tabmux.content import count
from tabmux.errors import BadArguments

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_THOUSANDS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([kmgt]?)(i?)b?|bytes?)", re.IGNORECASE)
_HINT = 'Write a size as 1024, 10KB, 1.5MiB; a range as "1MB-2MB", "-1MB" or "1MB-".'
FilterName = Literal[
    "objectsRetainedByDetachedDomNodes",
    "objectsRetainedByConsole",
    "objectsRetainedByEventHandlers",
    "objectsRetainedByContexts",
    "sharedNativeContext",
    "noNativeContext",
    "attributedToSpecificNativeContext",
]
FILTER_NAMES: tuple[str, ...] = get_args(FilterName)
SPECIFIC_CONTEXT = FILTER_NAMES[-1]
ObjectOrder = Literal["retainedSize", "selfSize", "id"]
EdgeOrder = Literal["retainedSize", "selfSize", "name"]
Item = TypeVar("Item")
_ESCAPES = str.maketrans({"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"})


@dataclass(frozen=True)
class SizeRange:
    """From `least` to `most` bytes, both included."""

    least: int = 0
    most: int | float = math.inf

    @classmethod
    def parse(cls, text: str) -> SizeRange:
        """Read a range; a size by itself is the least."""
        low, dash, high = (part.strip() for part in text.partition("-"))
        if not low and not high:
            raise BadArguments(f"{text!r} is not a range of sizes.", hint=_HINT)
        least = _parse_size(low) if low else 0
        most = _parse_size(high) if dash and high else math.inf
        if least > most:
            raise BadArguments(f"The range {text!r} begins above its end.", hint=_HINT)
        return cls(least, most)


EVERY_SIZE = SizeRange()


@dataclass(frozen=True)
class ObjectQuery:
    """What the objects looked for have in common.

    Attributes:
        class_name: A regular expression, or plain text, found in the object's name or class.
        property_name: The same, found in the name of one of its references.
        node_type: The kind of object, such as object, closure or string.
        detached: Whether it is a DOM node cut off from the document.
    """

    class_name: str | None = None
    property_name: str | None = None
    node_type: str | None = None
    retained_size: SizeRange = EVERY_SIZE
    self_size: SizeRange = EVERY_SIZE
    detached: bool | None = None
    order: ObjectOrder = "retainedSize"


@dataclass(frozen=True)
class PathLimits:
    """How far to look."""

    depth: int = 30
    nodes: int = 1000
    siblings: int = 20


DEFAULT_LIMITS = PathLimits()


@dataclass(frozen=True)
class TableView:
    """One page of an answer, counted from 0, and the length at which names are cut."""

    page: int = 0
    size: int = 50
    name_length: int = 100

    def __post_init__(self) -> None:
        if self.page < 0 or self.size < 1 or self.name_length < 1:
            raise BadArguments(
                f"Page {self.page} of {self.size} rows, names of {self.name_length} characters: "
                "that cannot be shown.",
                hint="pageIdx counts from 0; pageSize and maxNameLength from 1.",
            )

    def pick(self, items: Sequence[Item]) -> Sequence[Item]:
        """Take this page of a sequence."""
        return items[self._slice(len(items))]

    def numbers(self, items: NDArray[np.integer]) -> list[int]:
        """Take this page of an array."""
        picked: list[int] = items[self._slice(len(items))].tolist()
        return picked

    def caption(self, total: int) -> str:
        """Say which rows these are, and how to see more."""
        start = self.page * self.size
        end = min(start + self.size, total)
        if not total:
            return "no rows"
        more = f"; pageIdx {self.page + 1} goes on" if end < total else ""
        return f"rows {start + 1}-{end} of {total}{more}"

    def name(self, text: str) -> str:
        """Fit a name into a line."""
        cut = text if len(text) <= self.name_length else text[: self.name_length] + "…"
        return cut.translate(_ESCAPES)

    def _slice(self, total: int) -> slice:
        start = self.page * self.size
        if start and start >= total:
            last = max(0, (total - 1) // self.size)
            raise BadArguments(
                f"There is no page {self.page}: the list has {count(total, 'row')}.",
                hint=f"With pageSize {self.size} the last is page {last}.",
            )
        return slice(start, start + self.size)


DEFAULT_VIEW = TableView()


def _parse_size(text: str) -> int:
    match = _SIZE.fullmatch(text)
    if match is None or (match[3] and not match[2]):
        raise BadArguments(f"{text!r} is not a size.", hint=_HINT)
    step = 1024 if match[3] else 1000
    factor: int = step ** _THOUSANDS[(match[2] or "").lower()]
    return round(float(match[1]) * factor)
