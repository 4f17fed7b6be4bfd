from __future__ import annotations

from pathlib import Path

from tests.analysis.trace_builder import TraceBuilder


def tasks(builder: TraceBuilder, folder: Path) -> list[tuple[float, float]]:
    part = builder.only(folder)
    return [(part.at(task.start), task.ms) for task in part.metrics.long_tasks]


def test_only_tasks_over_fifty_milliseconds_are_long(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().add("RunTask", 10, 50).add("RunTask", 90, 51)

    assert tasks(builder, tmp_path) == [(90, 51)]


def test_tasks_of_other_threads_do_not_count(tmp_path: Path) -> None:
    builder = (
        TraceBuilder()
        .begin()
        .navigate()
        .add("RunTask", 10, 500, tid=8)
        .add("RunTask", 10, 600, pid=8)
    )

    assert tasks(builder, tmp_path) == []


def test_task_told_by_start_and_end_is_joined(tmp_path: Path) -> None:
    builder = (
        TraceBuilder().begin().navigate().add("RunTask", 10, ph="B").add("RunTask", 100, ph="E")
    )
    builder.add("RunTask", 200, ph="E").add("RunTask", 300, ph="I")

    assert tasks(builder, tmp_path) == [(10, 90)]


def test_task_that_never_ended_lasts_until_the_recording_does(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().add("RunTask", 10, 60).add("RunTask", 100, ph="B")

    assert tasks(builder.add("Other", 400), tmp_path) == [(10, 60), (100, 300)]


def test_start_whose_end_was_lost_is_ignored(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().add("RunTask", 10, ph="B").add("RunTask", 100, 60)

    assert tasks(builder, tmp_path) == [(100, 60)]


def test_task_across_a_navigation_is_divided(tmp_path: Path) -> None:
    builder = (
        TraceBuilder().begin().navigate().navigate(at=100, name="NEXT").add("RunTask", 20, 200)
    )
    first, second = builder.trace(tmp_path).sets

    assert [round(task.ms) for task in first.metrics.long_tasks] == [80]
    assert [round(task.ms) for task in second.metrics.long_tasks] == [120]


def test_calls_are_ordered_with_the_outer_first(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.data(
        "FunctionCall", 20, 5, functionName="inner", url="https://shop.test/a.js", lineNumber=1
    )
    builder.add("v8.compile", 20, 9, args={"fileName": "https://shop.test/a.js"})
    builder.data("ParseAuthorStyleSheet", 1, 2, styleSheetUrl="https://shop.test/a.css")
    builder.data("FunctionCall", 30, 5, functionName="native")
    part = builder.only(tmp_path)

    found = [
        (part.at(start), call_frame.function, call_frame.url)
        for start, _, call_frame in part.calls.between(0, 1e9)
    ]
    assert found == [
        (1, "", "https://shop.test/a.css"),
        (20, "", "https://shop.test/a.js"),
        (20, "inner", "https://shop.test/a.js"),
    ]
    assert len(list(part.calls.outermost(0, 1e9))) == 2
    assert len(part.calls) == 3


def test_layout_says_how_much_it_touched_and_who_forced_it(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    stack = [{"functionName": "measure", "url": "https://shop.test/a.js", "lineNumber": 4}]
    begin = {"dirtyObjects": 10, "totalObjects": 20, "stackTrace": stack}
    builder.add("Layout", 30, 2, args={"beginData": begin})
    builder.add("UpdateLayoutTree", 20, 3, args={"elementCount": 7})
    style, layout = builder.only(tmp_path).layouts

    assert (style.is_style, style.ms, style.changed, style.forced_by) == (True, 3, 7, None)
    assert (layout.is_style, layout.changed, layout.total) == (False, 10, 20)
    assert layout.forced_by is not None
    assert layout.forced_by.function == "measure"
