"""Calls a page's tool by its name, and says how that ended and what the page offers then."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from tabmux.content import Reply
from tabmux.errors import Misuse, StaleUid, TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.settling import settled
from tabmux.page.webmcp import DeclaredTool, Invocation, InvocationResponse
from tabmux.pagetools import builtin_tools, scripts
from tabmux.pagetools.argument_validation import validate
from tabmux.pagetools.call.call_outcome import CallOutcome, judge
from tabmux.pagetools.call.execution import Execution, Findings
from tabmux.pagetools.call.filling import Filling
from tabmux.pagetools.call.item_selection import chosen_item
from tabmux.pagetools.declared.declared_tools import real_arguments
from tabmux.pagetools.declared.page_world import call_polyfilled
from tabmux.pagetools.loading import wait_until_drawn
from tabmux.pagetools.model import CONFIRM, ListItem, PageTool
from tabmux.pagetools.page_catalog import PageCatalog
from tabmux.pagetools.rendering import (
    ASKS,
    declared_reply,
    names,
    outcome,
    shows_entries,
    unconfirmed,
)
from tabmux.pagetools.secrets import hidden, origin_of, refuse_unsafe

DECLARED_SECONDS = 20.0
# How long a form that waits to be sent may take to be filled.
FILL_SECONDS = 1.0


async def call(catalogue: PageCatalog, name: str, arguments: Mapping[str, Any]) -> Reply:
    """Call a tool; whoever calls has the turn on the page."""
    await catalogue.refresh()
    if catalogue.find(name) is None:
        # Not everything that offers a tool is seen to do so.
        await catalogue.refresh(force=True)
    tool = _find(catalogue, name)
    given = {key: value for key, value in arguments.items() if key != CONFIRM}
    if CONFIRM in tool.schema["properties"] and CONFIRM not in arguments:
        validate(name, {**given, CONFIRM: True}, tool.schema)
        return unconfirmed(tool)
    validate(name, arguments, tool.schema)
    if tool.key in (builtin_tools.ACCEPT, builtin_tools.DISMISS):
        return await _answer(catalogue, tool, given)
    if tool.key.startswith("submit:"):
        return await _submit(catalogue, tool)
    original = catalogue.declarations.original(tool)
    if original is not None:
        return await _call_declared(catalogue, tool, original, given)
    return await _call_derived(catalogue, tool, given)


async def news(catalogue: PageCatalog, *, acted: bool, sighted: bool = False) -> str:
    """Return a line with the page's tools if they are others than the agent was told of.

    Args:
        catalogue: The page's.
        acted: Whether the page was just acted upon, so that it is to be looked at in any case.
        sighted: Whether the agent is shown the page, and so the entries of its lists.
    """
    await catalogue.refresh(force=acted or sighted)
    before = catalogue.told
    catalogue.show(entries=sighted)
    return names(catalogue.published) if catalogue.told != before else ""


def _find(catalogue: PageCatalog, name: str) -> PageTool:
    tool = catalogue.find(name)
    if tool is None:
        raise Misuse(
            f"The page has no tool {name} now.",
            hint=names(catalogue.published),
            code="unknown_tool",
        )
    return tool


def _frame(catalogue: PageCatalog, tool: PageTool) -> Frame:
    frame = catalogue.page.frames.get(tool.frame)
    if frame is None or frame.loader != tool.loader:
        raise _changed(catalogue, tool.name)
    return frame


def _changed(catalogue: PageCatalog, name: str) -> StaleUid:
    return StaleUid(
        f"The page has changed; {name} no longer fits it.",
        hint=names(catalogue.published),
        code="page_changed",
    )


async def _call_derived(
    catalogue: PageCatalog, tool: PageTool, arguments: Mapping[str, Any]
) -> Reply:
    seen = catalogue.seen(tool)
    tool = await _current(catalogue, tool)
    item = chosen_item(tool, arguments, seen)
    deep = item is not None and item.brief
    if deep:
        tool = await _current(catalogue, tool, whole=True)
        item = chosen_item(tool, arguments, seen)
    frame = _frame(catalogue, tool)
    execution = Execution(
        catalogue.page, frame, tool, catalogue.terms.secrets, catalogue.terms.files
    )
    found = await execution.run(arguments, item)
    if tool.kind == "read":
        reply = Reply().quote(found.text or "The page shows no text.")
        return reply.add(await news(catalogue, acted=False, sighted=True))
    if found.traces.moved and not catalogue.page.gone:
        await wait_until_drawn(catalogue.page)
    await catalogue.refresh(force=True, whole=deep)
    verdict = _judged(catalogue, tool, found, sends=execution.sends)
    return await _told(catalogue, tool, verdict, found, item)


async def _current(catalogue: PageCatalog, tool: PageTool, *, whole: bool = False) -> PageTool:
    """Return the tool with elements that are still there, and with the entries of now."""
    if tool.plan.items or await _is_gone(catalogue, tool):
        await catalogue.refresh(force=True, whole=whole)
        same = [each for each in catalogue.tools if each.key == tool.key]
        named = [each for each in same if each.name == tool.name] or same
        if not named:
            raise _changed(catalogue, tool.name)
        return named[0]
    return tool


async def _is_gone(catalogue: PageCatalog, tool: PageTool) -> bool:
    frame = catalogue.page.frames.get(tool.frame)
    if frame is None or frame.loader != tool.loader:
        return True
    plan = tool.plan
    refs = [control.ref for control in plan.controls if control.ref]
    refs += [ref for ref in (plan.submit, plan.enter, *plan.openers) if ref is not None]
    return bool(refs and await scripts.run(frame, "toolsGone", refs))


def _judged(catalogue: PageCatalog, tool: PageTool, found: Findings, *, sends: bool) -> CallOutcome:
    again = any(tool.key == each.key or tool.name == each.name for each in catalogue.tools)
    traces = replace(found.traces, same_form=again)
    return judge(found.before, found.after, traces, sends=sends)


async def _told(
    catalogue: PageCatalog,
    tool: PageTool,
    verdict: CallOutcome,
    found: Findings,
    item: ListItem | None,
) -> Reply:
    page = catalogue.page
    if not page.gone and page.dialogs.current is None:
        with suppress(TabmuxError):
            await page.refresh()
    before = catalogue.told
    reply = outcome(page, catalogue.tools, tool, verdict, found, item)
    catalogue.show(entries=shows_entries(tool, verdict))
    if catalogue.told != before:
        reply.add(names(catalogue.published))
    return replace(reply, text=hidden(reply.text, found.typed))


async def _answer(catalogue: PageCatalog, tool: PageTool, arguments: Mapping[str, Any]) -> Reply:
    page, response = catalogue.page, None
    interrupted, catalogue.declarations.interrupted = catalogue.declarations.interrupted, None
    async with settled(page) as watch:
        await page.dialogs.answer(tool.name == builtin_tools.ACCEPT, arguments.get("text"))
        if interrupted is not None:
            response = await _response(catalogue, *interrupted)
    if interrupted is not None:
        reply = declared_reply(interrupted[0], response, moved=watch.moved_to or "")
        return reply.add(await news(catalogue, acted=True))
    await catalogue.refresh(force=True)
    moved = watch.moved_to is not None
    verdict = CallOutcome("navigated" if moved else "done")
    return await _told(catalogue, tool, verdict, Findings(opened=list(watch.opened)), None)


async def _call_declared(
    catalogue: PageCatalog, tool: PageTool, original: DeclaredTool, arguments: Mapping[str, Any]
) -> Reply:
    frame = _frame(catalogue, tool)
    resolved, typed = _resolved(catalogue, tool, arguments)
    given = real_arguments(tool, resolved)
    page = catalogue.page
    async with settled(page, frame) as watch:
        if tool.source == "webmcp":
            call = await page.webmcp.start(original, given)
            response = await _response(catalogue, tool, original, call)
        elif tool.source == "polyfill":
            output = await call_polyfilled(frame, original.name, given, DECLARED_SECONDS)
            response = InvocationResponse("Completed", output)
        else:
            discovery = await catalogue.declarations.discovery()
            output = await discovery.call(original.name, given, {}, DECLARED_SECONDS)
            response = InvocationResponse("Completed", output)
    reply = declared_reply(tool, response, moved=watch.moved_to or "")
    reply.text = hidden(reply.text, typed)
    return reply.add(await news(catalogue, acted=True))


def _resolved(
    catalogue: PageCatalog, tool: PageTool, arguments: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments with the secrets that they name, and those secrets."""
    secrets = catalogue.terms.secrets
    found = {key: secrets.resolved(value, tool.origin) for key, value in arguments.items()}
    typed = [str(found[key]) for key in found if found[key] is not arguments[key]]
    if typed:
        refuse_unsafe(origin_of(catalogue.page.url), tool.origin, "")
    return found, typed


async def _response(
    catalogue: PageCatalog, tool: PageTool, original: DeclaredTool, call: Invocation
) -> InvocationResponse | None:
    """Wait for the answer; a form that a person should look at first is left filled."""
    page = catalogue.page
    seconds = FILL_SECONDS if original.waits_for_submit else DECLARED_SECONDS
    try:
        await page.signal.until(
            lambda: call.response.done() or page.dialogs.current is not None, seconds
        )
    except asyncio.CancelledError:
        call.cancel()
        raise
    if call.response.done():
        return call.response.result()
    if (dialog := page.dialogs.current) is not None:
        catalogue.declarations.interrupted = (tool, original, call)
        return InvocationResponse(ASKS, dialog.line)
    if not original.waits_for_submit:
        raise call.given_up(seconds)
    catalogue.declarations.waiting = (tool, call)
    return None


async def _submit(catalogue: PageCatalog, tool: PageTool) -> Reply:
    waiting = catalogue.declarations.waiting
    frame = _frame(catalogue, tool)
    if waiting is None or tool.plan.form is None:
        raise _changed(catalogue, tool.name)
    button = await scripts.run(frame, "toolSubmit", tool.plan.form)
    if not button:
        raise Misuse(f"The form of {waiting[0].name} has no button to send it with.")
    async with settled(catalogue.page, frame) as watch:
        await Filling(catalogue.page, frame, catalogue.terms.files).click(button, tool.name)
    call = waiting[1]
    await call.settled(FILL_SECONDS)
    response = call.response.result() if call.response.done() else InvocationResponse("Completed")
    if call.response.done():
        catalogue.declarations.waiting = None
    reply = declared_reply(waiting[0], response, moved=watch.moved_to or "")
    return reply.add(await news(catalogue, acted=True))
