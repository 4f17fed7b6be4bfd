from __future__ import annotations

from typing import Any

from tabmux.analysis.insights.insight import Insight
from tabmux.analysis.insights.lcp_discovery import analyse
from tabmux.analysis.trace.page_metrics import Lcp, LcpPart, PageMetrics
from tests.analysis.insight_set_samples import PAGE, part, request


def judged(lazy: bool = False, **more: Any) -> Insight:
    hero = request("hero.jpg", 60, 200, **more)
    parts = (LcpPart("load delay", 30_000, 60_000),)
    lcp = Lcp(300_000, 300, 3, "IMG", lazy, hero.url, hero, parts)
    return analyse(part(hero, metrics=PageMetrics(lcp=lcp)))


def test_image_that_starts_as_early_as_it_can_passes() -> None:
    found = judged(fetch_priority="high", initiator_type="parser", initiator_url=PAGE)

    assert not found.noteworthy
    assert found.finding == "the image was asked for 30 ms after the document's first byte"


def test_every_hindrance_is_named() -> None:
    found = judged(lazy=True, initiator_type="script", initiator_url=PAGE + "app.js")

    assert found.noteworthy
    assert found.finding.startswith(
        "no fetchpriority=high; it is lazy-loaded; it is not in the HTML;"
    )
    assert found.details[:3] == (
        "fetchpriority=high: no",
        "not lazy-loaded: no",
        "in the HTML or preloaded: no",
    )


def test_preload_makes_up_for_a_late_element() -> None:
    assert not judged(lazy=True, preload=True, fetch_priority="high").noteworthy


def test_text_needs_no_discovery() -> None:
    lcp = Lcp(300_000, 300, 3, "H1", lazy=False, url="", request=None, parts=())

    assert "not an image" in analyse(part(metrics=PageMetrics(lcp=lcp))).finding
