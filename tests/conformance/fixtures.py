"""What the MCP conformance suite needs, put around the real sessions and tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabmux.content import Reply, ToolSpec
from tabmux.daemon.app import App, Seat
from tabmux.mcp.backend import Log, Notice, Progress
from tests.conformance import library, tools


class Fixtures:
    """A desk that also offers the suite's tools, resources and prompts."""

    capabilities: Mapping[str, Any] = {
        "resources": {"subscribe": True, "listChanged": True},
        "prompts": {"listChanged": True},
        "completions": {},
    }

    def __init__(self, desk: App) -> None:
        self._desk = desk
        self._tools: list[Callable[[], None]] = []
        self._notices: list[Notice] = []

    def open(self) -> Place:
        return Place(self._desk.open(), self)

    def find(self, handle: str) -> Place | None:
        seat = self._desk.find(handle)
        return None if seat is None else Place(seat, self)

    def tools(self) -> Sequence[ToolSpec]:
        return [*self._desk.tools(), *_stateless(tools.specs())]

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        self._tools.append(listener)
        return lambda: self._tools.remove(listener)

    def on_notice(self, listener: Notice) -> Callable[[], None]:
        self._notices.append(listener)
        return lambda: self._notices.remove(listener)

    def tools_changed(self) -> None:
        for listener in list(self._tools):
            listener()

    def prompts_changed(self) -> None:
        for listener in list(self._notices):
            listener("notifications/prompts/list_changed", {})

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


class Place:
    """One session with the suite's tools beside its own."""

    def __init__(self, seat: Seat, fixtures: Fixtures) -> None:
        self._seat, self._fixtures = seat, fixtures
        self._logs: list[Log] = []

    @property
    def handle(self) -> str:
        return self._seat.handle

    def tools(self, *, stateless: bool = False) -> Sequence[ToolSpec]:
        own = tools.specs()
        return [*self._seat.tools(stateless=stateless), *(_stateless(own) if stateless else own)]

    async def call(self, name: str, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        if name not in tools.TOOLS:
            return await self._seat.call(name, arguments, progress)
        return await tools.TOOLS[name][0](self, arguments, progress)

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        return self._fixtures.on_tools_changed(listener)

    def on_log(self, listener: Log) -> Callable[[], None]:
        self._logs.append(listener)
        return lambda: self._logs.remove(listener)

    def log(self, level: str, text: str) -> None:
        for listener in list(self._logs):
            listener(level, text)

    def tools_changed(self) -> None:
        self._fixtures.tools_changed()

    def prompts_changed(self) -> None:
        self._fixtures.prompts_changed()

    async def close(self) -> None:
        await self._seat.close()


def _stateless(specs: Sequence[ToolSpec]) -> list[ToolSpec]:
    session = {"session": {"type": "string"}}
    return [
        replace(
            spec, schema={**spec.schema, "properties": {**spec.schema["properties"], **session}}
        )
        for spec in specs
    ]
