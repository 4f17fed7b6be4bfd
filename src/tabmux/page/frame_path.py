"""Frame path: the frames around a frame, and where a point of it shows in each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tabmux.cdp.channel import Params
from tabmux.errors import ElementTrouble, ProtocolFault
from tabmux.page.frame_tree import Frame, FrameGone
from tabmux.page.projection import Projection

Place = tuple[float, float]


@dataclass(frozen=True)
class FramePath:
    """A frame and those around it, the innermost first, without the main frame.

    Attributes:
        frames: The frames, each with a parent.
        owners: Chrome's ids of the elements that show them.
    """

    frames: tuple[tuple[Frame, Frame], ...]
    owners: tuple[int, ...]

    @classmethod
    async def of(cls, frame: Frame) -> FramePath:
        """Find the elements that show a frame and those around it."""
        frames = []
        while (parent := frame.parent) is not None:
            frames.append((frame, parent))
            frame = parent
        try:
            owners = await asyncio.gather(
                *(
                    parent.channel.call("DOM.getFrameOwner", {"frameId": frame.id})
                    for frame, parent in frames
                )
            )
        except ProtocolFault as error:
            raise FrameGone("The frame has gone meanwhile.", hint="Take a snapshot.") from error
        return cls(tuple(frames), tuple(owner["backendNodeId"] for owner in owners))

    async def measure(self) -> list[Projection]:
        """Measure how each frame shows in the topmost document of its parent's process."""
        try:
            views, models = await asyncio.gather(self._views(), self._models())
        except ProtocolFault as error:
            raise _hidden() from error
        projections = []
        for (frame, parent), model in zip(self.frames, models, strict=True):
            # Chromium 156 gives quads in pixels of the owner's document, which may be zoomed.
            zoom = views[parent]["ratio"] / views[_topmost(parent)]["ratio"]
            quad = [each * zoom for each in model["model"]["content"]]
            found = Projection.onto(views[frame]["width"], views[frame]["height"], quad)
            if found is None:
                raise _hidden()
            projections.append(found)
        return projections

    async def _views(self) -> dict[Frame, Params]:
        frames = [self.frames[0][0], *(parent for _, parent in self.frames)]
        views = await asyncio.gather(*(frame.call("view") for frame in frames))
        return dict(zip(frames, views, strict=True))

    async def _models(self) -> list[Params]:
        return await asyncio.gather(
            *(
                parent.channel.call("DOM.getBoxModel", {"backendNodeId": owner})
                for (_, parent), owner in zip(self.frames, self.owners, strict=True)
            )
        )

    def points(self, projections: Sequence[Projection], x: float, y: float) -> list[Place]:
        """Say where a point of the innermost frame is in each frame around it, the main one last.

        Chrome gives quads in coordinates of the topmost frame of a process; from there it is the
        way back into the frame that is asked about.
        """
        found = []
        for number, (_, parent) in enumerate(self.frames):
            x, y = projections[number](x, y)
            if parent.parent is not None and not parent.is_remote:
                x, y = projections[number + 1].inverse(x, y)
            found.append((x, y))
        return found

    def on_page(self, projections: Sequence[Projection], box: Params) -> Params:
        """Return the box in the page's viewport that a box of the innermost frame takes there."""
        x, y, width, height = box["x"], box["y"], box["width"], box["height"]
        corners = [
            self.points(projections, *corner)[-1]
            for corner in ((x, y), (x + width, y), (x, y + height), (x + width, y + height))
        ]
        left, top = (min(each[axis] for each in corners) for axis in (0, 1))
        right, bottom = (max(each[axis] for each in corners) for axis in (0, 1))
        return {"x": left, "y": top, "width": right - left, "height": bottom - top}

    def in_process(self, points: Sequence[Place]) -> Place:
        """Of the points of all frames, return that of the topmost in the first one's process."""
        channel = self.frames[0][0].channel
        inside = [parent.channel is channel for _, parent in self.frames]
        return points[inside.index(False) if False in inside else len(inside)]

    async def look_through(self, points: Sequence[Place], *, presses: bool) -> list[Any]:
        """Ask each frame around what covers a point of the one inside, and scroll there.

        Args:
            points: One of each frame.
            presses: Whether a press is to follow, which must not go anywhere else.
        """
        return await asyncio.gather(
            *(
                self._through(parent, owner, point, presses)
                for (_, parent), owner, point in zip(self.frames, self.owners, points, strict=True)
            )
        )

    async def ask(self, script: str, points: Sequence[Place]) -> list[Any]:
        """Run a script with its point on each element that shows a frame."""
        return await asyncio.gather(
            *(
                self._ask(parent, owner, script, point)
                for (_, parent), owner, point in zip(self.frames, self.owners, points, strict=True)
            )
        )

    async def _ask(self, parent: Frame, owner: int, script: str, point: Place) -> Any:
        return await parent.run(script, *point, on=await parent.resolve(owner))

    async def _through(self, parent: Frame, owner: int, point: Place, presses: bool) -> Any:
        return await parent.apply(await parent.resolve(owner), "through", *point, presses)


def _topmost(frame: Frame) -> Frame:
    """Return the topmost of the frames around a frame that live in its process with it."""
    while frame.parent is not None and not frame.is_remote:
        frame = frame.parent
    return frame


async def box_on_page(frame: Frame, box: Params) -> Params:
    """Return the box in the page's viewport that a box of a frame takes there."""
    if frame.parent is None:
        return box
    path = await FramePath.of(frame)
    return path.on_page(await path.measure(), box)


def _hidden() -> ElementTrouble:
    return ElementTrouble(
        "The frame of the element is not visible.",
        hint="Take a snapshot to see what is visible now.",
        code="element_hidden",
    )
