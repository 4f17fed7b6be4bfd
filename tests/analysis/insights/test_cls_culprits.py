from __future__ import annotations

from typing import Any

import pytest

from tabmux.analysis.insights.cls_culprits import analyse, causes
from tabmux.analysis.trace.call_frames import CallFrame
from tabmux.analysis.trace.handlers.layout_shifts import (
    Invalidation,
    LayoutShift,
    ShiftedNode,
    TraceAnimation,
)
from tabmux.analysis.trace.handlers.page_frames import ChildFrame
from tabmux.analysis.trace.page_metrics import PageMetrics, ShiftCluster
from tests.analysis.insight_set_samples import image, part, request
from tests.analysis.trace_builder import recorded

Rectangle = tuple[float, float, float, float]
INSERT = CallFrame("insert", "https://shop.test/app.js", 8, 2)
OTHER = CallFrame("other", "https://shop.test/other.js", 1, 1)


def shift(at: float, score: float = 0.2, *nodes: ShiftedNode) -> LayoutShift:
    return LayoutShift(at * 1000, 7, "MAIN", score, after_input=False, nodes=nodes)


def invalidation(
    at: float, call_frame: CallFrame, reason: str = "", node: int = 0, name: str = ""
) -> Invalidation:
    return Invalidation(at * 1000, 7, call_frame, reason, node, name)


def blamed(moved: LayoutShift, **more: Any) -> list[str]:
    return [cause.text for cause in causes(part(**more), moved)]


def test_every_recorded_shift_is_traced_to_its_script_or_animation() -> None:
    recording = recorded("shift").sets[0]
    first, second, third = (cluster.shifts[0] for cluster in recording.metrics.clusters)

    inserted = "(node was inserted into tree)"
    assert [next(causes(recording, moved)).text for moved in (first, second, third)] == [
        f"insertTop shift.js:2:134 changed DIV [node 19] {inserted} 2.1 ms before",
        f"addFrame shift.js:4:119 changed IFRAME [node 21] {inserted} 23 ms before",
        "the animation grow of margin-top ran on DIV id='box' class='g' [node 13]",
    ]


def test_worst_cluster_is_explained_shift_by_shift() -> None:
    found = analyse(recorded("shift").sets[0])

    assert found.noteworthy
    assert found.details[0] == "0.1626 at 819 ms: moved BODY [node 9] changed size"
    assert found.details[1].startswith("  because insertTop shift.js:2:134 changed DIV [node 19]")
    assert found.nodes == (19, 9)
    assert found.resources == ("http://127.0.0.1:9399/shift.js",)


def test_change_of_the_same_frame_comes_before_older_ones() -> None:
    invalidations = [invalidation(700, OTHER), invalidation(990, INSERT), invalidation(991, INSERT)]

    assert blamed(shift(1000), invalidations=invalidations, prepaints=[980_000]) == [
        "insert app.js:8:2 changed the page 9.0 ms before",
        "other other.js:1:1 changed the page 300 ms before",
    ]


def test_change_too_long_ago_or_too_late_is_not_blamed() -> None:
    assert (
        blamed(shift(1000), invalidations=[invalidation(400, INSERT), invalidation(1001, OTHER)])
        == []
    )


def test_unsized_image_is_blamed_in_the_frame_it_arrived_in() -> None:
    arrived = image("hero.jpg", (10, 10), (10, 10), ts=1_002_000, node=5)

    assert blamed(shift(1000), images=[arrived], unsized=frozenset({5})) == [
        "IMG [node 5] has no size of its own and arrived"
    ]


def test_image_that_was_there_before_is_not_blamed() -> None:
    before = image("hero.jpg", (10, 10), (10, 10), ts=500_000, node=5)
    again = image("hero.jpg", (20, 20), (10, 10), ts=1_002_000, node=5)

    assert blamed(shift(1000), images=[before, again], unsized=frozenset({5})) == []


def test_image_of_a_later_frame_is_not_blamed() -> None:
    later = image("hero.jpg", (10, 10), (10, 10), ts=1_050_000, node=5)
    frames = [1_001_000, 1_017_000, 1_033_000]

    assert blamed(shift(1000), images=[later], unsized=frozenset({5}), prepaints=frames) == []


def test_font_and_iframe_that_just_arrived_are_blamed() -> None:
    font = request("f.woff2", 0, 980, kind="Font")
    ad = ChildFrame("https://ads.test/", 900_000)
    moved = part(font, request("a.js", 0, 990), child_frames=[ad])

    assert [cause.text for cause in causes(moved, shift(1000))] == [
        "the font f.woff2 arrived 20 ms before",
        "an iframe loaded https://ads.test/ 100 ms before",
    ]


def test_animation_that_was_running_is_blamed() -> None:
    running = TraceAnimation(7, 900_000, 2_000_000, "grow", 5, "DIV", failed=8)
    over = TraceAnimation(7, 100_000, 200_000, "fade", 6, "DIV", failed=8)

    assert blamed(shift(1000), animations=[running, over]) == [
        "the animation grow ran on DIV [node 5]"
    ]


def test_shift_without_a_cause_says_so() -> None:
    nodes = tuple(ShiftedNode(i, "P") for i in range(1, 7))
    metrics = PageMetrics(clusters=(ShiftCluster((shift(1000, 0.2, *nodes),)),))
    found = analyse(part(metrics=metrics))

    assert found.finding == "CLS 0.200 from 1 shift; cause not recorded"
    assert found.details == (
        "0.2000 at 1000 ms: moved P [node 1], P [node 2], P [node 3], P [node 4] and 2 more",
        "  because of something this trace does not show",
    )


@pytest.mark.parametrize(
    ("old", "new", "moved"),
    [
        ((8, 8, 10, 10), (8, 50, 10, 10), "P 42 px down"),
        ((8, 50, 10, 10), (8, 8, 10, 10), "P 42 px up"),
        ((8, 8, 10, 10), (20, 8, 10, 10), "P 12 px right"),
        ((20, 8, 10, 10), (8, 8, 10, 10), "P 12 px left"),
        ((8, 8, 10, 10), (8, 4, 10, 90), "P changed size"),
        ((8, 8, 10, 10), (0, 0, 0, 0), "P out of view"),
        ((0, 0, 0, 0), (8, 8, 10, 10), "P into view"),
    ],
)
def test_shift_says_how_far_things_moved(old: Rectangle, new: Rectangle, moved: str) -> None:
    moving = shift(1000, 0.2, ShiftedNode(0, "P", old, new))
    found = analyse(part(metrics=PageMetrics(clusters=(ShiftCluster((moving,)),))))

    assert found.details[0] == f"0.2000 at 1000 ms: moved {moved}"


def test_long_cluster_is_cut_to_its_largest_shifts() -> None:
    shifts = tuple(shift(100 * i, 0.001 * i) for i in range(1, 13))
    found = analyse(part(metrics=PageMetrics(clusters=(ShiftCluster(shifts),))))

    assert found.details[0] == "0.0120 at 1200 ms"
    assert found.details[-1] == "… 4 smaller shifts"
