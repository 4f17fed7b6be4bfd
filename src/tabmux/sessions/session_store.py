"""Session store: what a place must offer where sessions and connections are written down."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from tabmux.sessions.session_rows import SessionRow


class SessionStore(Protocol):
    """Keeps rows; what was saved is sure to be there for another server after `written`."""

    def save(self, row: SessionRow) -> bool:
        """Write a session down; tells whether that could be done."""

    def note_use(self, uses: Iterable[tuple[str, float, int]]) -> None:
        """Note when sessions were last used, and how many calls they have made."""

    def remove(self, handle: str) -> None:
        """Forget a session."""

    def clear(self) -> None:
        """Forget everything."""

    def connection(self, ident: str) -> bytes | None:
        """Return what is known of a connection."""

    def save_connection(self, ident: str, row: bytes) -> None:
        """Write a connection down."""

    def remove_connection(self, ident: str) -> None:
        """Forget a connection."""

    async def storage(self, handle: str, place: str) -> bytes | None:
        """Return what sites had stored for a session, in one of its contexts."""

    def save_storage(self, handle: str, place: str, state: bytes) -> None:
        """Write down what sites have stored."""

    async def written(self) -> None:
        """Wait until all that was saved is written; raises where that cannot be."""

    async def tidy(self) -> None:
        """Do what is due now and then, beside the calls."""

    def close(self) -> None:
        """Let go of what is kept."""


def remove_session(store: SessionStore, handle: str, aliases: Iterable[str]) -> None:
    """Forget a session, and the connections to it, whose clients may never have come back.

    Args:
        store: Where they are written down.
        handle: The session.
        aliases: Its further names, among which are the ids of its connections.
    """
    store.remove(handle)
    for ident in aliases:
        if store.connection(ident) is not None:
            store.remove_connection(ident)
