from __future__ import annotations

from inline_snapshot import snapshot

from tabmux.analysis.insights.inp_breakdown import analyse
from tabmux.analysis.trace.handlers.interactions import Interaction
from tabmux.analysis.trace.page_metrics import PageMetrics
from tests.analysis.insight_set_samples import part
from tests.analysis.trace_builder import recorded


def test_slow_click_is_explained_by_what_ran() -> None:
    found = analyse(recorded("click").sets[0])

    assert found.finding == snapshot("pointerdown took 236 ms; processing is 217 ms of it")
    assert found.details[:6] == snapshot(
        (
            "input delay 4.0 ms",
            "processing 217 ms",
            "presentation delay 15 ms",
            "at 1697 ms on [node 11]",
            "the slowest of 2 interactions",
            "208 ms in spin click:3:14",
        )
    )
    assert (found.noteworthy, found.nodes) == (True, (11,))


def test_quick_tap_without_a_profile_is_only_divided() -> None:
    tap = Interaction(1, "pointerup", 5000, "MAIN", 0, 2, 10, 20)
    found = analyse(part(metrics=PageMetrics(inp=tap, interactions=1)))

    assert not found.noteworthy
    assert found.details[-2:] == ("at 5.0 ms", "the slowest of 1 interaction")
    assert found.nodes == ()
