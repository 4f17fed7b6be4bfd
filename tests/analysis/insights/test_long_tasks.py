from __future__ import annotations

from inline_snapshot import snapshot

from tabmux.analysis.insights.long_tasks import analyse
from tabmux.analysis.trace.call_frames import CallFrame
from tabmux.analysis.trace.page_metrics import PageMetrics
from tests.analysis.insight_set_samples import calls, layout, part, task
from tests.analysis.trace_builder import recorded

WORK = CallFrame("work", "https://shop.test/app.js", 3)


def test_functions_are_ranked_by_their_own_time() -> None:
    found = analyse(recorded("click").sets[0])

    assert found.finding == snapshot(
        "4 tasks over 50 ms, the longest 188 ms; TBT 272 ms, 354 ms in spin click:3:14"
    )
    assert found.details[0] == snapshot(
        "188 ms at 1736 ms: spin click:3:14 178 ms, (program) 7.2 ms, onGo click:4:41 1.6 ms"
    )
    assert "354 ms self time in spin click:3:14" in found.details


def test_calls_stand_in_for_a_missing_profile() -> None:
    metrics = PageMetrics(long_tasks=(task(100, 90),), tbt=40)
    found = analyse(
        part(metrics=metrics, calls=calls((105, 80, WORK), (110, 5, CallFrame("x", "y"))))
    )

    assert found.details == (
        "90 ms at 100 ms: work app.js:3 80 ms",
        "80 ms self time in work app.js:3",
    )


def test_browsers_own_work_is_named() -> None:
    metrics = PageMetrics(long_tasks=(task(100, 200),), tbt=150)
    updates = [layout(101, 120, style=True), layout(230, 40), layout(280, 9, WORK)]
    found = analyse(part(metrics=metrics, layouts=updates))

    assert found.finding.endswith("120 ms in (style recalculation)")
    assert found.details[0] == "200 ms at 100 ms: (style recalculation) 120 ms, (layout) 40 ms"


def test_task_of_which_nothing_is_known_says_so() -> None:
    found = analyse(part(metrics=PageMetrics(long_tasks=(task(100, 60),))))

    assert found.details == ("60 ms at 100 ms: no script",)
    assert not found.noteworthy
