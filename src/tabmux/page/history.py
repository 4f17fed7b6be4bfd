"""A bounded store of what a page did, split by navigation."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")

# The current document and the two before it.
DOCUMENTS = 3


class History(Generic[T]):
    """Keeps the newest items of the last few documents; ids count on for ever."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._documents: deque[deque[T]] = deque([deque(maxlen=limit)], DOCUMENTS)
        self._last_id = 0
        self.dropped = 0

    def next_id(self) -> int:
        """Return an id that no other item has."""
        self._last_id += 1
        return self._last_id

    def add(self, item: T) -> None:
        """Keep an item; the oldest of the document goes when there are too many."""
        current = self._documents[-1]
        self.dropped += len(current) == self._limit
        current.append(item)

    def last(self) -> T | None:
        """Return the newest item of the current document."""
        current = self._documents[-1]
        return current[-1] if current else None

    def turn(self, carried: list[T] | None = None) -> None:
        """Begin a new document; `carried` items belong to it already."""
        for item in carried or ():
            self._documents[-1].remove(item)
        self._documents.append(deque(carried or (), self._limit))
        self.dropped = 0

    def items(self, *, preserved: bool = False) -> Iterator[T]:
        """Return what is kept of the current document, or of all, oldest first."""
        for document in self._documents if preserved else [self._documents[-1]]:
            yield from document
