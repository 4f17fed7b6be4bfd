"""Call outcome: how a call of a page tool ended, and what the agent is told of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from tabmux.content import Reply
from tabmux.errors import BadArguments, PageTrouble
from tabmux.page.page import Page
from tabmux.page.webmcp import LEFT, InvocationResponse
from tabmux.page_text import address
from tabmux.pagetools import builtin_tools
from tabmux.pagetools.language.words import clean
from tabmux.pagetools.model import ListItem, PageTool

# The status of a call that a dialog keeps from going on.
ASKS = "Asks"
MOST_ITEMS = 10
ITEM_LENGTH = 160
OUTPUT_LENGTH = 20_000
URL_LENGTH = 200
# Tools after which the entries of the page's list are what the agent wants to know.
_SHOWING_ITEMS = frozenset({"search", "url", "pager", "sort", "choice", "tabs"})
# Tools that look for entries, so that none is an answer too.
_FINDING = frozenset({"search", "url", "pager"})
Status = Literal[
    "done", "navigated", "validation_error", "needs_human", "download", "no_effect"
]  # fmt: skip


@dataclass(frozen=True)
class PageMessages:
    """What the page says at one moment.

    Attributes:
        invalid: Fields that the browser refused to send, since the tool began.
        alerts: Errors that the page shows.
        notes: What it shows besides.
    """

    invalid: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    captcha: bool = False

    @classmethod
    def of(cls, answer: Mapping[str, Any] | None) -> PageMessages:
        """Read what the page's script returned."""
        if answer is None:
            return cls()
        texts = {key: tuple(answer[key]) for key in ("invalid", "alerts", "notes")}
        return cls(**texts, captcha=bool(answer["captcha"]))


@dataclass(frozen=True)
class ObservedEffects:
    """What was noticed while the tool ran.

    Attributes:
        moved: The document or its address is another one.
        same_form: The new document has the tool's form again.
        touched: Anything happened that can be seen: a change, a new tab.
        requests: How many requests were sent meanwhile.
    """

    moved: bool = False
    same_form: bool = False
    touched: bool = False
    requests: int = 0
    download: str = ""
    dialog: str = ""


@dataclass
class Observations:
    """What was seen while a tool ran; the judgement needs the page's tools of afterwards."""

    before: PageMessages = field(default_factory=PageMessages)
    after: PageMessages = field(default_factory=PageMessages)
    effects: ObservedEffects = field(default_factory=ObservedEffects)
    opened: list[int] = field(default_factory=list)
    text: str = ""
    typed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class CallOutcome:
    """A status, and the words of the page that go with it."""

    status: Status
    messages: tuple[str, ...] = ()


def judge(
    before: PageMessages,
    after: PageMessages,
    effects: ObservedEffects,
    *,
    sends: bool,
    told: Collection[str] = (),
) -> CallOutcome:
    """Say how it ended.

    Args:
        before: What the page said before.
        after: What it says now.
        effects: What was noticed meanwhile.
        sends: Whether the tool fills a form and sends it.
        told: Errors of the call before; one that a new document says again is of this call.
    """
    if effects.download:
        return CallOutcome("download", (f"Downloads {effects.download}.",))
    if effects.dialog:
        return CallOutcome("done", (f"A dialog is open ({effects.dialog}).",))
    errors = _errors(before, after, effects, told) if sends else ()
    if after.captcha and (errors or not before.captcha or not effects.touched):
        return CallOutcome("needs_human", ("The page asks for a captcha.", *errors))
    if errors:
        return CallOutcome("validation_error", errors)
    notes = _new(before.notes, after.notes) + _new(before.alerts, after.alerts)
    if effects.moved:
        return CallOutcome("navigated", notes)
    if effects.touched or notes:
        return CallOutcome("done", notes)
    sent = ("Nothing that can be seen has changed, but something was sent.",)
    return CallOutcome("no_effect", sent if effects.requests else ())


def _errors(
    before: PageMessages, after: PageMessages, effects: ObservedEffects, told: Collection[str]
) -> tuple[str, ...]:
    """What was there before says nothing of this call, though the document is another one."""
    if effects.moved:
        lasting = tuple(text for text in before.alerts if text not in told)
        return _new(lasting, after.alerts) if effects.same_form else ()
    return after.invalid or _new(before.alerts, after.alerts)


def _new(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for text in after if text not in before)


def outcome_reply(
    page: Page,
    tools: Sequence[PageTool],
    tool: PageTool,
    outcome: CallOutcome,
    found: Observations,
    item: ListItem | None,
) -> Reply:
    """Say how a call ended; the words of the page are marked as such.

    Args:
        page: The page as it is now.
        tools: What it offers now, the most important first.
        tool: The tool that was called.
        outcome: How it ended.
        found: What was seen meanwhile.
        item: The entry that was acted upon, if it was one.
    """
    if page.gone:
        return Reply("done: the tab was closed by it")
    code = "validation_error" if outcome.status == "validation_error" else None
    reply = Reply(f"{outcome.status}: {address(page.url, URL_LENGTH)}", code=code)
    reply.add("\n".join(f"Opened tab {ident}." for ident in found.opened))
    lines = [clean(page.title, 80)] if outcome.status == "navigated" and page.title else []
    lines += outcome.messages
    if shows_items(tool, outcome):
        lines += item_lines(tools)
        if tool.kind in _FINDING and main_list(tools) is None:
            reply.add("The page lists no entries.")
    elif tool.kind == "item_action" and item is not None:
        lines += _item_now(tools, item)
    return reply.quote("\n".join(lines))


def shows_items(tool: PageTool, outcome: CallOutcome) -> bool:
    """Whether the page's list is shown after a call."""
    return tool.kind in _SHOWING_ITEMS and outcome.status in ("done", "navigated")


def main_list(tools: Sequence[PageTool]) -> PageTool | None:
    """Return the tool of the page's main list; what stands beside the content is none."""
    return next((tool for tool in tools if tool.plan.items and tool.rank >= 0), None)


def is_empty_list(tool: PageTool) -> bool:
    """Whether it would open entries, and there are none."""
    return tool.kind == "list" and not tool.plan.items


def empty_list(tools: Sequence[PageTool]) -> PageTool | None:
    """Return the tool of a list that has no entries now."""
    return next((tool for tool in tools if is_empty_list(tool)), None)


def item_lines(tools: Sequence[PageTool], length: int = ITEM_LENGTH) -> Iterator[str]:
    """Yield the first entries of the page's main list."""
    main = main_list(tools)
    if main is None:
        return
    for number, item in enumerate(main.plan.items[:MOST_ITEMS], 1):
        yield f"{number}. {clean(item.text, length)}"
    if len(main.plan.items) > MOST_ITEMS:
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
        reply = Reply.failure(PageTrouble(f"{tool.name} failed.", code="tool_failed"))
        return reply.quote(clean(response.error or response.status, 500))
    reply = Reply(f"navigated: {address(moved, URL_LENGTH)}" if moved else "done")
    if response.output not in (None, "undefined", [], ""):
        reply.quote(_output_text(response.output))
    return reply


def confirmation_reply(tool: PageTool) -> Reply:
    """Say that a tool wants to be called again, once it is certain that it should be."""
    where = urlsplit(tool.origin).netloc or tool.origin
    reply = Reply.failure(
        BadArguments(
            f"{tool.name} cannot be undone, and confirm is missing.",
            hint="Call it again with confirm: true if that is what the user wants.",
        )
    )
    reply.question = f"May {tool.name} be called on {where}? It cannot be undone."
    return reply


def _output_text(value: Any) -> str:
    """Return what a tool answered as text, cut."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= OUTPUT_LENGTH else f"{text[:OUTPUT_LENGTH]}…"


def _item_now(tools: Sequence[PageTool], item: ListItem) -> Iterator[str]:
    for tool in tools:
        for now in tool.plan.items:
            if now.key == item.key:
                yield f"Entry: {clean(now.text, ITEM_LENGTH)}"
                return
