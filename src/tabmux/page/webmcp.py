"""WebMCP: the tools that a page declares, as Chrome reports them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tabmux.cdp.channel import Channel, Params
from tabmux.concurrency import Listeners, Signal
from tabmux.errors import DeadlineExceeded, Misuse, PageTrouble, ProtocolFault, TabmuxError
from tabmux.json_text import is_deep
from tabmux.page.frame_tree import Frame, FrameTree
from tabmux.page_text import in_quotes
from tabmux.timings import Timings

# A page may register as many as it likes; what is beyond this is not even kept.
MOST_TOOLS = 500
CANCEL_SECONDS = 2.0
MOST_EARLY = 20
LONGEST_TEXT = 2_000
LEFT = "Its document was left before it answered."


@dataclass(frozen=True)
class DeclaredTool:
    """A tool as the page registered it; every word of it is the page's.

    Attributes:
        form: Chrome's id of the form that declares it, if a form does; 0 if it is not known.
        hints: What the page claims: readOnly, untrustedContent, consequential, debugging,
            autosubmit.
    """

    frame: str
    name: str
    description: str = ""
    schema: Any = None
    form: int | None = None
    hints: Params = field(default_factory=dict)

    def __post_init__(self) -> None:
        if is_deep(self.schema):
            object.__setattr__(self, "schema", None)

    @property
    def waits_for_submit(self) -> bool:
        """Whether a call fills a form and then stays open until somebody submits it."""
        return self.form is not None and not self.hints.get("autosubmit")


@dataclass(frozen=True)
class InvocationResponse:
    """How a call ended: Completed, Canceled or Error."""

    status: str
    output: Any = None
    error: str = ""


@dataclass(frozen=True, eq=False)
class _Pending:
    """A call that has not been answered."""

    tool: DeclaredTool
    response: asyncio.Future[InvocationResponse]


class WebMcp:
    """Follows what is declared in all frames of a tab, from the moment it is first wanted."""

    def __init__(self, frames: FrameTree, signal: Signal, timings: Timings) -> None:
        self._frames, self._signal, self._timings = frames, signal, timings
        self._channels: list[Channel] = []
        self._tools: dict[tuple[str, str], DeclaredTool] = {}
        # By the process that a call was made in, and its number there.
        self._calls: dict[tuple[Channel, str], _Pending] = {}
        self._early: dict[tuple[Channel, str], InvocationResponse] = {}
        self._listeners = Listeners[[]]()
        self._enabled = False
        frames.on_channel(self._listen)

    async def enable(self) -> None:
        """Begin to follow; Chrome then reports what is there already."""
        if self._enabled:
            return
        self._enabled = True
        # Its reports of what is there arrive before its answer.
        enabling = [channel.call("WebMCP.enable", timeout=self._timings.webmcp)
                    for channel in self._channels if channel.is_open]  # fmt: skip
        await asyncio.gather(*enabling, return_exceptions=True)
        # Seen in Chromium 156: it reports what came before only for the topmost frames.
        inner = [frame for frame in self._frames if frame.parent is not None]
        await asyncio.gather(*map(self._ask, inner))

    def tools(self) -> list[DeclaredTool]:
        """Return what is declared now, in the order it was."""
        known = {frame.id for frame in self._frames}
        return [tool for tool in self._tools.values() if tool.frame in known]

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when tools come or go; returns how to stop."""
        return self._listeners.add(listener)

    async def start(self, tool: DeclaredTool, arguments: Params) -> Invocation:
        """Begin a call; a form that waits to be sent gives way to another."""
        if tool.form is not None:
            await self._cancel_forms()
        frame = self._frames.get(tool.frame)
        if frame is None:
            raise PageTrouble(
                f"The frame that declared {in_quotes(tool.name, 60)} is gone.", code="page_changed"
            )
        command = {"frameId": tool.frame, "toolName": tool.name, "input": arguments}
        try:
            answer = await frame.channel.call("WebMCP.invokeTool", command)
        except ProtocolFault as error:
            raise Misuse(
                f"The page no longer has the tool {in_quotes(tool.name, 60)}.",
                hint="List the page's tools again.",
                code="page_changed",
            ) from error
        ident = answer["invocationId"]
        return Invocation(frame.channel, ident, self._future((frame.channel, ident), tool))

    async def _cancel_forms(self) -> None:
        """Give up what waits to be sent: Chromium 156 ends a tab whose form is called twice."""
        waiting = [each for each in self._calls.items() if each[1].tool.waits_for_submit]
        for (channel, ident), call in waiting:
            earlier = Invocation(channel, ident, call.response)
            earlier.cancel()
            await earlier.settled(CANCEL_SECONDS)

    async def _ask(self, frame: Frame) -> None:
        with suppress(TabmuxError):
            found = await frame.run("declared_tools")
            tools = [{**tool, "frameId": frame.id} for tool in found]
            self._added([tool for tool in tools if (frame.id, tool["name"]) not in self._tools])

    def _future(
        self, ident: tuple[Channel, str], tool: DeclaredTool
    ) -> asyncio.Future[InvocationResponse]:
        future: asyncio.Future[InvocationResponse] = asyncio.get_running_loop().create_future()
        if early := self._early.pop(ident, None):
            future.set_result(early)
        else:
            self._calls[ident] = _Pending(tool, future)
            future.add_done_callback(lambda _: self._calls.pop(ident, None))
        return future

    def _listen(self, channel: Channel) -> None:
        self._channels.append(channel)
        channel.on("WebMCP.toolsAdded", lambda p: self._added(p["tools"]))
        channel.on("WebMCP.toolsRemoved", lambda p: self._removed(p["tools"]))
        channel.on("WebMCP.toolResponded", lambda p: self._responded(channel, p))
        channel.on("Page.frameNavigated", lambda p: self._document_left(p["frame"]["id"]))
        channel.on("Page.frameDetached", lambda p: self._detached(p["frameId"]))
        channel.on_close(lambda error: self._closed(channel, error))
        if self._enabled:
            channel.send("WebMCP.enable")

    def _added(self, tools: list[Params]) -> None:
        for tool in tools:
            key = (tool["frameId"], tool["name"])
            if len(self._tools) < MOST_TOOLS or key in self._tools:
                self._tools[key] = _declared(tool)
        self._changed()

    def _removed(self, tools: list[Params]) -> None:
        for tool in tools:
            self._tools.pop((tool["frameId"], tool["name"]), None)
        self._changed()

    def _document_left(self, frame: str) -> None:
        """A new document has none of the old one's tools; Chrome does not say so."""
        gone = [key for key in self._tools if key[0] == frame]
        for key in gone:
            del self._tools[key]
        # The answer to a form that was sent is what it led to; a script is gone with its document.
        self._fail_calls(lambda call: call.tool.frame == frame and call.tool.form is None, LEFT)
        if gone:
            self._changed()

    def _detached(self, frame: str) -> None:
        self._fail_calls(lambda call: call.tool.frame == frame, "Its frame is gone.")
        self._document_left(frame)

    def _fail_calls(self, is_lost: Callable[[_Pending], bool], why: str) -> None:
        """Answer calls that nobody else will."""
        for call in list(self._calls.values()):
            if is_lost(call) and not call.response.done():
                call.response.set_result(InvocationResponse("Error", error=why))
        self._signal.notify()

    def _responded(self, channel: Channel, params: Params) -> None:
        exception = params.get("exception") or {}
        error = params.get("errorText") or exception.get("description") or ""
        output = params.get("output")
        shown = "(nested too deep to be shown)" if is_deep(output) else output
        response = InvocationResponse(params["status"], shown, str(error))
        ident = (channel, params["invocationId"])
        call = self._calls.get(ident)
        if call is None:
            # The answer to invokeTool may be overtaken by the response.
            self._early[ident] = response
            for old in list(self._early)[:-MOST_EARLY]:
                del self._early[old]
        elif not call.response.done():
            call.response.set_result(response)
        self._signal.notify()

    def _closed(self, channel: Channel, error: TabmuxError) -> None:
        """Nobody answers any more what was called in a process that is gone."""
        self._channels.remove(channel)
        lost = [call for (process, _), call in self._calls.items() if process is channel]
        self._fail_calls(lambda call: call in lost, error.message)

    def _changed(self) -> None:
        self._signal.notify()
        self._listeners()


@dataclass(frozen=True)
class Invocation:
    """A call under way."""

    channel: Channel
    id: str
    response: asyncio.Future[InvocationResponse]

    async def result(self, seconds: float) -> InvocationResponse:
        """Wait for the end; a call that takes too long is cancelled."""
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(self.response)
        except TimeoutError as error:
            raise self.given_up(seconds) from error
        except asyncio.CancelledError:
            self.cancel()
            raise

    async def settled(self, seconds: float) -> None:
        """Wait for the end, but no longer than this; the call goes on."""
        try:
            await asyncio.wait({self.response}, timeout=seconds)
        except asyncio.CancelledError:
            self.cancel()
            raise

    def given_up(self, seconds: float) -> DeadlineExceeded:
        """Call it off after so long; returns what to say of it."""
        self.cancel()
        return DeadlineExceeded(
            f"The page's tool did not answer within {seconds:g} s, and was cancelled."
        )

    def cancel(self) -> None:
        """Tell the page that nobody waits any more."""
        if not self.response.done():
            self.channel.send("WebMCP.cancelInvocation", {"invocationId": self.id})


def _declared(tool: Params) -> DeclaredTool:
    return DeclaredTool(
        tool["frameId"],
        str(tool["name"]),
        str(tool.get("description", ""))[:LONGEST_TEXT],
        tool.get("inputSchema"),
        tool.get("backendNodeId", 0 if tool.get("isForm") else None),
        dict(tool.get("annotations") or {}),
    )
