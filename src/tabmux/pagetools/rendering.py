"""What an agent is told of a call of a page's tool: a few lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from tabmux.content import Reply
from tabmux.page.page import Page
from tabmux.page.webmcp import LEFT, InvocationResponse
from tabmux.pagetools import builtin_tools
from tabmux.pagetools.call.call_outcome import CallOutcome
from tabmux.pagetools.call.execution import Findings
from tabmux.pagetools.language.words import clean
from tabmux.pagetools.model import ListItem, PageTool

# The status of a call that a dialog keeps from going on.
ASKS = "Asks"
ITEMS = 10
ITEM_LENGTH = 160
OUTPUT_LENGTH = 20_000
URL_LENGTH = 200
# Tools after which the entries of the page's list are what the agent wants to know.
_LISTING = frozenset({"search", "url", "pager", "sort", "choice", "tabs"})


def outcome(
    page: Page,
    tools: Sequence[PageTool],
    tool: PageTool,
    verdict: CallOutcome,
    found: Findings,
    item: ListItem | None,
) -> Reply:
    """Say how a call ended; the words of the page are marked as such.

    Args:
        page: The page as it is now.
        tools: What it offers now, the most important first.
        tool: The tool that was called.
        verdict: How it ended.
        found: What was seen meanwhile.
        item: The entry that was acted upon, if it was one.
    """
    if page.gone:
        return Reply("done: the tab was closed by it")
    code = "validation_error" if verdict.status == "validation_error" else None
    reply = Reply(f"{verdict.status}: {shortened(page.url)}", code=code)
    reply.add("\n".join(f"Opened tab {ident}." for ident in found.opened))
    lines = [clean(page.title, 80)] if verdict.status == "navigated" and page.title else []
    lines += verdict.messages
    if shows_entries(tool, verdict):
        lines += entries(tools)
    elif tool.kind == "item_action" and item is not None:
        lines += _entry_now(tools, item)
    return reply.quote("\n".join(lines))


def shows_entries(tool: PageTool, verdict: CallOutcome) -> bool:
    """Whether the page's list is shown after a call."""
    return tool.kind in _LISTING and verdict.status in ("done", "navigated")


def entries(tools: Sequence[PageTool]) -> Iterator[str]:
    """Yield the first entries of the page's main list."""
    main = next((tool for tool in tools if tool.plan.items), None)
    if main is None:
        return
    for number, item in enumerate(main.plan.items[:ITEMS], 1):
        yield f"{number}. {clean(item.text, ITEM_LENGTH)}"
    if len(main.plan.items) > ITEMS:
        yield f"… {len(main.plan.items)} in all"


def declared_reply(tool: PageTool, response: InvocationResponse | None, moved: str) -> Reply:
    """Say how a call of a declared tool ended; what it answered is the page's own word."""
    if response is None:
        return Reply(
            f"needs_human: the form of {tool.name} is filled, not sent; the page wants it to be "
            f"looked at first. submit_{tool.name} sends it."
        )
    if response.status == ASKS:
        reply = Reply(
            f"needs_human: {tool.name} goes on when the page's dialog is answered: "
            f"{builtin_tools.ACCEPT} or {builtin_tools.DISMISS}."
        )
        return reply.quote(clean(str(response.output), 200))
    if response.status != "Completed" and not (moved and response.error == LEFT):
        reply = Reply(f"Error [tool_failed]: {tool.name} failed.", code="tool_failed")
        return reply.quote(clean(response.error or response.status, 500))
    reply = Reply(f"navigated: {shortened(moved)}" if moved else "done")
    if response.output not in (None, "undefined", [], ""):
        reply.quote(output_text(response.output))
    return reply


def unconfirmed(tool: PageTool) -> Reply:
    """Say that a tool wants to be called again, once it is certain that it should be."""
    where = urlsplit(tool.origin).netloc or tool.origin
    return Reply(
        f"Error [bad_arguments]: {tool.name} cannot be undone, and confirm is missing. "
        "Call it again with confirm: true if that is what the user wants.",
        code="bad_arguments",
        question=f"May {tool.name} be called on {where}? It cannot be undone.",
    )


def output_text(value: Any) -> str:
    """Return what a tool answered as text, cut."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= OUTPUT_LENGTH else f"{text[:OUTPUT_LENGTH]}…"


def names(tools: Sequence[PageTool]) -> str:
    """Return the line that names the tools of a page."""
    return f"Page tools: {', '.join(tool.name for tool in tools) or 'none'}"


def shortened(url: str) -> str:
    """Return a URL that does not drown the line it stands in."""
    return url if len(url) <= URL_LENGTH else f"{url[:URL_LENGTH]}…"


def _entry_now(tools: Sequence[PageTool], item: ListItem) -> Iterator[str]:
    for tool in tools:
        for now in tool.plan.items:
            if now.key == item.key:
                yield f"Entry: {clean(now.text, ITEM_LENGTH)}"
                return
