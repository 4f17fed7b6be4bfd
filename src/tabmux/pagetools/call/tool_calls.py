"""Tool calls: calls a page's tool by its name, on the entry that an index means."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from tabmux.content import Reply
from tabmux.errors import Misuse, Refused, StaleUid, TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.settling import settled
from tabmux.page.webmcp import DeclaredTool, Invocation, InvocationResponse
from tabmux.page_text import in_quotes
from tabmux.pagetools import builtin_tools
from tabmux.pagetools.argument_validation import decoded, validate
from tabmux.pagetools.call.call_outcome import (
    ASKS,
    CallOutcome,
    Observations,
    confirmation_reply,
    declared_reply,
    is_empty_list,
    judge,
    outcome_reply,
    shows_items,
)
from tabmux.pagetools.call.execution import Execution
from tabmux.pagetools.call.filling import Filling
from tabmux.pagetools.collect.collector_scripts import run_script, wait_until_drawn
from tabmux.pagetools.declared.declared_tools import real_arguments
from tabmux.pagetools.declared.page_world import call_polyfilled
from tabmux.pagetools.model import CONFIRM, ListItem, PageTool
from tabmux.pagetools.page_catalog import PageCatalog
from tabmux.pagetools.publishing import tools_line
from tabmux.secrets.form_safety import hidden, refuse_unsafe
from tabmux.secrets.origins import origin_of
from tabmux.secrets.secret import SecretText

# How long a form that waits to be sent may take to be filled.
FILL_SECONDS = 1.0


async def call_tool(catalog: PageCatalog, name: str, arguments: Mapping[str, Any]) -> Reply:
    """Call a tool; whoever calls has the turn on the page."""
    await catalog.refresh()
    if catalog.find(name) is None:
        # Not everything that offers a tool is seen to do so.
        await catalog.refresh(force=True)
    tool = _tool_named(catalog, name)
    arguments = decoded(arguments, tool.schema)
    given = {key: value for key, value in arguments.items() if key != CONFIRM}
    if CONFIRM in tool.schema["properties"] and CONFIRM not in arguments:
        validate(name, {**given, CONFIRM: True}, tool.schema)
        return confirmation_reply(tool)
    validate(name, arguments, tool.schema)
    if tool.key in (builtin_tools.ACCEPT, builtin_tools.DISMISS):
        return await _answer_dialog(catalog, tool, given)
    if tool.key.startswith("submit:"):
        return await _submit_form(catalog, tool)
    original = catalog.declared.original(tool)
    if original is not None:
        return await _call_declared(catalog, tool, original, given)
    return await _call_derived(catalog, tool, given)


def _tool_named(catalog: PageCatalog, name: str) -> PageTool:
    tool = catalog.find(name)
    if tool is None:
        raise Misuse(
            f"The page has no tool {name} now.",
            hint=tools_line(catalog.published),
            code="unknown_tool",
        )
    return tool


def _frame_of(catalog: PageCatalog, tool: PageTool) -> Frame:
    frame = catalog.page.frames.get(tool.frame)
    if frame is None or frame.loader != tool.loader:
        raise _page_changed(catalog, tool.name)
    return frame


def _page_changed(catalog: PageCatalog, name: str) -> StaleUid:
    return StaleUid(
        f"The page has changed; {name} no longer fits it.",
        hint=tools_line(catalog.published),
        code="page_changed",
    )


async def _call_derived(
    catalog: PageCatalog, tool: PageTool, arguments: Mapping[str, Any]
) -> Reply:
    seen = catalog.shown_items(tool)
    tool = await _current_tool(catalog, tool)
    if is_empty_list(tool):
        raise Misuse(f"{tool.name} has no entries now.", code="no_such_item")
    item = chosen_item(tool, arguments, seen)
    deep = item is not None and item.brief
    if deep:
        tool = await _current_tool(catalog, tool, whole=True)
        item = chosen_item(tool, arguments, seen)
    frame = _frame_of(catalog, tool)
    execution = Execution(catalog.page, frame, tool, catalog.policy.files)
    found = await execution.run(arguments, item)
    if tool.kind == "read":
        reply = Reply().quote(found.text or "The page shows no text.")
        return reply.add(await catalog.changes_line(acted=False, sighted=True))
    if found.effects.moved and not catalog.page.gone:
        await wait_until_drawn(catalog.page)
    await catalog.refresh(force=True, whole=deep)
    outcome = _outcome(catalog, tool, found, sends=execution.sends)
    return await _reply(catalog, tool, outcome, found, item)


async def _current_tool(catalog: PageCatalog, tool: PageTool, *, whole: bool = False) -> PageTool:
    """Return the tool with elements that are still there, and with the entries of now."""
    if tool.plan.items or await _is_gone(catalog, tool):
        await catalog.refresh(force=True, whole=whole)
        same = [each for each in catalog.tools if each.key == tool.key]
        named = [each for each in same if each.name == tool.name] or same
        if not named:
            raise _page_changed(catalog, tool.name)
        return named[0]
    return tool


async def _is_gone(catalog: PageCatalog, tool: PageTool) -> bool:
    frame = catalog.page.frames.get(tool.frame)
    if frame is None or frame.loader != tool.loader:
        return True
    plan = tool.plan
    refs = [control.ref for control in plan.controls if control.ref]
    refs += [ref for ref in (plan.submit, plan.enter, *plan.openers) if ref is not None]
    return bool(refs and await run_script(frame, "toolsGone", refs))


def _outcome(
    catalog: PageCatalog, tool: PageTool, found: Observations, *, sends: bool
) -> CallOutcome:
    again = any(tool.key == each.key or tool.name == each.name for each in catalog.tools)
    effects = replace(found.effects, same_form=again)
    outcome = judge(found.before, found.after, effects, sends=sends, told=catalog.told_errors)
    catalog.told_errors = outcome.messages if outcome.status == "validation_error" else ()
    return outcome


async def _reply(
    catalog: PageCatalog,
    tool: PageTool,
    outcome: CallOutcome,
    found: Observations,
    item: ListItem | None,
) -> Reply:
    page = catalog.page
    if not page.gone and page.dialogs.current is None:
        with suppress(TabmuxError):
            await page.refresh()
    before = catalog.told_names
    reply = outcome_reply(page, catalog.tools, tool, outcome, found, item)
    catalog.note_shown(entries=shows_items(tool, outcome))
    if catalog.told_names != before:
        reply.add(tools_line(catalog.published))
    return replace(reply, text=hidden(reply.text, found.typed))


async def _answer_dialog(
    catalog: PageCatalog, tool: PageTool, arguments: Mapping[str, Any]
) -> Reply:
    page, response = catalog.page, None
    interrupted, catalog.declared.interrupted = catalog.declared.interrupted, None
    async with settled(page) as watch:
        await page.dialogs.answer(tool.name == builtin_tools.ACCEPT, arguments.get("text"))
        if interrupted is not None:
            response = await _wait_for_response(catalog, *interrupted)
    if interrupted is not None:
        reply = declared_reply(interrupted[0], response, moved=watch.moved_to or "")
        return reply.add(await catalog.changes_line(acted=True))
    await catalog.refresh(force=True)
    moved = watch.moved_to is not None
    outcome = CallOutcome("navigated" if moved else "done")
    return await _reply(catalog, tool, outcome, Observations(opened=list(watch.opened)), None)


async def _call_declared(
    catalog: PageCatalog, tool: PageTool, original: DeclaredTool, arguments: Mapping[str, Any]
) -> Reply:
    given = real_arguments(tool, await _with_secrets(catalog, tool, original, arguments))
    page, frame = catalog.page, _frame_of(catalog, tool)
    page.hidden_input.all = True
    async with settled(page, frame) as watch:
        if tool.source == "webmcp":
            call = await page.webmcp.start(original, given)
            response = await _wait_for_response(catalog, tool, original, call)
        elif tool.source == "polyfill":
            output = await call_polyfilled(frame, original.name, given, page.timings.declared_tool)
            response = InvocationResponse("Completed", output)
        else:
            discovery = await catalog.declared.discovery()
            output = await discovery.call(original.name, given, {}, page.timings.declared_tool)
            response = InvocationResponse("Completed", output)
    reply = declared_reply(tool, response, moved=watch.moved_to or "")
    return reply.add(await catalog.changes_line(acted=True))


async def _with_secrets(
    catalog: PageCatalog, tool: PageTool, original: DeclaredTool, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments with the values of secrets: a page's own tool takes them itself."""
    found = dict(arguments)
    for key, text in arguments.items():
        if isinstance(text, SecretText):
            if original.form is not None:
                # Chrome fills it, whatever its fields are for and wherever it is sent.
                raise Refused(
                    f"{tool.name} is a form, which takes no secret as a tool.",
                    hint="Call log_in, or fill with the uid of its field.",
                )
            refuse_unsafe(origin_of(catalog.page.url), tool.origin, "")
            frame = _frame_of(catalog, tool)
            found[key] = await catalog.page.secrets.for_tool(text, tool.origin, frame)
    return found


async def _wait_for_response(
    catalog: PageCatalog, tool: PageTool, original: DeclaredTool, call: Invocation
) -> InvocationResponse | None:
    """Wait for the answer; a form that a person should look at first is left filled."""
    page = catalog.page
    seconds = FILL_SECONDS if original.waits_for_submit else page.timings.declared_tool
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
        catalog.declared.interrupted = (tool, original, call)
        return InvocationResponse(ASKS, dialog.line)
    if not original.waits_for_submit:
        raise call.given_up(seconds)
    catalog.declared.waiting = (tool, call)
    return None


async def _submit_form(catalog: PageCatalog, tool: PageTool) -> Reply:
    waiting = catalog.declared.waiting
    frame = _frame_of(catalog, tool)
    if waiting is None or tool.plan.form is None:
        raise _page_changed(catalog, tool.name)
    button = await run_script(frame, "toolSubmit", tool.plan.form)
    if not button:
        raise Misuse(f"The form of {waiting[0].name} has no button to send it with.")
    async with settled(catalog.page, frame) as watch:
        await Filling(catalog.page, frame, catalog.policy.files).click(button, tool.name)
    call = waiting[1]
    await call.settled(FILL_SECONDS)
    response = call.response.result() if call.response.done() else InvocationResponse("Completed")
    if call.response.done():
        catalog.declared.waiting = None
    reply = declared_reply(waiting[0], response, moved=watch.moved_to or "")
    return reply.add(await catalog.changes_line(acted=True))


def chosen_item(
    tool: PageTool, arguments: Mapping[str, Any], seen: Sequence[ListItem]
) -> ListItem | None:
    """Return the entry that is meant, as it is now: the one the agent saw under that number.

    Args:
        tool: The tool, with the entries that are there now.
        arguments: With `index`.
        seen: The entries as the agent was last shown them; empty when it never was.
    """
    items = tool.plan.items
    if not items:
        return None
    if "index" not in arguments:
        return None
    return _require_usable(tool, _item_at(tool, int(arguments["index"]), seen))


def _item_at(tool: PageTool, index: int, seen: Sequence[ListItem]) -> ListItem:
    items = tool.plan.items
    shown = list(seen or items)
    if not 1 <= index <= len(shown):
        raise Misuse(
            f"{tool.name} has {len(shown)} entries; there is no number {index}.",
            code="no_such_item",
        )
    wanted = shown[index - 1]
    same = [item for item in items if item.key == wanted.key]
    if len(same) == 1:
        return same[0]
    here = items[index - 1] if index <= len(items) else None
    if here is not None and here.key == wanted.key and here.text == wanted.text:
        return here
    said = f" ({in_quotes(wanted.text, 60)})" if wanted.text else ""
    raise StaleUid(
        f"Number {index}{said} is no longer in the list, or not where it was.",
        hint="List the page's tools or its content again.",
        code="item_moved",
    )


def _require_usable(tool: PageTool, item: ListItem) -> ListItem:
    if not item.usable:
        raise Misuse(
            f"{in_quotes(item.text, 60)} has nothing that {tool.name} could use.",
            hint="Choose another entry.",
            code="no_such_item",
        )
    return item
