"""Layout shifts, and the invalidations and animations that may have caused them."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from tabmux.analysis.trace.call_frames import CallFrame, StackFrame, top_frame
from tabmux.analysis.trace.trace_event import TraceEvent, TraceListener, args_decoder, data_decoder

# Chrome reports the same change many times while a script runs; one a frame is enough.
SAME_INVALIDATION_US = 16_000


@dataclass(frozen=True, slots=True)
class ShiftedNode:
    """An element that moved; rectangles are x, y, width, height."""

    node: int
    name: str
    old: tuple[float, float, float, float] = (0, 0, 0, 0)
    new: tuple[float, float, float, float] = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class LayoutShift:
    """One layout shift."""

    ts: float
    pid: int
    frame: str
    score: float
    after_input: bool
    nodes: tuple[ShiftedNode, ...]


@dataclass(frozen=True, slots=True)
class Invalidation:
    """A script made Chrome restyle or lay out part of the page again."""

    ts: float
    pid: int
    call_frame: CallFrame
    reason: str
    node: int
    node_name: str


@dataclass(slots=True)
class TraceAnimation:
    """A CSS or web animation, and the properties that kept it on the main thread."""

    pid: int
    start: float
    end: float
    name: str = ""
    node: int = 0
    node_name: str = ""
    properties: tuple[str, ...] = ()
    failed: int = 0


class LayoutShifts:
    """Collects layout shifts and their surroundings."""

    def __init__(self) -> None:
        self.shifts: list[LayoutShift] = []
        self.prepaints: dict[int, array[float]] = {}
        self._invalidations: dict[tuple[object, ...], Invalidation] = {}
        self._animations: list[TraceAnimation] = []
        self._running: dict[tuple[int, bytes], TraceAnimation] = {}
        self._shift = args_decoder(_ShiftArgs)
        self._invalidation = data_decoder(_InvalidationData)
        self._animation = args_decoder(_AnimationArgs)

    def listeners(self) -> Mapping[str, TraceListener]:
        """Say which events tell of movement."""
        return {
            "LayoutShift": self._handle_shift,
            "PrePaint": self._handle_prepaint,
            "ScheduleStyleRecalculation": self._handle_invalidation,
            "InvalidateLayout": self._handle_invalidation,
            "StyleRecalcInvalidationTracking": self._handle_invalidation,
            "LayoutInvalidationTracking": self._handle_invalidation,
            "ScheduleStyleInvalidationTracking": self._handle_invalidation,
            "Animation": self._handle_animation,
        }

    def invalidations(self) -> list[Invalidation]:
        """List what scripts changed, oldest first."""
        return sorted(self._invalidations.values(), key=lambda invalidation: invalidation.ts)

    def animations(self) -> list[TraceAnimation]:
        """List the animations that ran on the main thread."""
        return [animation for animation in self._animations if animation.failed]

    def _handle_shift(self, event: TraceEvent) -> None:
        args = self._shift(event)
        data = args.data
        self.shifts.append(
            LayoutShift(
                ts=event.ts,
                pid=event.pid,
                frame=args.frame,
                score=data.weighted_score_delta,
                after_input=data.had_recent_input,
                nodes=tuple(node.shifted() for node in data.impacted_nodes),
            )
        )

    def _handle_prepaint(self, event: TraceEvent) -> None:
        self.prepaints.setdefault(event.pid, array("d")).append(event.end)

    def _handle_invalidation(self, event: TraceEvent) -> None:
        data = self._invalidation(event)
        call_frame = top_frame(data.stack_trace)
        # Most changes come from the parser or from Chrome itself and have no stack.
        if call_frame is None:
            return
        key = (
            event.pid,
            call_frame,
            data.reason,
            data.node_id,
            int(event.ts / SAME_INVALIDATION_US),
        )
        if key not in self._invalidations:
            self._invalidations[key] = data.invalidation(event, call_frame)

    def _handle_animation(self, event: TraceEvent) -> None:
        key = (event.pid, bytes(event.id2) or str(event.id).encode())
        data = self._animation(event).data
        if event.ph == "b" or key not in self._running:
            # Chrome gives an id again once its animation is over.
            self._running[key] = TraceAnimation(event.pid, event.ts, event.ts)
            self._animations.append(self._running[key])
        known = self._running[key]
        known.end = max(known.end, event.ts)
        known.name = known.name or data.display_name or data.name
        known.node = known.node or data.node_id
        known.node_name = known.node_name or data.node_name
        known.properties = known.properties or tuple(data.unsupported_properties)
        known.failed = known.failed or data.composite_failed


class _Node(msgspec.Struct):
    node_id: int = 0
    debug_name: str = ""
    old_rect: tuple[float, float, float, float] = (0, 0, 0, 0)
    new_rect: tuple[float, float, float, float] = (0, 0, 0, 0)

    def shifted(self) -> ShiftedNode:
        return ShiftedNode(self.node_id, self.debug_name, self.old_rect, self.new_rect)


class _Shift(msgspec.Struct):
    weighted_score_delta: float = 0
    had_recent_input: bool = False
    impacted_nodes: list[_Node] = []


class _ShiftArgs(msgspec.Struct):
    frame: str = ""
    data: _Shift = msgspec.field(default_factory=_Shift)


class _InvalidationData(msgspec.Struct, rename="camel"):
    reason: str = ""
    node_id: int = 0
    node_name: str = ""
    stack_trace: list[StackFrame] = []

    def invalidation(self, event: TraceEvent, call_frame: CallFrame) -> Invalidation:
        return Invalidation(
            event.ts, event.pid, call_frame, self.reason, self.node_id, self.node_name
        )


class _Animation(msgspec.Struct, rename="camel"):
    name: str = ""
    display_name: str = ""
    node_id: int = 0
    node_name: str = ""
    unsupported_properties: list[str] = []
    composite_failed: int = 0


class _AnimationArgs(msgspec.Struct):
    data: _Animation = msgspec.field(default_factory=_Animation)
