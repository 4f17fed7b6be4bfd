"""Session parts: what a session is given by others, as it sees them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tabmux.content import CallingClient, Reply, ToolSpec
from tabmux.page.handle import PageHandle

if TYPE_CHECKING:
    from tabmux.sessions.session import Session


class SessionTools(Protocol):
    """The tools of one session."""

    @property
    def instructions(self) -> str:
        """How they are meant to be used."""

    def specs(self) -> Sequence[ToolSpec]:
        """List them as clients see them."""

    async def call(self, name: str, given: Mapping[str, Any], client: CallingClient) -> Reply:
        """Run one; failures are replies."""

    def on_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the list is another one; returns how to stop."""

    def groups_changed(self) -> None:
        """The session has switched on further groups."""

    def browsers_changed(self) -> None:
        """There are several browsers now, or no longer."""

    def policy_changed(self) -> None:
        """The session may do other things now."""

    def close(self) -> None:
        """Let go of what the tools hold."""


class SessionOwner(Protocol):
    """What holds all sessions."""

    def owner_of(self, page: PageHandle) -> Session | None:
        """Return the session that owns a page."""

    def is_elsewhere(self, page: PageHandle) -> bool:
        """Whether a page belongs to a session of another server."""

    async def close(self, session: Session) -> None:
        """End a session."""

    async def give_up(self, session: Session, pages: Sequence[PageHandle]) -> None:
        """Close the pages that were made for a session, and let go of the others."""


class PageReturn(Protocol):
    """Brings back the pages that a session had in browsers, or a server, that have ended."""

    @property
    def absent(self) -> Mapping[int, Any]:
        """What is known of the pages that are not back yet, by id."""

    async def finish(self, client: CallingClient | None = None) -> None:
        """Bring back what can be brought back now; a client is told what that waits for."""


class ActionJournal(Protocol):
    """Notes which actions were begun."""

    async def begin(self, key: str) -> None:
        """Note that an action begins; raises for one that was begun before."""


class Recorder(Protocol):
    """Writes sessions down."""

    def record(self, session: Session) -> None:
        """Write a session down, if it is another one than before."""

    async def save_sites(self, session: Session) -> None:
        """Write down now what sites store for a session."""

    async def written(self) -> None:
        """Wait until that is done; raises where it cannot be."""
