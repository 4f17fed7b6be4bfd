"""The composition root: settings in, a running server out."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Literal, cast

from tabmux.browsers.registry import Browsers
from tabmux.content import Reply, ToolSpec
from tabmux.daemon.bridge.extension_browsers import ExtensionBrowsers
from tabmux.daemon.bridge.extension_tabs import ExtensionTabs
from tabmux.daemon.bridge.local_bridge import LocalBridge
from tabmux.daemon.bridge.session_extensions import SessionExtension
from tabmux.daemon.browser_specs import browser_specs
from tabmux.daemon.couriers import SessionExtensions, remote_bridge
from tabmux.daemon.toolsets import Toolset, Toolsets
from tabmux.mcp.backend import Log, Progress
from tabmux.observe.metrics import CallMetrics
from tabmux.pagetools.background import Background
from tabmux.pagetools.catalogs import Destructive, PageCatalogs
from tabmux.policy import Policy
from tabmux.sessions.session import Session
from tabmux.sessions.session_table import Sessions
from tabmux.settings import Settings
from tabmux.timings import Timings
from tabmux.tools.pipeline.analysis_process import AnalysisProcess

logger = logging.getLogger(__name__)

_SESSION = {"type": "string", "description": "Your session, as printed by your first call."}


@asynccontextmanager
async def running(
    settings: Settings,
    *,
    lazy: bool = False,
    bridged: bool = True,
    timings: Timings | None = None,
) -> AsyncIterator[App]:
    """Put the parts together; everything is taken down when the block ends.

    Args:
        settings: What the user wants.
        lazy: Wait for a client to say which browsers it wants, rather than have one at hand.
        bridged: Let browser extensions connect, where the settings want it.
        timings: How long to wait for browsers and pages.
    """
    timings = replace(
        timings or Timings(), cool_down=settings.cool_down, heartbeat=settings.heartbeat
    )
    policy = Policy.of(settings)
    async with (
        AnalysisProcess() as worker,
        Browsers(timings, policy.urls) as browsers,
        Background() as background,
    ):
        for spec in [] if lazy else browser_specs(settings):
            browsers.register(spec)
        browsers.connect_all_in_background()
        style = cast(Literal["short", "long"], settings.uid_style)
        sessions = Sessions(browsers, style)
        secrets, destructive = settings.secret, cast(Destructive, settings.destructive)
        shelf = PageCatalogs(destructive, secrets, policy.files, read_only=policy.read_only)
        toolsets = Toolsets(settings, browsers, policy, worker, shelf, background)
        couriers = SessionExtensions(sessions, policy, remote_bridge())
        desk = App(browsers, sessions, toolsets, couriers)
        async with LocalBridge(settings, ExtensionBrowsers(browsers), couriers.forward) as bridge:
            desk.join(bridge)
            if bridged:
                await bridge.listen_if_wanted()
            try:
                yield desk
            finally:
                await desk.close()


class App:
    """Where clients come: hands out sessions, each with the tools."""

    def __init__(
        self,
        browsers: Browsers,
        sessions: Sessions,
        toolsets: Toolsets,
        couriers: SessionExtensions,
    ) -> None:
        self.browsers, self.sessions, self.couriers = browsers, sessions, couriers
        self.bridge: LocalBridge | None = None
        self.tally = CallMetrics()
        self.toolsets = toolsets
        self._seats: dict[str, Seat] = {}
        self._many = browsers.has_multiple
        self._listeners: list[Callable[[], None]] = []
        browsers.on_changed(self._browsers_changed)

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools as a client sees them who has no session yet."""
        return [_with_session(spec) for spec in self.toolsets.specs()]

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever that list changes."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def open(self, label: str = "", toolset: str = "") -> Seat:
        """Start a session, with another toolset than the usual one if it is named."""
        session = self.sessions.open(label)
        courier = self.couriers.open(session)
        tools = self.toolsets.of(session, toolset)
        seat = Seat(session, tools, courier, self.tally, self._leave)
        self._seats[session.handle] = seat
        self.tally.sessions += 1
        return seat

    def join(self, bridge: LocalBridge) -> None:
        """Let sessions use the extensions of a bridge."""
        self.bridge = self.couriers.bridge = bridge
        self.toolsets.add_source(lambda session: ExtensionTabs(bridge))
        bridge.on_changed(self._extensions_changed)

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
                seat.browsers_changed()
            for listener in list(self._listeners):
                listener()

    def _extensions_changed(self) -> None:
        for seat in self._seats.values():
            seat.extension_changed()

    async def _leave(self, session: Session) -> None:
        if seat := self._seats.pop(session.handle, None):
            seat.release()
        self.couriers.close(session)
        await self.sessions.close(session)


class Seat:
    """One session with its tools: what the wire calls a workspace."""

    def __init__(
        self,
        session: Session,
        toolset: Toolset,
        courier: SessionExtension,
        tally: CallMetrics,
        leave: Callable[[Session], Any],
    ) -> None:
        self.session, self.courier = session, courier
        self._had_extension = courier.is_open
        self._toolset, self._tally, self._leave = toolset, tally, leave
        self._listeners: list[Callable[[], None]] = []
        toolset.on_changed(self.tools_changed)

    @property
    def handle(self) -> str:
        """The unguessable name of the session."""
        return self.session.handle

    def tools(self, *, stateless: bool = False) -> Sequence[ToolSpec]:
        """List the tools."""
        specs = [*self._toolset.specs(), *(self.courier.specs() if self._toolset.is_open else ())]
        return [_with_session(spec) for spec in specs] if stateless else specs

    async def call(self, name: str, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Run one tool; it tells the client how far it has come."""
        with self._tally.call(self._toolset.counted(name)) as call:
            if self._toolset.is_open and self.courier.knows(name):
                call.reply = await self.courier.call(name, arguments)
            else:
                call.reply = await self._toolset.call(name, arguments, progress)
        return call.reply

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever the list of tools changes."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def on_log(self, listener: Log) -> Callable[[], None]:
        """Call `listener` with what the session's extension says unasked."""
        return self.courier.on_log(listener)

    def extension_changed(self) -> None:
        """Look whether the session has an extension now that it did not have, or no longer."""
        had, self._had_extension = self._had_extension, self.courier.is_open
        if had != self._had_extension and self._toolset.is_open:
            self.tools_changed()

    def browsers_changed(self) -> None:
        """There are several browsers now, or no longer."""
        if self._toolset.is_open:
            self.tools_changed()

    def tools_changed(self) -> None:
        """Tell whoever listens that the list of tools is another one."""
        for listener in list(self._listeners):
            listener()

    async def close(self) -> None:
        """End the session."""
        await self._leave(self.session)

    def release(self) -> None:
        """Let go of what the tools hold; the session has ended."""
        self._toolset.close()


def _with_session(spec: ToolSpec) -> ToolSpec:
    properties = {**spec.schema["properties"], "session": _SESSION}
    return replace(spec, schema={**spec.schema, "properties": properties})
