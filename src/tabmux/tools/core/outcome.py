"""Outcome of an action: the lines that every action tool ends with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Literal

from tabmux.content import Reply
from tabmux.errors import TabmuxError
from tabmux.page.activity import ActionEffects
from tabmux.page.frame_tree import Frame
from tabmux.page.handle import PageHandle
from tabmux.page.page import Page
from tabmux.page.see.snapshots import Shot, SnapshotOptions
from tabmux.page.settling import settled
from tabmux.page_text import address, visible_line
from tabmux.sessions.session import Session
from tabmux.tools.core.pages import page_entry, page_line
from tabmux.tools.pipeline.argument_types import UNLISTED
from tabmux.tools.pipeline.results import ActionResult, DialogEntry

Report = Annotated[Literal["diff", "snapshot", "none"], UNLISTED]


@asynccontextmanager
async def acting(
    session: Session,
    page: Page,
    frame: Frame | None = None,
    *,
    first: float | None = None,
    snapshot: bool = False,
    report: Report = "diff",
) -> AsyncIterator[ActionEffects]:
    """Run an action whose outcome is told next, and wait for what it set in motion.

    Args:
        session: Whose uids are shown then.
        page: The page that is acted upon.
        frame: The frame whose document is expected to change; the main frame when absent.
        first: How long to wait for a first sign when nothing is seen at once.
        snapshot: Whether the whole page was asked for, as older prompts do.
        report: How much of the page will be shown.
    """
    labels = session.shown.labels(page) if report == "diff" and not snapshot else None
    async with settled(page, frame, first, labels=labels) as effects:
        yield effects


async def outcome(
    session: Session,
    page: Page,
    done: str,
    effects: ActionEffects,
    *,
    snapshot: bool = False,
    report: Report = "diff",
) -> Reply:
    """Say what was done, and what the page made of it.

    Args:
        session: Whose uids are shown.
        page: The page that was acted upon.
        done: The sentence that says what was done.
        effects: What was noted meanwhile.
        snapshot: Whether the whole page was asked for, as older prompts do.
        report: How much of the page to show.
    """
    result = ActionResult()
    reply = Reply(done, data=result.data)
    if page.gone:
        result.page_closed = True
        return reply.add("The page was closed by it.")
    if effects.moved_to is not None and effects.moved_to != effects.url:
        is_other = page.document.loader != effects.loader
        error = page.navigation.server_error if is_other else ""
        reply.add(f"Page navigated to {address(page.url)}. {error}".rstrip())
        result.navigated_to = page.url
        if failure := page.document.failure:
            result.load_failure = failure
            reply.add(f"It could not be loaded: {visible_line(failure)}")
    opened = [session.pages[ident] for ident in effects.opened if ident in session.pages]
    for each in opened:
        await _addressed(each)
    if opened:
        result.opened_pages = [page_entry(each, session) for each in opened]
        reply.add("## Opened pages").quote("\n".join(page_line(each, session) for each in opened))
    if dialog := page.dialogs.current:
        result.dialog = DialogEntry(kind=dialog.kind, message=dialog.message)
    else:
        shown: Report = "snapshot" if snapshot else report
        await _show(reply, result, session, page, shown, effects.shot)
        if effects.unfinished:
            result.still_changing = effects.unfinished
            reply.add(f"Still changing: {', '.join(effects.unfinished)}.")
    return reply


async def _addressed(page: PageHandle) -> None:
    """Wait for the address of a tab that was just made, and does not know yet where it goes."""
    await page.signal.until(lambda: bool(page.url) or page.gone, page.timings.opened_address)


async def _show(
    reply: Reply,
    result: ActionResult,
    session: Session,
    page: Page,
    report: Report,
    shot: Shot,
) -> None:
    try:
        if report == "snapshot":
            result.snapshot = await session.shown.snapshot(page, SnapshotOptions())
            reply.add("## Latest page snapshot").quote(result.snapshot)
        elif report == "diff":
            result.changes = await session.shown.changes(page, shot)
            reply.changes = result.changes or ""
            reply.quote(reply.changes)
    except TabmuxError as error:
        # The action is done; that the page cannot be shown now must not hide it.
        reply.add(f"The page could not be shown: {error.message}")
