"""What the MCP conformance suite needs, put around the real sessions and tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabmux.concurrency import Listeners
from tabmux.content import CallingClient, Reply, ToolSpec
from tabmux.daemon.app import App
from tabmux.mcp.backend import Log, Notice
from tabmux.sessions.session import Session
from tests.conformance import library, tools


class Fixtures:
    """A server that also offers the suite's tools, resources and prompts."""

    capabilities: Mapping[str, Any] = {
        "resources": {"subscribe": True, "listChanged": True},
        "prompts": {"listChanged": True},
        "completions": {},
    }

    def __init__(self, app: App) -> None:
        self._app = app
        self.tools_changed = Listeners[[]]()
        self._notices = Listeners[[str, dict[str, Any]]]()

    def open(self, label: str = "") -> FixtureSession:
        return FixtureSession(self._app.open(label), self)

    def find(self, handle: str) -> FixtureSession | None:
        session = self._app.find(handle)
        return None if session is None else FixtureSession(session, self)

    def labelled(self, label: str) -> FixtureSession | None:
        session = self._app.labelled(label)
        return None if session is None else FixtureSession(session, self)

    def needs_session(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        return self._app.needs_session(tool, arguments)

    def tools(self) -> Sequence[ToolSpec]:
        return [*self._app.tools(), *tools.specs()]

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        return self.tools_changed.add(listener)

    def on_notice(self, listener: Notice) -> Callable[[], None]:
        return self._notices.add(listener)

    @property
    def instructions(self) -> str:
        return self._app.instructions

    def watch(self, uri: str) -> Callable[[], None]:
        return lambda: None

    def prompts_changed(self) -> None:
        self._notices("notifications/prompts/list_changed", {})

    async def answer(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        match method:
            case "resources/list":
                return library.resources()
            case "resources/templates/list":
                return library.templates()
            case "resources/read":
                return library.read(params["uri"])
            case "prompts/list":
                return library.prompts()
            case "prompts/get":
                return await library.prompt(params["name"], params.get("arguments") or {})
            case _:
                return {"completion": {"values": [], "total": 0, "hasMore": False}}


class FixtureSession:
    """One session with the suite's tools beside its own."""

    def __init__(self, session: Session, fixtures: Fixtures) -> None:
        self._session, self._fixtures = session, fixtures
        self.handle, self.aliases = session.handle, session.aliases
        self.instructions = session.instructions
        # The suite's own stand in for those of a session.
        self.resources = None
        self.attach, self.leave, self.touch = session.attach, session.leave, session.touch
        self.on_closed, self.close = session.on_closed, session.close
        self.idle_seconds, self.describe = session.idle_seconds, session.describe
        self.client, self.label = "", session.label
        self.structured = session.structured
        self._logs = Listeners[[str, str]]()

    def tools(self) -> Sequence[ToolSpec]:
        return [*self._session.tools(), *tools.specs()]

    async def call(self, name: str, arguments: Mapping[str, Any], client: CallingClient) -> Reply:
        if name not in tools.TOOLS:
            return await self._session.call(name, arguments, client)
        return await tools.TOOLS[name][0](self, arguments, client.progress)

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        return self._fixtures.on_tools_changed(listener)

    def on_log(self, listener: Log) -> Callable[[], None]:
        return self._logs.add(listener)

    def log(self, level: str, text: str) -> None:
        self._logs(level, text)

    def tools_changed(self) -> None:
        self._fixtures.tools_changed()

    def prompts_changed(self) -> None:
        self._fixtures.prompts_changed()
