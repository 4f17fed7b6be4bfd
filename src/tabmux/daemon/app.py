"""The composition root: settings in, a running server out."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, cast

from tabmux.browsers import profiles
from tabmux.browsers.launch import LaunchOptions
from tabmux.browsers.registry import Browsers
from tabmux.browsers.spec import BrowserSpec
from tabmux.config import Settings
from tabmux.content import Reply, ToolSpec
from tabmux.errors import Misuse
from tabmux.mcp.workspace import Progress
from tabmux.policy import OPEN_SCHEMES, FilePolicy, UrlPolicy
from tabmux.sessions.session import Session
from tabmux.sessions.table import Sessions
from tabmux.tools import catalog
from tabmux.tools.call import Toolbox

_SESSION = {"type": "string", "description": "Your session, as printed by your first call."}


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Desk]:
    """Put the parts together; everything is taken down when the block ends."""
    async with Browsers() as browsers:
        for spec in browser_specs(settings):
            browsers.register(spec)
        style = cast(Literal["short", "long"], settings.uid_style)
        sessions = Sessions(browsers, style)
        toolbox = Toolbox(
            catalog.tools(catalog.chosen(settings.tools)),
            browsers,
            UrlPolicy(OPEN_SCHEMES | set(settings.allow_scheme)),
            FilePolicy.of(settings.allow_path),
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
        self._toolbox = toolbox
        self._seats: dict[str, Seat] = {}

    def open(self) -> Seat:
        """Start a session."""
        session = self.sessions.open()
        seat = self._seats[session.handle] = Seat(session, self._toolbox, self._leave)
        return seat

    def find(self, handle: str) -> Seat | None:
        """Return the open session with this handle."""
        return self._seats.get(handle)

    def seats(self) -> list[Seat]:
        """Return every session that is open."""
        return list(self._seats.values())

    async def close(self) -> None:
        """Close every session."""
        for seat in list(self._seats.values()):
            await seat.close()

    async def _leave(self, session: Session) -> None:
        self._seats.pop(session.handle, None)
        await self.sessions.close(session)


class Seat:
    """One session with its tools: what the wire calls a workspace."""

    def __init__(self, session: Session, toolbox: Toolbox, leave: Callable[[Session], Any]) -> None:
        self.session = session
        self._toolbox, self._leave = toolbox, leave
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
        return await self._toolbox.call(self.session, name, arguments)

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever the list of tools changes."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def close(self) -> None:
        """End the session."""
        await self._leave(self.session)


def browser_specs(settings: Settings) -> list[BrowserSpec]:
    """Return the browsers that the settings name; one to launch when they name none."""
    headers = [_headers(text) for text in settings.ws_headers]
    specs = [_spec("url", text) for text in settings.browser_url]
    for number, text in enumerate(settings.ws_endpoint):
        given = headers[min(number, len(headers) - 1)] if headers else {}
        specs.append(_spec("ws", text, given))
    if settings.launch or not specs:
        specs.append(BrowserSpec("launch", launch=_launch(settings)))
    return specs


def _spec(
    kind: Literal["url", "ws"], text: str, headers: Mapping[str, str] | None = None
) -> BrowserSpec:
    address, _, command = text.partition("|")
    name, equals, rest = address.partition("=")
    if equals and "://" not in name:
        address = rest
    else:
        name = ""
    return BrowserSpec(
        kind, address.strip(), name.strip(), headers or {}, start_command=command.strip()
    )


def _headers(text: str) -> dict[str, str]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise Misuse(f"--ws-headers is not JSON: {error}.") from error
    if not isinstance(found, dict):
        raise Misuse("--ws-headers must be a JSON object.")
    return {str(key): str(value) for key, value in found.items()}


def _launch(settings: Settings) -> LaunchOptions:
    folder: Path | None
    if settings.isolated:
        folder = None
    elif settings.user_data_dir:
        folder = Path(settings.user_data_dir).expanduser()
    else:
        folder = profiles.profile_folder()
    return LaunchOptions(
        headless=settings.headless or not _has_screen(),
        channel=settings.channel,
        executable_path=settings.executable_path,
        user_data_dir=folder,
        viewport=_viewport(settings.viewport),
        proxy=settings.proxy_server,
        arguments=settings.chrome_arg,
    )


def _has_screen() -> bool:
    return sys.platform == "darwin" or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _viewport(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise Misuse(f"--viewport {text!r} is not of the form 1280x720.")
    return int(width), int(height)


def _with_session(spec: ToolSpec) -> ToolSpec:
    properties = {**spec.schema["properties"], "session": _SESSION}
    return replace(spec, schema={**spec.schema, "properties": properties})
