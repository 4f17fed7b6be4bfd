"""Console tools: what the page logged, warned about and threw."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from tabmux.analysis.source_map import OriginalPosition
from tabmux.cdp.channel import Params
from tabmux.content import Reply
from tabmux.errors import Misuse, TabmuxError
from tabmux.page.console.issues import Issue, IssueResource
from tabmux.page.console.message import ConsoleMessage, preview
from tabmux.page.console.source_maps import (
    ScriptPosition,
    original_positions,
    stack_positions,
    text_positions,
    with_original_positions,
)
from tabmux.page.library import source
from tabmux.page.page import Page
from tabmux.page.see.labels import resolve_nodes
from tabmux.page.workers import NAME
from tabmux.page_text import address
from tabmux.sessions.session import Session
from tabmux.tools.debugging.paging import PageIndex, PageSize, paged
from tabmux.tools.pipeline.argument_types import AS_TEXT
from tabmux.tools.pipeline.results import ConsoleEntry, ConsoleResult
from tabmux.tools.pipeline.text_patterns import text_matcher
from tabmux.tools.pipeline.tool import tool

Kind = Literal[
    "log", "debug", "info", "error", "warn", "dir", "dirxml", "table", "trace", "clear",
    "startGroup", "startGroupCollapsed", "endGroup", "assert", "profile", "profileEnd", "count",
    "timeEnd", "verbose", "issue",
]  # fmt: skip


@tool(reads=True, turn=False, over_dialog=True, result=ConsoleResult)
async def list_console_messages(
    page: Page,
    types: Sequence[Annotated[Kind, AS_TEXT]] = (),
    page_size: PageSize | None = None,
    page_idx: PageIndex = 0,
    include_preserved_messages: bool = False,
    include_stack_traces: bool = False,
    service_worker_id: str = "",
    text: str = "",
    since_last_action: bool = False,
) -> Reply:
    """List console messages and uncaught errors since the last navigation.

    Args:
        types: Only these: error, warn, log, issue and so on.
        page_size: Messages a page.
        page_idx: Page, from 0.
        include_preserved_messages: Also of the last two navigations.
        include_stack_traces: Show stacks of errors.
        service_worker_id: Only of this one; see list_pages.
        text: Text or /regex/ in the message or its URL.
        since_last_action: Only those.
    """
    await page.console.catch_up()
    records, matches = page.console.records, text_matcher(text)
    kept = records.items(preserved=include_preserved_messages)
    found = [
        message
        for message in (records.since_action() if since_last_action else kept)
        if (not types or message.type in types)
        and _is_of(message, service_worker_id)
        and (not text or any(map(matches, _texts(message))))
    ]
    reply = paged(
        "## Console messages",
        found,
        page_size,
        page_idx,
        empty="no console messages",
        show=_with_stack if include_stack_traces else _line,
        data=lambda shown: ConsoleResult(messages=[_entry(each) for each in shown]),
    )
    if dropped := page.console.records.dropped:
        reply.add(f"({dropped} older ones were dropped)")
    if page.flood_throttle:
        reply.add("(The page logs faster than anyone could read; it is slowed until it stops.)")
    return reply


@tool(reads=True, turn=False, over_dialog=True)
async def get_console_message(page: Page, session: Session, msgid: int) -> Reply:
    """Show a console message whole, with its arguments and origin.

    Args:
        msgid: Id from list_console_messages.
    """
    await page.console.catch_up()
    message = page.console.find(msgid)
    if message is None:
        raise Misuse(
            f"There is no console message {msgid}.",
            hint="Call list_console_messages to see which there are.",
            code="no_such_message",
        )
    reply = Reply(message.line)
    if message.worker:
        reply.add(f"Logged by the {message.worker}")
    if message.issue is not None:
        return await _issue(reply, page, session, message.issue)
    return await _values(reply, page, message)


async def _values(reply: Reply, page: Page, message: ConsoleMessage) -> Reply:
    """Show values and stack; what must be asked for is left out while a dialog is open."""
    stack, known = message.stack, dict[ScriptPosition, OriginalPosition]()
    shown = [preview(argument, top=True) for argument in message.arguments]
    if page.dialogs.current is None:
        shown = await asyncio.gather(
            *(_argument(page, message, each) for each in message.arguments)
        )
        known = await _origins(page, message, shown)
    if shown:
        texts = (with_original_positions(text, known) for text in shown)
        reply.add("### Arguments")
        reply.add("\n".join(f"Arg #{n}: {text}" for n, text in enumerate(texts)))
    if stack:
        lines = "\n".join(_frame(frame) for frame in stack)
        reply.add("### Stack trace").add(with_original_positions(lines, known))
    return reply


async def _origins(
    page: Page, message: ConsoleMessage, texts: Sequence[str]
) -> dict[ScriptPosition, OriginalPosition]:
    wanted = [
        *stack_positions(message.stack),
        *(position for text in texts for position in text_positions(text)),
    ]
    frame = next((each.id for each in page.frames if each.channel is message.channel), None)
    return await original_positions(message.channel, frame, wanted) if wanted else {}


def _texts(message: ConsoleMessage) -> Iterator[str]:
    """Return what a message can be found by."""
    yield message.text
    yield from (frame["url"] for frame in message.stack if "url" in frame)
    if message.issue is not None:
        yield from (each.url for each in message.issue.resources)


def _is_of(message: ConsoleMessage, worker: str) -> bool:
    """Whether it is a worker's, by its name or a part of its address."""
    if NAME.fullmatch(worker):
        return message.worker.endswith(f" ({worker})")
    return worker in message.worker


def _entry(message: ConsoleMessage) -> ConsoleEntry:
    return ConsoleEntry(
        id=message.id,
        type=message.type,
        text=message.text,
        count=message.count,
        worker=message.worker or None,
    )


def _line(message: ConsoleMessage) -> str:
    return message.line


def _with_stack(message: ConsoleMessage) -> str:
    return "\n".join([message.line, *(f"  {_frame(frame)}" for frame in message.stack)])


def _frame(frame: Params) -> str:
    if "async" in frame:
        return f"--- {frame['async']}"
    name = frame.get("functionName") or "(anonymous)"
    place = f"{frame['lineNumber'] + 1}:{frame['columnNumber'] + 1}"
    return f"at {name} ({address(frame['url'])}:{place})"


async def _argument(page: Page, message: ConsoleMessage, argument: Params) -> str:
    """Fetch an object whole while it still exists; its preview otherwise."""
    handle, text = argument.get("objectId"), preview(argument, top=True)
    if handle is None:
        return text
    is_error = argument.get("subtype") == "error"
    function = (
        source("error_causes")
        if is_error
        else f"function () {{ return ({source('serialize')})(this) }}"
    )
    command = {"functionDeclaration": function, "objectId": handle, "returnByValue": True}
    try:
        found = await message.channel.call(
            "Runtime.callFunctionOn", command, timeout=page.timings.console_value
        )
    except TabmuxError:
        return text
    value = found["result"].get("value")
    if is_error:
        return "\n".join([text, *(value if isinstance(value, list) else ())])
    return str(value) if isinstance(value, str) else text


async def _issue(reply: Reply, page: Page, session: Session, issue: Issue) -> Reply:
    reply.add(issue.advice).add("### Affected resources")
    nodes = [each.node for each in issue.resources if each.node is not None]
    uids: dict[int, str] = {}
    for frame in page.frames:
        if handles := await resolve_nodes(frame, nodes):
            names = await session.shown.name_elements(page, {frame: list(handles.values())})
            uids |= dict(zip(handles, names[frame], strict=True))
    return reply.add("\n".join(_resource(page, each, uids) for each in issue.resources))


def _resource(page: Page, resource: IssueResource, uids: dict[int, str]) -> str:
    request = page.network.known(resource.request)
    parts = [
        f"uid={uids[resource.node]}" if resource.node and uids.get(resource.node) else "",
        f"reqid={request.id}" if request else "",
        f"url={address(resource.url)}" if resource.url else "",
        f"at {resource.place}" if resource.place else "",
        resource.facts,
    ]
    return " ".join(part for part in parts if part) or "(the page)"
