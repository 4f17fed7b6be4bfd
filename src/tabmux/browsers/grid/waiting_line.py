"""Waiting line: sessions that wait for a browser, first come first served within a token. Pure."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class Ticket(Generic[T]):
    """One session's place in the line.

    Args:
        token: Whose session it is.
        told: Called when its place changes.
    """

    def __init__(self, token: str, told: Callable[[], None] = lambda: None) -> None:
        self.token, self.told = token, told
        self.place = 0
        self.served: asyncio.Future[T] = asyncio.get_running_loop().create_future()


class WaitingLine(Generic[T]):
    """Those who wait. Tokens take turns, so that one with many sessions does not hold up others.

    Args:
        longest: How many may wait.
    """

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self._tickets: dict[str, deque[Ticket[T]]] = {}

    def __len__(self) -> int:
        return sum(len(tickets) for tickets in self._tickets.values())

    @property
    def is_full(self) -> bool:
        """Whether nobody else may wait."""
        return len(self) >= self.longest

    @property
    def waiting(self) -> Mapping[str, int]:
        """How many wait, by token."""
        return Counter({token: len(tickets) for token, tickets in self._tickets.items()})

    def add(self, ticket: Ticket[T]) -> None:
        """Let somebody wait, behind all others of the same token."""
        self._tickets.setdefault(ticket.token, deque()).append(ticket)
        self._renumber(ticket.token)

    def remove(self, ticket: Ticket[T]) -> None:
        """Let somebody go, wherever they stand."""
        tickets = self._tickets.get(ticket.token, deque())
        if ticket not in tickets:
            return
        tickets.remove(ticket)
        if not tickets:
            del self._tickets[ticket.token]
        self._renumber(ticket.token)

    def heads(self) -> Iterator[Ticket[T]]:
        """Return who is first, of each token; the token that was served last comes last."""
        yield from [tickets[0] for tickets in self._tickets.values()]

    def serve(self, ticket: Ticket[T], answer: T) -> None:
        """Give somebody what they waited for; the token goes behind the others."""
        self.remove(ticket)
        if (others := self._tickets.pop(ticket.token, None)) is not None:
            self._tickets[ticket.token] = others
        if not ticket.served.done():
            ticket.served.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Send everybody away."""
        everybody = [ticket for tickets in self._tickets.values() for ticket in tickets]
        self._tickets.clear()
        for ticket in everybody:
            if not ticket.served.done():
                ticket.served.set_exception(error)

    def _renumber(self, token: str) -> None:
        for place, ticket in enumerate(self._tickets.get(token, ()), 1):
            if ticket.place != place:
                ticket.place = place
                ticket.told()
