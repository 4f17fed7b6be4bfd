"""Element search: finds the element that a locator means, in whichever frame it is."""

from __future__ import annotations

from tabmux.errors import BadArguments, TabmuxError
from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame
from tabmux.page.page import Page
from tabmux.sessions.locators import Locator, SnapshotLine, absent, only, rows
from tabmux.sessions.session import Session


async def locate(session: Session, page: Page, locator: Locator) -> Element:
    """Return the one element that a locator means."""
    if session.shown_labels(page) is None:
        # What an action changes is told from here on.
        await session.glance(page)
    found, shown = await _search(session, page, locator)
    if not found:
        raise absent(locator, shown)
    return session.element(only(locator, found))


async def locate_if_there(session: Session, page: Page, locator: Locator) -> Element | None:
    """Return the one element that a locator means, or None while there is none."""
    found, _ = await _search(session, page, locator)
    return session.element(only(locator, found)) if found else None


async def _search(
    session: Session, page: Page, locator: Locator
) -> tuple[list[str], list[SnapshotLine]]:
    """Return a line with a uid for each element that is meant, and what else is shown."""
    if locator.selector and (found := await _by_selector(session, page, locator)):
        return found, []
    # Also finds closed shadow roots, which a selector reaches from then on.
    shown = list(rows(await session.glance(page)))
    if locator.selector:
        return await _by_selector(session, page, locator), shown
    return [row.line for row in locator.among(shown) if row.uid], shown


async def _by_selector(session: Session, page: Page, locator: Locator) -> list[str]:
    """Look in all frames and shadow roots; a frame that has just gone has none."""
    found: dict[Frame, list[str]] = {}
    for frame in page.frames:
        try:
            answer = await frame.run("find_all", locator.selector)
        except TabmuxError:
            if frame is page.frames.main:
                raise
            continue
        if answer is None:
            raise BadArguments(f"{locator.text!r} is no CSS selector.")
        if answer:
            found[frame] = answer
    uids = await session.name_elements(page, dict.fromkeys(found, ()))
    return [
        f"uid={uid} {line}"
        for frame, lines in found.items()
        for uid, line in zip(uids[frame], lines, strict=True)
        if uid
    ]
