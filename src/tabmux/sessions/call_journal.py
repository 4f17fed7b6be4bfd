"""Call journal: which actions were begun, so that none is sent twice over the end of a server."""

from __future__ import annotations

from typing import Protocol

from tabmux.errors import OutcomeUnknown


class CallJournal(Protocol):
    """The actions of all sessions, by a key of the request that no other request has."""

    async def begin(self, key: str) -> None:
        """Note that the action of a request begins; raises for one that was begun before."""

    def answered(self, key: str) -> None:
        """Note that the client has the answer; the same key may be used again."""

    def unanswered(self, prefix: str) -> list[str]:
        """Return the keys with this beginning that servers before had begun and not answered."""

    def close(self) -> None:
        """Write no more."""


def begun_before() -> OutcomeUnknown:
    """Return the error of an action that was begun before, and is not sent again."""
    return OutcomeUnknown(
        "The server ended during this call, so how far it came is unknown; it was not sent again.",
        hint="Take a snapshot to see what came of it, then go on.",
    )
