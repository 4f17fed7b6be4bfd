"""The composition root: settings in, a running server out."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Literal, cast

from tabmux.browsers.browser import Timing
from tabmux.browsers.registry import Browsers
from tabmux.config import Settings
from tabmux.content import Reply, ToolSpec
from tabmux.daemon.specs import browser_specs
from tabmux.daemon.tally import Tally
from tabmux.mcp.workspace import Progress
from tabmux.policy import OPEN_SCHEMES, FilePolicy, UrlPolicy
from tabmux.sessions.session import Session
from tabmux.sessions.table import Sessions
from tabmux.tools import catalog
from tabmux.tools.call import Toolbox
from tabmux.tools.worker import Worker

logger = logging.getLogger(__name__)

_SESSION = {"type": "string", "description": "Your session, as printed by your first call."}


@asynccontextmanager
async def running(settings: Settings, *, lazy: bool = False) -> AsyncIterator[Desk]:
    """Put the parts together; everything is taken down when the block ends.

    Args:
        settings: What the user wants.
        lazy: Wait for a client to say which browsers it wants, rather than have one at hand.
    """
    timing = Timing(settings.cool_down, settings.heartbeat)
    async with Worker() as worker, Browsers(timing) as browsers:
        for spec in [] if lazy else browser_specs(settings):
            browsers.register(spec)
        browsers.connect_all_in_background()
        style = cast(Literal["short", "long"], settings.uid_style)
        sessions = Sessions(browsers, style)
        toolbox = Toolbox(
            catalog.tools(catalog.chosen(settings.tools)),
            browsers,
            UrlPolicy(OPEN_SCHEMES | set(settings.allow_scheme)),
            FilePolicy.of(settings.allow_path),
            worker,
        )
        desk = Desk(browsers, sessions, toolbox)
        try:
            yield desk
        finally:
            await desk.close()


class Desk:
    """Where clients come: hands out sessions, each with the tools."""

    def __init__(self, browsers: Browsers, sessions: Sessions, toolbox: Toolbox) -> None:
        self.browsers, self.sessions = browsers, sessions
        self.tally = Tally()
        self._toolbox = toolbox
        self._seats: dict[str, Seat] = {}
        self._many = browsers.has_multiple
        self._listeners: list[Callable[[], None]] = []
        browsers.on_changed(self._browsers_changed)

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools as a client sees them who has no session yet."""
        return [_with_session(spec) for spec in self._toolbox.specs()]

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever that list changes."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def open(self, label: str = "") -> Seat:
        """Start a session."""
        session = self.sessions.open(label)
        seat = Seat(session, self._toolbox, self.tally, self._leave)
        self._seats[session.handle] = seat
        self.tally.sessions += 1
        return seat

    def find(self, handle: str) -> Seat | None:
        """Return the open session with this handle."""
        return self._seats.get(handle)

    def named(self, text: str) -> Seat | None:
        """Return an open session by its handle, its label or its letters."""
        session = self.sessions.named(text)
        return self._seats.get(session.handle) if session is not None else None

    async def expire(self, seconds: float) -> None:
        """Close the sessions that nobody has used for so long."""
        for session in self.sessions.expired(seconds):
            logger.info("Session %s has expired.", session.name)
            await self._leave(session)

    def seats(self) -> list[Seat]:
        """Return every session that is open."""
        return list(self._seats.values())

    async def close(self) -> None:
        """Close every session."""
        for seat in list(self._seats.values()):
            await seat.close()

    def _browsers_changed(self) -> None:
        """Every tool has one argument more while there are several browsers."""
        if self._many != self.browsers.has_multiple:
            self._many = self.browsers.has_multiple
            for seat in self._seats.values():
                seat.tools_changed()
            for listener in list(self._listeners):
                listener()

    async def _leave(self, session: Session) -> None:
        self._seats.pop(session.handle, None)
        await self.sessions.close(session)


class Seat:
    """One session with its tools: what the wire calls a workspace."""

    def __init__(
        self, session: Session, toolbox: Toolbox, tally: Tally, leave: Callable[[Session], Any]
    ) -> None:
        self.session = session
        self._toolbox, self._tally, self._leave = toolbox, tally, leave
        self._listeners: list[Callable[[], None]] = []

    @property
    def handle(self) -> str:
        """The unguessable name of the session."""
        return self.session.handle

    def tools(self, *, stateless: bool = False) -> Sequence[ToolSpec]:
        """List the tools."""
        specs = self._toolbox.specs()
        return [_with_session(spec) for spec in specs] if stateless else specs

    async def call(self, name: str, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Run one tool. The wire tells the client that it is alive; no tool has more to tell."""
        with self._tally.call(name) as call:
            call.reply = await self._toolbox.call(self.session, name, arguments)
        return call.reply

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever the list of tools changes."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tools_changed(self) -> None:
        """Tell whoever listens that the list of tools is another one."""
        for listener in list(self._listeners):
            listener()

    async def close(self) -> None:
        """End the session."""
        await self._leave(self.session)


def _with_session(spec: ToolSpec) -> ToolSpec:
    properties = {**spec.schema["properties"], "session": _SESSION}
    return replace(spec, schema={**spec.schema, "properties": properties})
