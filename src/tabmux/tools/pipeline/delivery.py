"""Delivery of replies: completed with news of the page, fenced, and cut to a limit."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tabmux.content import CLOSE, OPEN, Reply, quoted
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.policy.policy import Policy
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.call import ToolRun
from tabmux.tools.pipeline.file_access import save_temporary

# Terminal codes, and letters that only a machine sees.
_INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\U000e0000-\U000e007f]")
_CODES = bytes({*range(0x20), 0x7F} - {*b"\t\n\r"})
_TAGS = b"\xf3\xa0"
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
# Tools that show the page to the agent, beside those that report what they changed.
_SHOWING = frozenset({"take_snapshot", "find", "take_screenshot", "wait_for"})
# Shortening a part below this helps nobody.
_LEAST = 200


def quote_page_text(run: ToolRun, reply: Reply) -> None:
    """Take for a page's words what a tool read there, unless it says itself which are."""
    seen = run.tool.on_page or AnalysisProcess in run.tool.subjects.values()
    written = any(isinstance(value, Path) for value in run.arguments.values())
    if run.tool.reads and seen and not (written or reply.images or OPEN in reply.text):
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


async def delivered(reply: Reply, policy: Policy) -> Reply:
    """Return the reply as the agent sees it."""
    parts = split(reply.text)
    length = sum(len(part.text) for part in parts)
    if not policy.reply_limit or length <= policy.reply_limit:
        return replace(reply, text=joined(parts, fence=policy.fence))
    whole = joined(parts, fence=policy.fence)
    path = await save_temporary(".txt", whole.encode(errors="replace"))
    short = joined(shortened(parts, policy.reply_limit), fence=policy.fence)
    note = f"(Cut to {policy.reply_limit} of {length} characters; the whole reply is in {path})"
    return replace(reply, text=f"{short}\n{note}")


def split(text: str) -> list[Part]:
    """Return the parts of a text with marks; those of pages that only a blank parts become one."""
    ours, *chunks = text.split(OPEN)
    parts = [Part(ours, False)]
    for chunk in chunks:
        page, _, ours = chunk.partition(CLOSE)
        if len(parts) > 1 and not parts[-1].text.strip():
            between, before = parts.pop().text, parts.pop().text
            page = f"{before}{between}{page}"
        parts += [Part(page, True), Part(ours, False)]
    return [part for part in parts if part.text]


def joined(parts: Sequence[Part], *, fence: bool) -> str:
    """Put the parts together, with a fence around those of pages.

    The fence has a word that none of the text contains, so no page can end it early.
    """
    if not any(part.from_page for part in parts):
        return "".join(part.text for part in parts)
    clean = [replace(p, text=visible(p.text)) if p.from_page else p for p in parts]
    if not fence:
        return "".join(part.text for part in clean)
    word = _word(clean)
    return "".join(
        f"<page {word}>\n{part.text}\n</page {word}>" if part.from_page else part.text
        for part in clean
    )


def visible(text: str) -> str:
    """Drop what pages can write but no reader is meant to see."""
    data = text.encode(errors="surrogatepass")
    # Nearly every text has none of it, which is found out faster than a pattern could.
    if _TAGS not in data and len(data.translate(None, _CODES)) == len(data):
        return text
    return _INVISIBLE.sub("", text)


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


def _word(parts: Sequence[Part]) -> str:
    while True:
        word = "".join(secrets.choice(_LETTERS) for _ in range(4))
        if not any(word in part.text for part in parts):
            return word
