"""Delivery of replies: completed with news of the page, fenced, and cut to a limit."""

from __future__ import annotations

import asyncio
import secrets
from base64 import b32encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tabmux.concurrency import turn_amid
from tabmux.content import CLOSE, OPEN, Reply, quoted
from tabmux.page_text import visible, visible_values
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.policy.policy import Policy
from tabmux.secrets.filled_values import FILLED
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.call import ToolRun
from tabmux.tools.pipeline.saved_replies import SavedReplies

# 64 bits: no page guesses it, and none has room for all of them.
_WORD_BYTES = 8
# How many characters are made visible before others get their turn; a few milliseconds at most.
_SLICE, _PLAIN_SLICE = 50_000, 1_000_000
# Tools that show the page to the agent, beside those that report what they changed.
_SHOWING = frozenset({"take_snapshot", "read_page", "find", "take_screenshot", "wait_for"})
# Shortening a part below this helps nobody.
_LEAST = 200


def quote_page_text(run: ToolRun, reply: Reply) -> None:
    """Take for a page's words what a tool read there, unless it says itself which are."""
    seen = run.tool.on_page or AnalysisProcess in run.tool.subjects.values()
    if run.tool.reads and seen and not (reply.is_ours or reply.images or OPEN in reply.text):
        reply.text = quoted(reply.text)


async def add_changed_page_tools(run: ToolRun, reply: Reply, catalogs: PageCatalogs) -> None:
    """Name the page's tools when they have changed; tools for page tools do so themselves."""
    if run.page is None or run.nested or PageCatalogs in run.tool.subjects.values():
        return
    shown = run.tool.name in _SHOWING or "report" in run.tool.schema["properties"]
    reply.add(await catalogs.changes_line(run.page, acted=not run.tool.reads, sighted=shown))


def completed(run: ToolRun, reply: Reply, note: str) -> Reply:
    """Add what the agent must know of the page: emulation, downloads, an open dialog."""
    if note:
        reply.text = f"{note}\n{reply.text}"
    page = run.page
    if page is None or page.gone:
        return reply
    reply.add("\n".join(page.emulation.current.lines))
    reply.add("\n".join(page.interception.lines))
    if run.browser is not None:
        for download in run.browser.downloads.news(page.id):
            reply.quote(f"Download {download.line}")
    if dialog := page.dialogs.current:
        reply.add(
            f"# Open dialog\n{quoted(dialog.line)}\n"
            "Call handle_dialog to handle it before continuing."
        )
    return reply


@dataclass(frozen=True)
class Part:
    """A stretch of a reply that one side wrote: a page, or tabmux itself."""

    text: str
    from_page: bool


async def delivered(reply: Reply, policy: Policy, saved: SavedReplies) -> Reply:
    """Return the reply as the agent sees it; what is cut is saved whole, if there is room."""
    await turn_amid(reply.text)
    parts = [Part(await _readable(each.text), each.from_page) for each in split(reply.text)]
    await turn_amid(reply.text)
    reply.attachments = FILLED.values(visible_values(reply.attachments))
    if (data := reply.data) is not None:
        reply.data = lambda: _without_secrets(data())
    whole, length = joined(parts, fence=policy.fence), sum(len(part.text) for part in parts)
    await turn_amid(whole)
    if not policy.reply_limit or length <= policy.reply_limit:
        reply.text = whole
        return reply
    try:
        place = f"the whole reply is in {await saved.save(whole)}"
    except OSError as error:
        place = f"the whole reply could not be saved: {error.strerror}"
    short = joined(shortened(parts, policy.reply_limit), fence=policy.fence)
    note = f"(Cut to {policy.reply_limit} of {length} characters; {place})"
    reply.text = f"{short}\n{note}"
    return reply


def split(text: str) -> list[Part]:
    """Return the parts of a text with marks; those of pages that only a blank parts become one."""
    start = _place(text, OPEN, 0)
    parts = [Part(text[:start], False)]
    while start < len(text):
        end = _place(text, CLOSE, start)
        page = text[start + len(OPEN) : end]
        start = _place(text, OPEN, end)
        if len(parts) > 1 and not parts[-1].text.strip():
            between, before = parts.pop().text, parts.pop().text
            page = f"{before}{between}{page}"
        parts += [Part(page, True), Part(text[end + len(CLOSE) : start], False)]
    return [part for part in parts if part.text]


def _place(text: str, mark: str, start: int) -> int:
    """Return where a mark comes next; the end of the text where none does.

    Looking for its first letter, which pages cannot write, takes a tenth of the time.
    """
    place = text.find(mark[0], start)
    while place >= 0 and not text.startswith(mark, place):
        place = text.find(mark[0], place + 1)
    return place if place >= 0 else len(text)


def joined(parts: Sequence[Part], *, fence: bool) -> str:
    """Put the parts together, with a fence around those of pages.

    The fence has a word that no page can know, so none can end it early.
    """
    if not fence:
        return "".join(part.text for part in parts)
    word = b32encode(secrets.token_bytes(_WORD_BYTES)).decode().strip("=").lower()
    # What is long is copied once.
    pieces: list[str] = []
    for part in parts:
        fenced = (f"<page {word}>\n", part.text, f"\n</page {word}>")
        pieces += fenced if part.from_page else (part.text,)
    return "".join(pieces)


def shortened(parts: Sequence[Part], limit: int) -> list[Part]:
    """Cut the longest parts, at the end of a line, until all fit."""
    kept = list(parts)
    for place in sorted(range(len(kept)), key=lambda n: -len(kept[n].text)):
        excess = sum(len(part.text) for part in kept) - limit
        if excess <= 0:
            break
        text = kept[place].text
        head = text[: max(_LEAST, len(text) - excess)]
        if "\n" in head[len(head) // 2 :] and len(head) < len(text):
            head = head[: head.rindex("\n")]
        if len(head) < len(text):
            end = "\n" if text.endswith("\n") else ""
            kept[place] = replace(kept[place], text=f"{head}\n…{end}")
    return kept


def _without_secrets(data: dict[str, Any]) -> Any:
    # Letters that nobody sees would keep a value from being found.
    return FILLED.values(visible_values(data)) if FILLED.has_values else data


async def _readable(text: str) -> str:
    # What was typed into pages for agents is taken out in any form, whoever shows it.
    return await FILLED.long_text(await _visible(text))


async def _visible(text: str) -> str:
    """Make a text visible; a long one in slices, between which others get their turn."""
    step = _PLAIN_SLICE if text.isascii() else _SLICE
    if len(text) <= step:
        return visible(text)
    slices = []
    for start in range(0, len(text), step):
        slices.append(visible(text[start : start + step]))
        await asyncio.sleep(0)
    return "".join(slices)
