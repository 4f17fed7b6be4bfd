"""A backend of sessions with a tool for every thing that the wire must carry."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabmux.concurrency import Listeners
from tabmux.content import CallingClient, Image, Progress, Reply, ToolSpec
from tabmux.errors import Busy
from tabmux.mcp.backend import Log, ResourceProvider

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwAD"
    "hgGAWjR9awAAAABJRU5ErkJggg=="
)


@dataclass
class FakeSession:
    """One session of the backend."""

    backend: FakeBackend
    handle: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    grown: bool = False
    is_broken: bool = False
    cancelled: int = 0
    release: asyncio.Event = field(default_factory=asyncio.Event)
    started: asyncio.Event = field(default_factory=asyncio.Event)
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    notes: list[str] = field(default_factory=list)
    aliases: set[str] = field(default_factory=set)
    connections: int = 0
    client: str = ""
    structured: bool = False
    label: str = ""
    instructions: str = "Call a tool."
    resources: ResourceProvider | None = None
    _tools_changed: Listeners[[]] = field(default_factory=Listeners)
    _logs: Listeners[[str, str]] = field(default_factory=Listeners)
    _closed: Listeners[[]] = field(default_factory=Listeners)

    def tools(self) -> Sequence[ToolSpec]:
        if self.is_broken:
            raise RuntimeError("/secret/path is broken")
        specs = [_spec(name, self._tool(name)) for name in _BASIC]
        if self.grown:
            specs.append(_spec("extra", self.extra))
        return specs

    async def call(self, name: str, arguments: Mapping[str, Any], client: CallingClient) -> Reply:
        known = {spec.name for spec in self.tools()}
        if name not in known:
            return Reply(f"There is no tool {name}.", code="unknown_tool")
        return await self._tool(name)(arguments, client.progress)

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        return self._tools_changed.add(listener)

    def on_log(self, listener: Log) -> Callable[[], None]:
        return self._logs.add(listener)

    def on_closed(self, listener: Callable[[], None]) -> Callable[[], None]:
        return self._closed.add(listener)

    def attach(self) -> None:
        self.connections += 1

    def leave(self, *, hung_up: bool = False) -> None:
        self.connections -= 1
        self.left.set()

    def idle_seconds(self) -> float:
        return 1.0

    def describe(self) -> str:
        return f"{len(self.notes)} notes"

    def touch(self) -> None:
        pass

    async def close(self) -> None:
        if self.backend.sessions.pop(self.handle, None) is not None:
            self.closed.set()
            self._closed()

    def change_tools(self) -> None:
        """Change the list of tools outside of any call."""
        self.grown = not self.grown
        self._tools_changed()

    def log(self, level: str, text: str) -> None:
        self._logs(level, text)

    def _tool(self, name: str) -> Tool:
        tool: Tool = getattr(self, name)
        return tool

    async def echo(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Say the text again."""
        return Reply(str(arguments.get("text", "")))

    async def note(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Keep a text in this session, and list all that were kept."""
        self.notes.append(str(arguments.get("text", "")))
        return Reply.lines(self.notes)

    async def slow(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Wait until released."""
        self.started.set()
        self.backend.started.set()
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            self.stopped.set()
            raise
        return Reply("released")

    async def fail(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Fail as a tool should."""
        return Reply("That uid is stale. Take a snapshot.", code="stale_uid")

    async def crash(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Fail as no tool should."""
        raise RuntimeError("/secret/path/to/something.py is broken")

    async def picture(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Return text and an image."""
        return Reply("one pixel", [Image(PIXEL, "image/png")])

    async def grow(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Change the list of tools."""
        self.change_tools()
        return Reply("grown")

    async def steps(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Report three steps, and log each."""
        for step in (1, 2, 3):
            self.log("debug" if step == 1 else "warning", f"step {step}")
            await progress(step, 3, f"step {step}")
        return Reply("walked")

    async def extra(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Exist only after growing."""
        return Reply("extra")


Tool = Callable[[Mapping[str, Any], Progress], Awaitable[Reply]]
_BASIC = ("echo", "note", "slow", "fail", "crash", "picture", "grow", "steps")


@dataclass
class FakeBackend:
    """All sessions."""

    sessions: dict[str, FakeSession] = field(default_factory=dict)
    opened: list[FakeSession] = field(default_factory=list)
    is_full: bool = False
    page_tools: set[str] = field(default_factory=set)
    instructions: str = "Call a tool."
    listeners: list[Callable[[], None]] = field(default_factory=list)
    started: asyncio.Event = field(default_factory=asyncio.Event)

    def open(self, label: str = "") -> FakeSession:
        if self.is_full:
            raise Busy("The backend is full.", hint="Come back later.")
        session = FakeSession(self, label=label)
        self.sessions[session.handle] = session
        self.opened.append(session)
        return session

    def tools(self) -> Sequence[ToolSpec]:
        return [_spec(name, getattr(FakeSession, name)) for name in _BASIC]

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def change_tools(self) -> None:
        """Tell those who have no session that the list of tools has changed."""
        for listener in list(self.listeners):
            listener()

    def labelled(self, label: str) -> FakeSession | None:
        return next((s for s in self.sessions.values() if label and s.label == label), None)

    def needs_session(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        return tool in self.page_tools

    def find(self, handle: str) -> FakeSession | None:
        return self.sessions.get(handle)


def _spec(name: str, tool: Tool) -> ToolSpec:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    return ToolSpec(name, tool.__doc__ or "", schema, reads=name == "echo")
