"""Element inspection: where an element is, whether it can be seen, and which CSS rules apply."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tabmux.analysis.css.cascade import resolve_cascade
from tabmux.analysis.css.matched_styles import (
    MatchedStyles,
    StyleSheetSource,
    TextFlow,
    read_matched_styles,
)
from tabmux.cdp.channel import Channel, Params
from tabmux.page.element import Element
from tabmux.page.frame_path import FramePath


@dataclass(frozen=True)
class ElementBox:
    """The box of an element; coordinates are in CSS pixels.

    Attributes:
        at: Its corner in the page's viewport.
        on_page: Its corner in the page's whole document.
        sides: Margin, border and padding: top, right, bottom, left.
        hidden: Why nobody can see it, wherever the page is scrolled.
        seen: The part of it that is in view, from 0 to 1.
        covered: At how many of `points` something else lies over it.
        cover: What that is.
        cover_is_near: Whether that is in the element's own frame, and left in `tabmux.found`.
    """

    name: str
    at: tuple[float, float]
    on_page: tuple[float, float]
    size: tuple[float, float]
    sides: dict[str, list[float]]
    hidden: tuple[str, ...]
    seen: float
    points: int
    covered: int
    cover: str
    cover_is_near: bool


async def box_of(element: Element) -> ElementBox:
    """Measure an element without scrolling to it."""
    found = await element.frame.run("element_position", on=await element.object_id())
    cover, near, covered = found["cover"], bool(found["cover"]), found["covered"]
    box, scroll, inside = found["box"], found["scroll"], True
    if element.frame.parent is not None:
        shown = await FramePath.of(element.frame)
        box, places = await _around(shown, box)
        scroll = places[-1]["scroll"]
        for place in places:
            inside = inside and place["inside"]
            if place["cover"] and inside and not cover:
                cover, covered = place["cover"], found["points"]
    return ElementBox(
        name=found["name"],
        at=(box["x"], box["y"]),
        on_page=(box["x"] + scroll["x"], box["y"] + scroll["y"]),
        size=(box["width"], box["height"]),
        sides=found["sides"],
        hidden=tuple(found["hidden"]),
        seen=found["seen"] if inside else 0.0,
        points=found["points"],
        covered=covered,
        cover=cover,
        cover_is_near=near,
    )


async def _around(path: FramePath, box: Params) -> tuple[Params, list[Params]]:
    """Return a box of a frame as it is on the page, and what each frame says of its middle."""
    projections = await path.measure()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    places = await path.ask("frame_position", path.points(projections, *middle))
    return path.on_page(projections, box), places


async def styles_of(element: Element) -> MatchedStyles:
    """Return the cascade of an element, with every declaration judged."""
    element.page.attached_page.coverage.refuse_if_recording()
    handle = await element.object_id()
    with _inspecting(element.frame.channel) as (channel, sheets):
        # The CSS domain answers only for nodes that the DOM domain has been told of.
        await asyncio.gather(
            channel.call("DOM.enable"),
            channel.call("DOM.getDocument", {"depth": 0}),
            channel.call("CSS.enable"),
        )
        node = await channel.call("DOM.requestNode", {"objectId": handle})
        matched, animated, line = await asyncio.gather(
            channel.call("CSS.getMatchedStylesForNode", node),
            channel.call("CSS.getAnimatedStylesForNode", node),
            element.frame.run("ancestors", on=handle),
        )
        return resolve_cascade(
            read_matched_styles(matched, animated, sheets, line["names"], TextFlow.of(line))
        )


@contextmanager
def _inspecting(channel: Channel) -> Iterator[tuple[Channel, dict[str, StyleSheetSource]]]:
    """Note the style sheets meanwhile; afterwards the page has no listeners to slow it down."""
    sheets: dict[str, StyleSheetSource] = {}

    def note(params: Params) -> None:
        header = params["header"]
        sheets[header["styleSheetId"]] = StyleSheetSource.of(header)

    stop = channel.on("CSS.styleSheetAdded", note)
    try:
        yield channel, sheets
    finally:
        stop()
        if channel.is_open:
            channel.send("CSS.disable")
            channel.send("DOM.disable")
