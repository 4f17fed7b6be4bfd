"""CLSCulprits: what moved, and what made it move."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from tabmux.analysis.insights.insight import Insight, element, milliseconds
from tabmux.analysis.trace.call_frames import CallFrame, short_url
from tabmux.analysis.trace.handlers.layout_shifts import Invalidation, LayoutShift, ShiftedNode
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count
from tabmux.page_text import address

NAME = "CLSCulprits"
VISIBLE = 0.01
# How long before a shift something may have happened and still be its cause.
REACH_US = 500_000
# An image is painted in the frame that its arrival shifted.
SAME_FRAME_US = 100_000
MOVED = 4
SHIFTS = 8
CAUSES = 5


@dataclass(frozen=True, slots=True)
class ShiftCause:
    """Something that happened just before a shift."""

    text: str
    url: str = ""
    node: int = 0


def analyse(part: InsightSet) -> Insight:
    """Explain the shifts of the worst cluster, largest first."""
    cluster = part.metrics.worst_cluster
    if cluster is None:
        return Insight(NAME, "nothing moved")
    shifts = sorted(cluster.shifts, key=lambda shift: -shift.score)
    explained = [(shift, list(islice(causes(part, shift), CAUSES))) for shift in shifts[:SHIFTS]]
    found = [cause for _, several in explained for cause in several]
    blamed = explained[0][1][0].text if explained[0][1] else "cause not recorded"
    return Insight(
        NAME,
        f"CLS {cluster.score:.3f} from {count(len(shifts), 'shift')}; {blamed}",
        noteworthy=cluster.score >= VISIBLE,
        details=(*_shift_lines(part, explained), *_omitted_lines(len(shifts) - SHIFTS)),
        resources=tuple(dict.fromkeys(cause.url for cause in found if cause.url)),
        nodes=tuple(dict.fromkeys(_nodes(shifts[:SHIFTS], found))),
    )


def causes(part: InsightSet, shift: LayoutShift) -> Iterator[ShiftCause]:
    """Find what may have caused a shift, the surest first."""
    since = _previous_frame(part, shift)
    yield from _images(part, shift)
    yield from _scripts(part, shift, since, shift.ts)
    yield from _animations(part, shift)
    yield from _fonts(part, shift)
    yield from _frames(part, shift)
    # What ran before the previous frame may have set off something that took a while.
    yield from _scripts(part, shift, shift.ts - REACH_US, since)


def _shift_lines(
    part: InsightSet, explained: list[tuple[LayoutShift, list[ShiftCause]]]
) -> Iterator[str]:
    for shift, several in explained:
        yield from _lines(part, shift, several)


def _omitted_lines(number: int) -> list[str]:
    return [f"… {count(number, 'smaller shift')}"] if number > 0 else []


def _lines(part: InsightSet, shift: LayoutShift, several: list[ShiftCause]) -> Iterator[str]:
    moved = [
        element(node.name, node.node) + _distance(node)
        for node in shift.nodes[:MOVED]
        if node.name or node.node
    ]
    more = len(shift.nodes) - MOVED
    what = ", ".join(moved) + (f" and {more} more" if more > 0 else "")
    at = milliseconds(part.at(shift.ts))
    yield f"{shift.score:.4f} at {at}" + (f": moved {what}" if what else "")
    for cause in several:
        yield f"  because {cause.text}"
    if not several:
        yield "  because of something this trace does not show"


def _distance(node: ShiftedNode) -> str:
    if not any(node.new):
        return " out of view" if any(node.old) else ""
    if not any(node.old):
        return " into view"
    right, down, _, taller = (new - old for new, old in zip(node.new, node.old, strict=True))
    if down * (down + taller) < 0:
        return " changed size"
    if abs(down) >= abs(right):
        return f" {abs(down):.0f} px {'down' if down > 0 else 'up'}"
    return f" {abs(right):.0f} px {'right' if right > 0 else 'left'}"


def _nodes(shifts: list[LayoutShift], found: list[ShiftCause]) -> Iterator[int]:
    yield from (cause.node for cause in found if cause.node)
    yield from (node.node for shift in shifts for node in shift.nodes if node.node)


def _previous_frame(part: InsightSet, shift: LayoutShift) -> float:
    """Return when the frame before the shift was laid out: its cause came after that."""
    i = bisect_left(part.prepaints, shift.ts - 1) - 1
    earlier = part.prepaints[i] if i >= 0 else part.start
    return max(earlier, shift.ts - REACH_US)


def _scripts(
    part: InsightSet, shift: LayoutShift, since: float, until: float
) -> Iterator[ShiftCause]:
    first = bisect_left(part.invalidations, since, key=lambda invalidation: invalidation.ts)
    last = bisect_left(part.invalidations, until, key=lambda invalidation: invalidation.ts)
    by_call_frame: dict[CallFrame, list[Invalidation]] = {}
    for invalidation in part.invalidations[first:last]:
        by_call_frame.setdefault(invalidation.call_frame, []).append(invalidation)
    for call_frame, invalidations in sorted(
        by_call_frame.items(), key=lambda item: -item[1][-1].ts
    ):
        yield _script(shift, call_frame, invalidations)


def _script(
    shift: LayoutShift, call_frame: CallFrame, invalidations: list[Invalidation]
) -> ShiftCause:
    # A change that names its node says more than one that only schedules work.
    named = next(
        (invalidation for invalidation in invalidations if invalidation.node_name),
        invalidations[-1],
    )
    before = milliseconds((shift.ts - named.ts) / 1000)
    did = f"{call_frame} changed the page"
    if named.node_name:
        did = f"{call_frame} changed {element(named.node_name, named.node)}"
    reason = f" ({named.reason.lower()})" if named.reason else ""
    return ShiftCause(f"{did}{reason} {before} before", call_frame.url, named.node)


def _images(part: InsightSet, shift: LayoutShift) -> Iterator[ShiftCause]:
    seen: set[int] = set()
    for image in part.images:
        new = image.node not in seen
        seen.add(image.node)
        appears = new and 0 <= image.ts - shift.ts <= SAME_FRAME_US
        if (
            appears
            and image.node in part.unsized
            and not _next_frame_between(part, shift, image.ts)
        ):
            name = element(image.node_name or "an image", image.node)
            yield ShiftCause(f"{name} has no size of its own and arrived", image.url, image.node)


def _next_frame_between(part: InsightSet, shift: LayoutShift, ts: float) -> bool:
    ends = part.prepaints
    # The frame of the shift itself ends once in between.
    return bisect_right(ends, ts) - bisect_left(ends, shift.ts) > 1


def _fonts(part: InsightSet, shift: LayoutShift) -> Iterator[ShiftCause]:
    for request in part.requests:
        if request.kind == "Font" and 0 <= shift.ts - request.ended <= REACH_US:
            before = milliseconds((shift.ts - request.ended) / 1000)
            yield ShiftCause(
                f"the font {short_url(request.url)} arrived {before} before", request.url
            )


def _frames(part: InsightSet, shift: LayoutShift) -> Iterator[ShiftCause]:
    for child in part.child_frames:
        if 0 <= shift.ts - child.committed <= REACH_US:
            before = milliseconds((shift.ts - child.committed) / 1000)
            yield ShiftCause(f"an iframe loaded {address(child.url)} {before} before", child.url)


def _animations(part: InsightSet, shift: LayoutShift) -> Iterator[ShiftCause]:
    for animation in part.animations:
        if animation.start <= shift.ts <= max(animation.end, animation.start + REACH_US):
            what = f" of {', '.join(animation.properties)}" if animation.properties else ""
            on = element(animation.node_name, animation.node)
            yield ShiftCause(
                f"the animation {animation.name}{what} ran on {on}", node=animation.node
            )
