"""How much of a long answer to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from tabmux.errors import BadArguments

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Item = TypeVar("Item")

_ESCAPES = str.maketrans({"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"})


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
                f"There is no page {self.page}: there are {total} rows.",
                hint=f"With pageSize {self.size} the last is page {last}.",
            )
        return slice(start, start + self.size)


DEFAULT_VIEW = TableView()
