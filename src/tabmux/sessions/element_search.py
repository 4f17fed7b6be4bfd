"""Element search: finds the element that a locator means, in whichever frame it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabmux.concurrency import with_turns
from tabmux.errors import BadArguments, TabmuxError
from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame
from tabmux.sessions.locators import Locator, SnapshotLine, absent, only, rows
from tabmux.sessions.session import Session

if TYPE_CHECKING:
    from tabmux.page.page import Page


async def locate(session: Session, page: Page, locator: Locator) -> Element:
    """Return the one element that a locator means."""
    if session.shown.labels(page) is None:
        # What an action changes is told from here on.
        await session.shown.glance(page)
    found, meant, shown = await _search(session, page, locator)
    if not found:
        raise absent(locator, meant, shown)
    return session.element(only(locator, found))


async def locate_if_there(session: Session, page: Page, locator: Locator) -> Element | None:
    """Return the one element that a locator means, or None while there is none."""
    found, _, _ = await _search(session, page, locator)
    return session.element(only(locator, found)) if found else None


async def _search(
    session: Session, page: Page, locator: Locator
) -> tuple[list[str], list[SnapshotLine], list[SnapshotLine]]:
    """Return a line with a uid for each element that is meant, all that is meant, and shown."""
    if locator.selector and (found := await _by_selector(session, page, locator)):
        return found, [], []
    # Also finds closed shadow roots, which a selector reaches from then on.
    shown = [row async for row in with_turns(rows(await session.shown.glance(page)))]
    if locator.selector:
        return await _by_selector(session, page, locator), [], shown
    meant = await locator.among(shown)
    return [row.line for row in meant if row.uid], meant, shown


async def _by_selector(session: Session, page: Page, locator: Locator) -> list[str]:
    """Look in all frames that are meant, and shadow roots; one that has just gone has none."""
    found: dict[Frame, list[str]] = {}
    main = page.frames.main
    for frame in page.frames:
        if not locator.looks_into(frame.url, is_main=frame is main):
            continue
        try:
            answer = await frame.run("find_all", locator.selector)
        except TabmuxError:
            if frame is main:
                raise
            continue
        if answer is None:
            raise BadArguments(f"{locator.text!r} is no CSS selector.")
        if answer:
            found[frame] = answer
    uids = await session.shown.name_elements(page, dict.fromkeys(found, ()))
    return [
        f"uid={uid} {line}"
        for frame, lines in found.items()
        for uid, line in zip(uids[frame], lines, strict=True)
        if uid
    ]
