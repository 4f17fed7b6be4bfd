"""Pointing: the element that a person shows to an agent, in the agent's own words for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabmux.cdp.channel import Params
from tabmux.concurrency import with_turns
from tabmux.content import quoted
from tabmux.errors import DeadlineExceeded, ElementTrouble
from tabmux.page.frame_path import box_on_page
from tabmux.page.frame_tree import Frame
from tabmux.page.see.labels import resolve_nodes
from tabmux.page_text import visible_line
from tabmux.sessions.handover import show_before
from tabmux.sessions.locators import Locator, SnapshotLine, rows
from tabmux.sessions.session import Session

if TYPE_CHECKING:
    from tabmux.page.page import Page

LONGEST_SENTENCE = 1_000
# Frames inside of frames; a page may nest them without end.
DEEPEST_FRAME = 5
# For a person to pick an element.
PICK_SECONDS = 60.0
PICKING = {
    "mode": "searchForNode",
    "highlightConfig": {
        "showInfo": True,
        "contentColor": {"r": 7, "g": 87, "b": 186, "a": 0.35},
        "borderColor": {"r": 212, "g": 56, "b": 13, "a": 0.8},
    },
}


@dataclass(frozen=True)
class PointedElement:
    """An element that a person points at.

    Args:
        uid: What the agent may call it.
        line: How a snapshot shows it.
        locator: What it is found by again; "" where nothing means it alone.
        box: Where it is in the viewport.
    """

    uid: str
    line: str
    locator: str
    box: Params

    def note(self, page: int, sentence: str) -> str:
        """Tell the agent of it; what the page wrote is marked."""
        x, y, width, height = (round(self.box[key]) for key in ("x", "y", "width", "height"))
        said = visible_line(sentence, LONGEST_SENTENCE)
        says = f" and says: “{said}”" if said else ""
        shown = f"{self.line}\nlocator: {self.locator}" if self.locator else self.line
        place = f"box: x={x} y={y} width={width} height={height}"
        return f"A person points at an element of page {page}{says}\n{quoted(shown)}\n{place}"


async def element_at(session: Session, page: Page, x: float, y: float) -> PointedElement:
    """Return the element at a point of the viewport, through all frames."""
    return await _element_at(session, page, page.main, x, y, DEEPEST_FRAME)


async def _element_at(
    session: Session, page: Page, frame: Frame, x: float, y: float, deepest: int
) -> PointedElement:
    await show_before(session, page)
    found: list[dict[str, Any]] = await frame.run("element_at", x, y)
    if not found:
        raise ElementTrouble("There is no element.", hint="Point at another place.")
    uids = (await session.shown.name_elements(page, {frame: ()}))[frame]
    inside = found[0]["inside"]
    if inside is not None and deepest and (inner := await _frame_of(session, page, uids[0])):
        return await _element_at(session, page, inner, inside["x"], inside["y"], deepest - 1)
    return await _described(session, page, frame, found, uids)


async def picked_element(session: Session, page: Page) -> PointedElement:
    """Let the person pick an element in the tab itself, with Chrome's own means."""
    channel = page.channel
    await channel.call("DOM.enable")
    await channel.call("Overlay.enable")
    try:
        with channel.expecting("Overlay.inspectNodeRequested") as picked:
            await channel.call("Overlay.setInspectMode", PICKING)
            async with asyncio.timeout(PICK_SECONDS):
                node: int = (await picked)["backendNodeId"]
    except TimeoutError as error:
        raise DeadlineExceeded("Nothing was picked in time.") from error
    finally:
        for method in ("Overlay.disable", "DOM.disable"):
            channel.send(method)
    return await _of_node(session, page, node)


async def _of_node(session: Session, page: Page, node: int) -> PointedElement:
    await show_before(session, page)
    for frame in page.frames:
        if handle := (await resolve_nodes(frame, [node])).get(node):
            found: list[dict[str, Any]] = await frame.run("element_at", 0, 0, on=handle)
            uids = (await session.shown.name_elements(page, {frame: ()}))[frame]
            return await _described(session, page, frame, found, uids)
    raise ElementTrouble("The element has gone.", hint="Point at another one.")


async def _described(
    session: Session,
    page: Page,
    frame: Frame,
    found: list[dict[str, Any]],
    uids: list[str],
) -> PointedElement:
    """Return the innermost of some elements that snapshots show, or the innermost."""
    shown = [row async for row in with_turns(rows(await session.shown.glance(page)))]
    by_uid = {row.uid: row for row in shown if row.uid}
    # It is more likely meant than what only draws it.
    place = next((n for n, uid in enumerate(uids) if uid in by_uid), 0)
    about = found[place]
    row = by_uid.get(uids[place])
    line = row.line if row is not None else f"uid={uids[place]} {about['tag']}"
    box = await box_on_page(frame, about["box"])
    return PointedElement(uids[place], line, await _locator(row, shown, about["testId"]), box)


async def _frame_of(session: Session, page: Page, uid: str) -> Frame | None:
    """Return the frame that an element shows."""
    if not uid:
        return None
    element = session.element(uid)
    node = await element.frame.channel.call(
        "DOM.describeNode", {"objectId": await element.object_id()}
    )
    return page.frames.get(node["node"].get("frameId", ""))


async def _locator(row: SnapshotLine | None, shown: list[SnapshotLine], test_id: str) -> str:
    """Return the locator that means this element alone."""
    if test_id:
        return f"testid={test_id}"
    if row is None or not row.name:
        return ""
    text = f'{row.role} "{row.name}"'
    locator = Locator.read(text)
    return text if locator is not None and len(await locator.among(shown)) == 1 else ""
