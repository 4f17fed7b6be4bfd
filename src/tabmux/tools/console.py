"""What the page logged, warned about and threw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tabmux.cdp.connection import Params
from tabmux.content import Reply
from tabmux.errors import Misuse, TabmuxError
from tabmux.page.console import Message
from tabmux.page.library import source
from tabmux.page.page import Page
from tabmux.page.preview import preview
from tabmux.tools.paging import PageIndex, PageSize, paged
from tabmux.tools.tool import tool

Kind = Literal[
    "log", "debug", "info", "error", "warn", "dir", "dirxml", "table", "trace", "clear",
    "startGroup", "startGroupCollapsed", "endGroup", "assert", "profile", "profileEnd", "count",
    "timeEnd", "verbose", "issue",
]  # fmt: skip


@tool(reads=True, turn=False, over_dialog=True)
async def list_console_messages(
    page: Page,
    types: Sequence[Kind] = (),
    page_size: PageSize | None = None,
    page_idx: PageIndex = 0,
    include_preserved_messages: bool = False,
    include_stack_traces: bool = False,
) -> Reply:
    """List what the page has logged since it last navigated, uncaught errors included.

    Args:
        types:
        page_size:
        page_idx:
        include_preserved_messages: Also of the last two navigations.
        include_stack_traces:
    """
    kept = page.console.history.items(preserved=include_preserved_messages)
    found = [message for message in kept if not types or message.type in types]
    lines = [_with_stack(m) if include_stack_traces else m.line for m in found]
    reply = paged("## Console messages", lines, page_size, page_idx, empty="no console messages")
    if dropped := page.console.history.dropped:
        reply.add(f"({dropped} older ones were dropped)")
    return reply


@tool(reads=True, turn=False, over_dialog=True)
async def get_console_message(page: Page, msgid: int) -> Reply:
    """Show one console message whole: its arguments and where it came from.

    Args:
        msgid:
    """
    message = page.console.find(msgid)
    if message is None:
        raise Misuse(
            f"There is no console message {msgid}.",
            hint="Call list_console_messages to see which there are.",
            code="no_such_message",
        )
    reply = Reply(message.line)
    if message.arguments:
        shown = [await _argument(message, argument) for argument in message.arguments]
        reply.add("### Arguments")
        reply.add("\n".join(f"Arg #{n}: {text}" for n, text in enumerate(shown)))
    if message.stack:
        reply.add("### Stack trace").add("\n".join(_frame(frame) for frame in message.stack))
    return reply


def _with_stack(message: Message) -> str:
    return "\n".join([message.line, *(f"  {_frame(frame)}" for frame in message.stack)])


def _frame(frame: Params) -> str:
    if "async" in frame:
        return f"--- {frame['async']}"
    name = frame.get("functionName") or "(anonymous)"
    return f"at {name} ({frame['url']}:{frame['lineNumber'] + 1}:{frame['columnNumber'] + 1})"


async def _argument(message: Message, argument: Params) -> str:
    """Fetch an object whole while it still exists; its preview otherwise."""
    handle = argument.get("objectId")
    if handle is None or argument.get("subtype") == "error" or message.channel is None:
        return preview(argument, top=True)
    try:
        found = await message.channel.call(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": source("serialize").replace(
                    "function (value) {", "function () { const value = this;", 1
                ),
                "objectId": handle,
                "returnByValue": True,
            },
            timeout=2.0,
        )
        return str(found["result"].get("value", preview(argument, top=True)))
    except TabmuxError:
        return preview(argument, top=True)
