"""Download tools: files that pages download."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from tabmux.browsers.browser_view import BrowserView
from tabmux.browsers.downloads import Download, Downloads
from tabmux.content import Reply
from tabmux.errors import DeadlineExceeded, Misuse, PageGone, PageTrouble, Refused
from tabmux.page.page import Page
from tabmux.page_text import in_quotes
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import Milliseconds, OutputFile
from tabmux.tools.pipeline.file_access import created
from tabmux.tools.pipeline.tool import tool

WAIT_MILLISECONDS = 30_000
LONGEST_PATH = 4096


@tool(reads=True, turn=False, over_dialog=True)
async def list_downloads(page: Page, session: Session, browsers: BrowserView) -> Reply:
    """List what your pages have downloaded or are downloading."""
    found = _downloads(page, browsers).of(session.had)
    return Reply.lines((each.line for each in found), empty="Nothing was downloaded.")


@tool(turn=False, over_dialog=True)
async def wait_for_download(
    page: Page,
    session: Session,
    browsers: BrowserView,
    download_id: int | None = None,
    file_path: OutputFile | None = None,
    timeout: Milliseconds = 0,
) -> Reply:
    """Wait until a download is complete, and save it if wanted.

    Args:
        download_id: Otherwise the oldest that nobody has waited for, or the next.
        file_path: Where to save a copy; the browser's own is gone when it closes.
        timeout: In milliseconds.
    """
    downloads = _downloads(page, browsers)

    def wanted() -> Download | None:
        mine = downloads.of(session.had)
        if download_id is None:
            return next((each for each in mine if not each.awaited), None)
        return _named(mine, download_id)

    limit = timeout or WAIT_MILLISECONDS
    await downloads.signal.until(lambda: _is_over(wanted()), limit / 1000)
    found = wanted()
    if found is None or found.state == "in progress":
        raise DeadlineExceeded(
            f"No download was complete within {limit} ms.",
            hint=f"It is {in_quotes(found.line, 400)}."
            if found
            else "Has the page begun one? Call list_downloads.",
        )
    found.awaited = found.announced = True
    if found.refusal:
        raise Refused(f"The download of {in_quotes(found.name)} was stopped: {found.refusal}.")
    if found.state == "canceled" or found.path is None:
        raise PageTrouble(
            f"The download of {in_quotes(found.name)} failed.",
            hint="Have the page begin it again.",
            code="download_failed",
        )
    return Reply().quote(found.line).add(await _saved(found.path, file_path))


@tool(turn=False, over_dialog=True)
async def cancel_download(
    page: Page, session: Session, browsers: BrowserView, download_id: int
) -> Reply:
    """Stop a download.

    Args:
        download_id: Id from list_downloads.
    """
    downloads = _downloads(page, browsers)
    found = _named(downloads.of(session.had), download_id)
    if found.state != "in progress":
        return Reply(f"The download of {in_quotes(found.name)} is {found.state} already.")
    owner = next((each for each in session.pages.values() if each.id in found.pages), page.handle)
    await downloads.cancel(found, owner.target.get("browserContextId"))
    return Reply(f"Cancelled the download of {in_quotes(found.name)}.")


def _downloads(page: Page, browsers: BrowserView) -> Downloads:
    browser = browsers.browser_of(page.handle)
    if browser is None:
        raise PageGone(f"Page {page.id} is gone.")
    return browser.downloads


def _named(downloads: list[Download], ident: int) -> Download:
    for each in downloads:
        if each.id == ident:
            return each
    raise Misuse(f"There is no download {ident}.", hint="Call list_downloads.")


def _is_over(download: Download | None) -> bool:
    return download is not None and download.state != "in progress"


async def _saved(source: Path, target: Path | None) -> str:
    if target is None:
        return f"It is at {in_quotes(str(source), LONGEST_PATH)}."
    await asyncio.to_thread(_copy, source, target)
    return f"Saved to {target}."


def _copy(source: Path, target: Path) -> None:
    if not source.is_file():
        raise Misuse(
            f"It is saved as {in_quotes(str(source), LONGEST_PATH)}, but not on this machine.",
            hint="Fetch it from the machine that the browser runs on.",
        )
    with source.open("rb") as incoming, created(target, picture=False) as outgoing:
        shutil.copyfileobj(incoming, outgoing)
