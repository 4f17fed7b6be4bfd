from __future__ import annotations

from pathlib import Path
from typing import Any

from tabmux.analysis.trace.handlers.interactions import Interaction
from tabmux.analysis.trace.page_metrics import inp
from tests.analysis.trace_builder import FRAME, TraceBuilder, recorded


def timing(builder: TraceBuilder, at: float, ms: float, **data: Any) -> TraceBuilder:
    told = {
        "type": "pointerdown",
        "interactionId": 1,
        "frame": FRAME,
        "timeStamp": at,
        "duration": ms,
    }
    worked = {"processingStart": at + 2, "processingEnd": at + ms - 8}
    name = f"0x{len(builder.events)}"
    builder.add("EventTiming", at, ph="b", id=name, args={"data": told | worked | data})
    return builder.add("EventTiming", at + ms, ph="e", id=name)


def interaction(ms: float) -> Interaction:
    return Interaction(0, "click", 0, FRAME, 0, 0, ms, 0)


def test_click_is_divided_into_delay_work_and_presentation() -> None:
    found = recorded("click").sets[0].metrics.inp

    assert found is not None
    assert (found.type, found.node, round(found.ms)) == ("pointerdown", 11, 236)
    assert [round(ms) for ms in (found.input_delay, found.processing, found.presentation)] == [
        4,
        217,
        15,
    ]


def test_interactions_count_once_whatever_events_they_consist_of() -> None:
    assert recorded("click").sets[0].metrics.interactions == 2


def test_events_answered_by_one_paint_are_added_up(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().end(999)
    timing(builder, 100, 200, processingStart=110, processingEnd=120)
    timing(builder, 150, 150, type="click", processingStart=150, processingEnd=290)
    found = builder.only(tmp_path).metrics.inp

    assert found is not None
    assert (found.type, found.ms) == ("pointerdown", 200)
    assert (found.input_delay, found.processing, found.presentation) == (10, 180, 10)


def test_slowest_event_stands_for_its_interaction(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().end(999)
    timing(builder, 100, 40, type="keydown")
    timing(builder, 200, 90, type="keyup")
    timing(builder, 400, 60, type="keyup")
    metrics = builder.only(tmp_path).metrics

    assert metrics.interactions == 1
    assert metrics.inp is not None
    assert (metrics.inp.type, metrics.inp.ms) == ("keyup", 90)


def test_event_that_belongs_to_no_interaction_does_not_count(tmp_path: Path) -> None:
    builder = timing(TraceBuilder().begin().navigate().end(999), 100, 500, interactionId=0)
    builder.add("EventTiming", 900, ph="e", id="0xunknown")

    assert builder.only(tmp_path).metrics.inp is None


def test_event_without_an_end_lasts_as_long_as_it_says(tmp_path: Path) -> None:
    builder = timing(TraceBuilder().begin().navigate().end(999), 100, 70)
    builder.events.pop()
    found = builder.only(tmp_path).metrics.inp

    assert found is not None
    assert found.ms == 70


def test_one_slow_interaction_in_fifty_is_forgiven() -> None:
    many = [interaction(ms) for ms in (900, 800, *[50] * 58)]

    assert inp(many) == interaction(800)
    assert inp(many[:49]) == interaction(900)
    assert inp([]) is None
