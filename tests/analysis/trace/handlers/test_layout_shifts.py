from __future__ import annotations

from pathlib import Path

from tests.analysis.trace_builder import TraceBuilder, recorded

STACK = [
    {
        "functionName": "insert",
        "url": "https://shop.test/app.js",
        "lineNumber": 8,
        "columnNumber": 2,
    }
]


def test_change_repeated_within_a_frame_is_kept_once(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().end(99)
    for at in (1, 1.1, 1.2, 40):
        builder.data("ScheduleStyleRecalculation", at, stackTrace=STACK)
    builder.data("ScheduleStyleRecalculation", 41)

    assert len(builder.only(tmp_path).invalidations) == 2


def test_change_names_node_reason_and_script() -> None:
    invalidations = recorded("shift").sets[0].invalidations
    inserted = next(invalidation for invalidation in invalidations if invalidation.reason)

    assert (inserted.call_frame.function, inserted.call_frame.line) == ("insertTop", 2)
    assert (inserted.node_name, inserted.reason) == ("DIV", "Node was inserted into tree")


def test_animation_on_the_main_thread_is_kept_with_its_properties() -> None:
    (animation,) = recorded("shift").sets[0].animations

    assert (animation.name, animation.properties) == ("grow", ("margin-top",))
    assert round((animation.end - animation.start) / 1000, -1) == 410


def test_id_of_a_finished_animation_may_be_used_again(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().end(99)
    for at, phase in ((10, "b"), (20, "n"), (30, "e"), (50, "b"), (60, "n")):
        data = {"compositeFailed": 8} if phase == "n" else {"name": f"from {at}"}
        builder.add("Animation", at, ph=phase, id="0x1", args={"data": data})

    animations = builder.only(tmp_path).animations
    assert [animation.name for animation in animations] == ["from 10", "from 50"]


def test_animation_on_the_compositor_is_left_out(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().end(99)
    builder.add("Animation", 10, ph="b", id2={"local": "0x1"}, args={"data": {"name": "fade"}})

    assert builder.only(tmp_path).animations == []
