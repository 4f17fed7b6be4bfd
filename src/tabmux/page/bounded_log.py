"""Bounded log: a store of what a page did, split by navigation."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice, takewhile
from typing import Generic, Protocol, TypeVar

# The current document and the two before it.
DOCUMENTS = 3
BUDGET = 4_000_000


class Weighed(Protocol):
    """Something that knows its id, and roughly how many bytes it takes."""

    id: int
    weight: int


T = TypeVar("T", bound=Weighed)


class BoundedLog(Generic[T]):
    """Keeps the newest items of the last few documents; ids count on for ever.

    Args:
        limit: How many items of a document are kept.
        budget: How much those of all documents may weigh together.
    """

    def __init__(self, limit: int, budget: int = BUDGET) -> None:
        self._limit, self._budget = limit, budget
        self._documents: deque[deque[T]] = deque([deque()])
        # The newest id of all.
        self.last_id = 0
        # The newest id when the last action on the page began.
        self._before_action = 0
        self.weight = 0
        self.dropped = 0

    def next_id(self) -> int:
        """Return an id that no other item has."""
        self.last_id += 1
        return self.last_id

    def add(self, item: T) -> list[T]:
        """Keep an item of the current document, and return those that had to go for it."""
        current = self._documents[-1]
        current.append(item)
        self.weight += item.weight
        if len(current) <= self._limit:
            return self._trim()
        self.dropped += 1
        return [self._drop(current), *self._trim()]

    def skip(self, count: int) -> None:
        """Note items of the current document that were never seen."""
        self.last_id += count
        self.dropped += count

    def grow(self, item: T, weight: int) -> list[T]:
        """Note that an item that is kept weighs more, and return those that had to go for it."""
        item.weight += weight
        self.weight += weight
        return self._trim()

    def begin_action(self) -> None:
        """Note that what comes from now on is since the last action."""
        self._before_action = self.last_id

    def since_action(self) -> Iterator[T]:
        """Return what is kept of what came since the last action, over all documents."""
        return (item for item in self.items(preserved=True) if item.id > self._before_action)

    def newest_since(self, ident: int, most: int) -> list[T]:
        """Return the newest of what came after an id was given, oldest first."""
        if self.last_id <= ident:
            return []
        newest = (item for document in reversed(self._documents) for item in reversed(document))
        found = list(islice(takewhile(lambda item: item.id > ident, newest), most))
        return found[::-1]

    def last(self) -> T | None:
        """Return the newest item of the current document, if it came since the last action."""
        current = self._documents[-1]
        return current[-1] if current and current[-1].id > self._before_action else None

    def begin_document(self, carried: list[T] | None = None) -> None:
        """Begin a new document; `carried` items belong to it already."""
        ended, taken = self._documents.pop(), {id(item) for item in carried or ()}
        self._documents.append(deque(item for item in ended if id(item) not in taken))
        self._documents.append(deque(item for item in ended if id(item) in taken))
        self.dropped = 0
        if len(self._documents) > DOCUMENTS:
            self.weight -= sum(item.weight for item in self._documents.popleft())

    def items(self, *, preserved: bool = False) -> Iterator[T]:
        """Return what is kept of the current document, or of all, oldest first."""
        for document in self._documents if preserved else [self._documents[-1]]:
            yield from document

    def _trim(self) -> list[T]:
        """Let go of the oldest items of all until the rest fits; the newest one stays."""
        gone: list[T] = []
        while self.weight > self._budget:
            document = next(each for each in self._documents if each or each is self._documents[-1])
            if document is self._documents[-1]:
                if len(document) < 2:
                    break
                self.dropped += 1
            gone.append(self._drop(document))
        return gone

    def _drop(self, document: deque[T]) -> T:
        item = document.popleft()
        self.weight -= item.weight
        return item
