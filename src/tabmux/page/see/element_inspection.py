"""Where an element is, whether it can be seen, and what covers it."""

from __future__ import annotations

from dataclasses import dataclass

from tabmux.page.element import Element


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
    found = await element.frame.run("place", on=await element.object_id())
    x, y, scroll, view = found["box"]["x"], found["box"]["y"], found["scroll"], found["viewport"]
    cover, near, covered = found["cover"], bool(found["cover"]), found["covered"]
    centre = (x + found["box"]["width"] / 2, y + found["box"]["height"] / 2)
    frame, inside = element.frame, True
    while (parent := frame.parent) is not None:
        owner = await parent.channel.call("DOM.getFrameOwner", {"frameId": frame.id})
        handle = await parent.resolve(owner["backendNodeId"])
        place = await parent.run("frame_place", *centre, on=handle)
        x, y, scroll, view = x + place["x"], y + place["y"], place["scroll"], place["viewport"]
        centre = (centre[0] + place["x"], centre[1] + place["y"])
        inside = inside and 0 <= centre[0] < view["width"] and 0 <= centre[1] < view["height"]
        if place["cover"] and inside and not cover:
            cover, covered = place["cover"], found["points"]
        frame = parent
    return ElementBox(
        name=found["name"],
        at=(x, y),
        on_page=(x + scroll["x"], y + scroll["y"]),
        size=(found["box"]["width"], found["box"]["height"]),
        sides=found["sides"],
        hidden=tuple(found["hidden"]),
        seen=found["seen"] if inside else 0.0,
        points=found["points"],
        covered=covered,
        cover=cover,
        cover_is_near=near,
    )
