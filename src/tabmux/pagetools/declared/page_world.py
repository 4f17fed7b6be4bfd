"""Page world: lists and calls tools that scripts put into a page's own script world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabmux.cdp.channel import Params
from tabmux.errors import Misuse, ScriptFailed, TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.library import source
from tabmux.page.webmcp import DeclaredTool
from tabmux.page_text import in_quotes
from tabmux.pagetools.collect.collector_scripts import PACKAGE

EVENT = "devtoolstooldiscovery"


async def polyfilled(frame: Frame) -> list[DeclaredTool]:
    """List the tools of a WebMCP that the page brings along; none if it cannot be asked."""
    try:
        found = await _call(frame, "list_polyfill_tools", timeout=frame.timings.page_world_tools)
    except TabmuxError:
        return []
    return [
        DeclaredTool(
            frame.id,
            tool["name"],
            tool["description"],
            tool.get("schema"),
            hints={"readOnly": tool["readOnly"]},
        )
        for tool in found.get("value") or ()
    ]


async def call_polyfilled(frame: Frame, name: str, arguments: Params, seconds: float) -> str:
    """Call one of them; returns its result as JSON text."""
    answer = await _call(frame, "call_polyfill_tool", name, arguments, timeout=seconds)
    return str(answer.get("value"))


@dataclass(frozen=True)
class DeveloperToolGroup:
    """Tools for developers that a page shows under one name."""

    name: str
    description: str
    tools: tuple[DeclaredTool, ...]


class ToolDiscovery:
    """The developer tools of one document, found by the event that they listen for."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._world = frame.page_world
        self._handle = ""
        self.groups: tuple[DeveloperToolGroup, ...] = ()

    @property
    def is_current(self) -> bool:
        """Whether the document is still the one that was asked."""
        return self._world is not None and self._frame.page_world == self._world

    async def ask(self) -> None:
        """Ask; the event is only sent where somebody listens for it."""
        if not await self._has_listener():
            return
        seconds = self._frame.timings.page_world_tools
        answer = await _call(
            self._frame, "discover_developer_tools", by_value=False, timeout=seconds
        )
        self._handle = answer.get("objectId", "")
        shown = await _call(self._frame, "list_developer_tools", on=self._handle, timeout=seconds)
        self.groups = tuple(self._group(group) for group in shown.get("value") or ())

    def tools(self) -> list[DeclaredTool]:
        """Return the tools of all groups."""
        return [tool for group in self.groups for tool in group.tools]

    def find(self, name: str) -> DeclaredTool | None:
        """Return a tool by its name."""
        return next((tool for tool in self.tools() if tool.name == name), None)

    async def call(
        self, name: str, arguments: Params, elements: Mapping[str, str], seconds: float
    ) -> str:
        """Call a tool; `elements` are handles in the page's world, by argument."""
        if not self.is_current:
            raise Misuse(
                "The page has loaded another document.",
                hint="List its tools again.",
                code="page_changed",
            )
        answer = await _call(
            self._frame,
            "call_developer_tool",
            name,
            dict(arguments),
            list(elements),
            on=self._handle,
            handles=list(elements.values()),
            timeout=seconds,
        )
        return str(answer.get("value"))

    async def _has_listener(self) -> bool:
        channel = self._frame.channel
        found = await channel.call(
            "Runtime.evaluate", {"expression": "window", "contextId": self._world}
        )
        handle = found["result"].get("objectId")
        if handle is None:
            return False
        listening = await channel.call("DOMDebugger.getEventListeners", {"objectId": handle})
        return any(each["type"] == EVENT for each in listening["listeners"])

    def _group(self, group: Params) -> DeveloperToolGroup:
        tools = [
            DeclaredTool(self._frame.id, tool["name"], tool["description"], tool["schema"])
            for tool in group["tools"]
        ]
        return DeveloperToolGroup(group["name"], group["description"], tuple(tools))


async def _call(
    frame: Frame,
    script: str,
    *args: Any,
    on: str = "",
    handles: list[str] | None = None,
    by_value: bool = True,
    timeout: float,
) -> Params:
    """Call a function in the page's own world; its promise has as long as the timeout."""
    values = [{"value": value} for value in args]
    function = source(script, PACKAGE).replace("$SERIALIZE", source("serialize"))
    command = {
        "functionDeclaration": function,
        "arguments": [*values, *({"objectId": handle} for handle in handles or ())],
        "awaitPromise": True,
        "returnByValue": by_value,
        "userGesture": True,
        **({"objectId": on} if on else {"executionContextId": frame.page_world}),
    }
    answer = await frame.channel.call("Runtime.callFunctionOn", command, timeout=timeout)
    if details := answer.get("exceptionDetails"):
        thrown = details.get("exception", {})
        text = str(thrown.get("description") or thrown.get("value") or details.get("text"))
        raise ScriptFailed(f"The page's tool failed: {in_quotes(text, 500)}")
    result: Params = answer["result"]
    return result
