from __future__ import annotations

from tabmux.analysis.trace.handlers.paints import TraceScreenshot
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.analysis.trace.page_metrics import Lcp, PageMetrics
from tabmux.analysis.trace.trace import Trace
from tabmux.analysis.trace_report.filmstrip import filmstrip
from tests.analysis.trace_builder import recorded

LCP = Lcp(900_000, 900, 3, "IMG", lazy=False, url="", request=None, parts=())


def film(*at: float, metrics: PageMetrics | None = None) -> Trace:
    shots = tuple(TraceScreenshot(ms * 1000, f"/9j/{ms:g}") for ms in at)
    part = InsightSet("NAVIGATION_0", end=9_000_000, metrics=metrics or PageMetrics())
    return Trace((part,), 0, 9_000_000, shots)


def test_metrics_mark_the_frame_that_was_shown_when_they_were_reached() -> None:
    frames = filmstrip(
        film(10, 505, 880, 910, 3000, metrics=PageMetrics(fcp=500, lcp=LCP, loaded=2000))
    )

    assert [(frame.ms, frame.marks) for frame in frames] == [
        (10, ()),
        (505, ("FCP",)),
        (880, ()),
        (910, ("LCP", "load")),
        (3000, ()),
    ]


def test_paint_marks_the_first_frame_that_shows_it() -> None:
    """A frame may be missing, or another follow at once."""
    late = filmstrip(film(10, 400, 1000, 3000, metrics=PageMetrics(lcp=LCP)))
    quick = filmstrip(film(10, 898, 925, 3000, metrics=PageMetrics(lcp=LCP)))
    last = filmstrip(film(10, 400, metrics=PageMetrics(lcp=LCP)))

    assert [frame.ms for frame in late if frame.marks] == [1000]
    assert [frame.ms for frame in quick if frame.marks] == [898]
    assert [frame.ms for frame in last if frame.marks] == [400]


def test_metric_before_the_first_frame_marks_that_frame() -> None:
    assert filmstrip(film(500, metrics=PageMetrics(fcp=100)))[0].marks == ("FCP",)


def test_long_film_keeps_its_ends_its_marks_and_an_even_spread() -> None:
    frames = filmstrip(film(*range(0, 2000, 20), metrics=PageMetrics(fcp=400)), limit=5)

    assert [frame.ms for frame in frames] == [0, 400, 1180, 1580, 1980]
    assert frames[1].marks == ("FCP",)


def test_each_set_has_a_strip_of_its_own() -> None:
    assert {frame.set_id for frame in filmstrip(recorded("navigations"))} <= {
        "NAVIGATION_0",
        "NAVIGATION_1",
    }


def test_trace_without_screenshots_has_no_strip() -> None:
    assert filmstrip(film()) == []
