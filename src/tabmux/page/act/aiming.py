"""Aiming: the point of the page at which the mouse reaches an element, in whichever frame."""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from tabmux.cdp.channel import Channel
from tabmux.errors import ElementTrouble, TabmuxError
from tabmux.page.element import Element
from tabmux.page.frame_path import FramePath
from tabmux.page.frame_tree import Frame, FrameGone

# How often another point is tried where something was in the way.
ATTEMPTS = 4
# What aim_further.js may know another way for.
_UNREACHED = ("covered", "hidden")


@dataclass(frozen=True)
class InputPoint:
    """A point, and the channel through which events reach it.

    Attributes:
        channel: Of the frame's process.
        x: In the topmost frame of that process.
        y: In the same.
        on_page: The same point in the viewport of the page.
    """

    channel: Channel
    x: float
    y: float
    on_page: tuple[float, float]

    def mouse(self, kind: str, **extra: Any) -> Awaitable[Any]:
        """Send a mouse event."""
        return self.send("Input.dispatchMouseEvent", type=kind, **extra)

    def send(self, method: str, **extra: Any) -> Awaitable[Any]:
        """Send a command with the point's coordinates."""
        return self.channel.call(method, {"x": self.x, "y": self.y, **extra})

    def moved(self, distance: float) -> InputPoint:
        """Return a point nearby."""
        return replace(self, x=self.x + distance, y=self.y + distance)


@dataclass(frozen=True)
class Aim:
    """How an element is reached.

    Attributes:
        point: Where the mouse reaches it; None where it does not.
        inside: The same point in the element's own document.
        key: What to press instead; empty where it is enough that it has the focus now.
        by: What is clicked for the element, where that is something else.
        inner: Whether that is inside of it.
        framed: Whether the document of a frame will hear of the press, and this one will not.
        done: Whether nothing is left to do.
        draggable: Whether the page may know how to drag it.
    """

    point: InputPoint | None = None
    inside: tuple[float, float] = (0.0, 0.0)
    key: str = ""
    by: str = ""
    inner: bool = False
    framed: bool = False
    done: bool = False
    draggable: bool = False

    @property
    def remark(self) -> str:
        """Say what took the click where that was not the element itself."""
        if not self.by:
            return ""
        return f"{self.by} {'inside of it' if self.inner else 'lies over it and'} took the click."


@dataclass(frozen=True)
class Obstacle:
    """A point of an element's document at which something is in the way of the mouse.

    Attributes:
        x: The point.
        y: The same.
        cover: What is in the way.
        passes: Whether the same point may be free with the next frame.
    """

    x: float
    y: float
    cover: str
    passes: bool = False


async def aim_at(element: Element, obstacles: list[Obstacle], **options: Any) -> Aim:
    """Bring an element into view and find where to point at it.

    Args:
        element: The element.
        obstacles: What was in the way before; what is found to be is added.
        options: What it is for, as click_point.js takes them.
    """
    while len(obstacles) < ATTEMPTS:
        found = await _found(element, obstacles, options)
        if "x" not in found:
            return Aim(done=bool(found.get("done")), key=found.get("key", ""))
        inside = (found["x"], found["y"])
        place = await locate(element.frame, *inside, presses="presses" in options)
        if isinstance(place, InputPoint):
            return Aim(
                point=place,
                inside=inside,
                by=found.get("by", ""),
                inner=bool(found.get("inner")),
                framed=bool(found.get("framed")),
                draggable=found["draggable"],
            )
        obstacles.append(Obstacle(*inside, place))
    raise _covered(element, obstacles)


async def _found(
    element: Element, obstacles: list[Obstacle], options: dict[str, Any]
) -> dict[str, Any]:
    tried = [{"x": each.x, "y": each.y} for each in obstacles if not each.passes]
    which = (element.epoch, element.label, {**options, "tried": tried})
    try:
        answer = await element.frame.call("aim", *which)
        if answer.get("trouble") in _UNREACHED:
            answer = await element.frame.run("aim_further", *which)
    except FrameGone as error:
        raise element.gone() from error
    if answer.get("trouble") == "hidden" and obstacles:
        raise _covered(element, obstacles)
    return element.checked(answer)


def give_up(element: Element) -> None:
    """Have nothing held back any more for a press that was aimed and will not come."""
    _lift_guards(element.frame)


def landed_inside(element: Element) -> None:
    """Have the frames around hold nothing back any more: the press went to the one inside."""
    _lift_guards(element.frame.parent)


def _lift_guards(frame: Frame | None) -> None:
    while frame is not None:
        with suppress(TabmuxError):
            frame.begin("lift_guard")
        frame = frame.parent


def _covered(element: Element, obstacles: list[Obstacle]) -> ElementTrouble:
    return ElementTrouble(
        f"The element (uid {element.uid}) is covered by {obstacles[-1].cover}.",
        hint="Nothing was pressed. Close or move what covers it; it may come up under the mouse.",
        code="element_covered",
    )


async def locate(frame: Frame, x: float, y: float, *, presses: bool) -> InputPoint | str:
    """Say where a point of a frame is on the page, or what covers it there.

    Events go to the frame's own process with coordinates of its topmost frame there:
    Chromium 156 misplaces those that are sent to the main frame just after a scroll.
    """
    if frame.parent is None:
        return InputPoint(frame.channel, x, y, (x, y))
    path = await FramePath.of(frame)
    for _ in range(ATTEMPTS):
        points = path.points(await path.measure(), x, y)
        answers = await path.look_through(points, presses=presses)
        covers = [each["cover"] for each in answers if each["cover"]]
        if not covers:
            return InputPoint(frame.channel, *path.in_process([(x, y), *points]), points[-1])
        if not any(each["moved"] for each in answers):
            break
    return str(covers[0])
