from __future__ import annotations

from tabmux.analysis.insights.lcp_breakdown import analyse
from tabmux.analysis.trace.page_metrics import Lcp, LcpPart, PageMetrics
from tests.analysis.insight_set_samples import part


def lcp(ms: float, *lengths: float) -> Lcp:
    names = ("TTFB", "render delay")
    ends = [sum(lengths[: i + 1]) * 1000 for i in range(len(lengths))]
    starts = [0, *ends]
    parts = tuple(LcpPart(n, s, e) for n, s, e in zip(names, starts, ends, strict=False))
    return Lcp(ms * 1000, ms, 3, "H1", lazy=False, url="", request=None, parts=parts)


def test_largest_part_is_named() -> None:
    found = analyse(part(metrics=PageMetrics(lcp=lcp(1000, 100, 900))))

    assert found.finding == "render delay is 900 ms of 1000 ms (90%)"
    assert found.details == (
        "TTFB 100 ms, until 100 ms",
        "render delay 900 ms, until 1000 ms",
        "element H1 [node 3], text",
    )
    assert (found.noteworthy, found.nodes) == (True, (3,))


def test_quick_paint_is_not_worth_a_line() -> None:
    assert not analyse(part(metrics=PageMetrics(lcp=lcp(300, 100, 200)))).noteworthy


def test_paint_without_its_document_cannot_be_divided() -> None:
    assert "not recorded" in analyse(part(metrics=PageMetrics(lcp=lcp(300)))).finding
