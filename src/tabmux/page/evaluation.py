"""Evaluation: runs the agent's own scripts in a page, and ends those that do not end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Protocol

from tabmux.cdp.channel import CALL_SECONDS, Channel, Params
from tabmux.errors import BadArguments, DeadlineExceeded, Misuse, ProtocolFault, ScriptFailed
from tabmux.page.activity import Sent, untold
from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame, FrameGone, is_lost_context
from tabmux.page.library import source
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.page import Page


# A renderer that answers within this time is not stuck.
PATIENCE_SECONDS = 0.15
ATTEMPTS = 30
# Until the last attempt has been made, and answered by a crash where no script may be stopped.
STOPPED_SECONDS = PATIENCE_SECONDS * (ATTEMPTS + 1) + 1.0
_HOLDS = "function () {{ return Boolean(({})()) }}"
# What V8 throws where a script would do more than read.
_SIDE_EFFECT = "EvalError: Possible side-effect in debug-evaluate"
_AWAITED = "async function () { return ($LONG_TEXT)(($SERIALIZE)(await this), $PIECE) }"
# A longer text comes in pieces, each of which is read in some milliseconds; others go on between.
PIECE = 1 << 20
# A server with little memory must live: what becomes of a text takes several times its length.
MOST_CHARACTERS = 128 * PIECE


class ExecutionContext(Protocol):
    """Where a script can run: a frame, or a worker."""

    @property
    def channel(self) -> Channel:
        """Leads there."""

    @property
    def page_world(self) -> int | None:
        """The world of the page's own scripts."""


class Evaluation:
    """Evaluates in the page's own world, as its own scripts do."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._stopping: set[asyncio.Future[Params]] = set()

    async def call(
        self,
        function: str,
        elements: Sequence[Element],
        timeout: float,
        at: ExecutionContext | None = None,
        *,
        sent: Sent = untold,
    ) -> str:
        """Call a function with elements as arguments; returns its result as JSON text.

        Args:
            function: Its source.
            elements: All of one frame, which is where it runs.
            timeout: In seconds.
            at: Where else it is to run; there are no elements then.
            sent: Is told as soon as Chrome has been told.
        """
        await self._page.secrets.begin_script()
        context = at or self._frame_of(elements)
        await _world_ready(context, timeout)
        handles = await asyncio.gather(*(e.object_id(page_world=True) for e in elements))
        command = {
            "functionDeclaration": _returning_text(source("evaluate")).replace("$SOURCE", function),
            "executionContextId": context.page_world,
            "arguments": [{"objectId": handle} for handle in handles],
            "awaitPromise": True,
            "userGesture": True,
        }
        return await self._text_of(context, command, timeout, sent)

    async def run(self, script: str, timeout: float, at: ExecutionContext | None = None) -> str:
        """Run a classic script; returns its completion value as JSON text."""
        await self._page.secrets.begin_script()
        context = at or self._page.main
        await _world_ready(context, timeout)
        command = {
            "expression": script,
            "contextId": context.page_world,
            "awaitPromise": True,
            "returnByValue": False,
            "userGesture": True,
            "replMode": True,
        }
        answer = await self._bounded(context, "Runtime.evaluate", command, timeout)
        result = _checked(answer)
        if handle := result.get("objectId"):
            command = {
                # What is awaited in the console's mode is the script, not a promise it ends in.
                "functionDeclaration": _returning_text(_AWAITED),
                "objectId": handle,
                "awaitPromise": True,
            }
            return await self._text_of(context, command, timeout)
        return _primitive_text(result)

    async def holds(self, function: str) -> bool:
        """Tell whether a function is true now; Chrome stops it before it changes anything."""
        # Whatever it only reads, its answer would tell.
        await self._page.secrets.refuse_if_standing("No function is asked")
        context = self._page.main
        await _world_ready(context, CALL_SECONDS)
        command = {
            "functionDeclaration": _HOLDS.format(function),
            "executionContextId": context.page_world,
            "returnByValue": True,
            "throwOnSideEffect": True,
        }
        try:
            answer = await self._bounded(context, "Runtime.callFunctionOn", command, CALL_SECONDS)
        except ProtocolFault as error:
            if is_lost_context(error):
                raise FrameGone("The page navigated meanwhile.", hint="Try again.") from error
            raise
        if _SIDE_EFFECT in str(answer.get("exceptionDetails", {}).get("exception")):
            raise BadArguments(
                "The function would change something, or may.",
                hint="Write one that only reads, or use evaluate_script.",
            )
        return bool(_checked(answer).get("value"))

    def stop(self, channel: Channel) -> None:
        """Stop a script that keeps a renderer busy, if one does."""
        if sign := _terminate_if_stuck(channel):
            self._stopping.add(sign)
            sign.add_done_callback(self._stopping.discard)

    async def stopped(self) -> None:
        """Wait until scripts are stopped that are being stopped.

        Seen in Chromium 156: one can never be stopped in a page that was to leave before that.
        """
        if self._stopping and self._page.dialogs.current is None:
            await asyncio.wait(self._stopping, timeout=STOPPED_SECONDS)

    async def check_function(self, function: str) -> None:
        """Fail when a text is no function that `holds` could call."""
        command = {
            "expression": f"({_HOLDS.format(function)})",
            "sourceURL": "",
            "persistScript": False,
        }
        answer = await self._page.channel.call("Runtime.compileScript", command)
        if details := answer.get("exceptionDetails"):
            reason = details.get("exception", {}).get("description") or details["text"]
            raise BadArguments(f"It is no JavaScript function: {in_quotes(str(reason), 300)}.")

    def _frame_of(self, elements: Sequence[Element]) -> Frame:
        frames = {element.frame.id: element.frame for element in elements}
        if len(frames) > 1:
            raise Misuse("The elements are in different frames.", hint="Pass those of one frame.")
        return next(iter(frames.values()), self._page.main)

    async def _text_of(
        self,
        context: ExecutionContext,
        command: Params,
        timeout: float,
        sent: Sent = untold,
    ) -> str:
        """Call a function that returns a text."""
        answer = await self._bounded(context, "Runtime.callFunctionOn", command, timeout, sent)
        result = _checked(answer)
        if (handle := result.get("objectId")) is None:
            return str(result.get("value", "undefined"))
        try:
            return "".join([piece async for piece in self._pieces(context, handle, timeout)])
        finally:
            context.channel.send("Runtime.releaseObject", {"objectId": handle})

    async def _pieces(
        self, context: ExecutionContext, handle: str, timeout: float
    ) -> AsyncIterator[str]:
        """Fetch a text that the page keeps; refuses one that is too long for memory."""
        start = 0
        while start >= 0:
            command = {
                "functionDeclaration": source("long_text_piece"),
                "objectId": handle,
                "arguments": [{"value": start}, {"value": PIECE}],
                "returnByValue": True,
            }
            answer = await self._bounded(context, "Runtime.callFunctionOn", command, timeout)
            piece = _checked(answer)["value"]
            if piece["length"] > MOST_CHARACTERS:
                raise Misuse(
                    f"The result has {piece['length']:,} characters; {MOST_CHARACTERS:,} fit.",
                    hint="Return less of it, or a part at a time.",
                )
            yield str(piece.get("text"))
            start = int(piece["next"])

    async def _bounded(
        self,
        context: ExecutionContext,
        method: str,
        command: Params,
        timeout: float,
        sent: Sent = untold,
    ) -> Params:
        """Run a script, and stop it when its time is up or the caller has gone."""
        call = context.channel.call(method, command, timeout=timeout)
        sent(context.channel, call)
        try:
            return await call
        except (DeadlineExceeded, asyncio.CancelledError) as error:
            self.stop(context.channel)
            if isinstance(error, asyncio.CancelledError):
                raise
            raise DeadlineExceeded(
                f"The script did not finish within {timeout:g} s and was stopped.",
                hint="Make it shorter, or give a larger timeout.",
            ) from error


@cache
def _returning_text(function: str) -> str:
    """Return a script that serializes what comes of it, and keeps a long text to be fetched."""
    for name in ("serialize", "long_text"):
        function = function.replace(f"${name.upper()}", source(name))
    return function.replace("$PIECE", str(PIECE))


async def _world_ready(context: ExecutionContext, timeout: float) -> None:
    """Wait for the world of a worker that has just started: it tells of it before it answers."""
    if context.page_world is None:
        await context.channel.call("Runtime.evaluate", {"expression": "1"}, timeout=timeout)


def _checked(answer: Params) -> Params:
    details = answer.get("exceptionDetails")
    if not details:
        result: Params = answer["result"]
        return result
    thrown = details.get("exception", {})
    text = thrown.get("description") or _primitive_text(thrown) if thrown else details.get("text")
    raise ScriptFailed(f"The script threw {in_quotes(_without_own_frames(str(text)), 1000)}.")


def _without_own_frames(text: str) -> str:
    """Drop the lines of the stack that are ours."""
    lines = text.split("\n")
    return "\n".join(line for line in lines[:10] if "<anonymous>:" not in line or line is lines[0])


def _primitive_text(result: Params) -> str:
    if "unserializableValue" in result:
        return str(result["unserializableValue"])
    if result.get("type") == "undefined":
        return "undefined"
    value = result.get("value")
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "null"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _terminate_if_stuck(channel: Channel) -> asyncio.Future[Params] | None:
    """Ask the renderer for a sign of life, and stop its script until one comes; returns that.

    A termination that finds no script running would hit the next one, so it is only sent
    to a renderer that is really stuck. Works by timers, so that a cancelled call can use it.
    """
    if not channel.is_open or channel.crashed:
        return None
    sign = channel.call("Runtime.evaluate", {"expression": "1"})
    asyncio.get_running_loop().call_later(PATIENCE_SECONDS, _terminate, channel, sign, ATTEMPTS)
    return sign


def _terminate(channel: Channel, sign: asyncio.Future[Params], attempts: int) -> None:
    if sign.done() or not channel.is_open:
        return
    stopping = channel.call("Runtime.terminateExecution")
    if attempts == 0:
        stopping.add_done_callback(lambda done: _crash_if_refused(channel, done))
    else:
        asyncio.get_running_loop().call_later(
            PATIENCE_SECONDS, _terminate, channel, sign, attempts - 1
        )


def _crash_if_refused(channel: Channel, stopping: asyncio.Future[Params]) -> None:
    # Seen in Chromium 156: an extension may not stop a script. A tab that is crashed can be
    # loaded again, one that hangs cannot even do that.
    if not stopping.cancelled() and isinstance(stopping.exception(), ProtocolFault):
        channel.send("Page.crash")
