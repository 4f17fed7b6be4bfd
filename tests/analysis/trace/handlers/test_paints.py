from __future__ import annotations

from pathlib import Path

import msgspec

from tabmux.analysis.trace.handlers.paints import Paints
from tabmux.analysis.trace.trace_event import TraceEvent
from tests.analysis.trace_builder import START, TraceBuilder, recorded

HERO = "https://shop.test/hero.jpg"


def test_latest_candidate_is_the_largest_paint(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().document().paint(80)
    for index, at in ((1, 80), (3, 300), (2, 200)):
        builder.data(
            "largestContentfulPaint::Candidate",
            at,
            navigationId="NAV",
            candidateIndex=index,
            nodeId=index,
            nodeName=f"P{index}",
            type="text",
        )
    lcp = builder.only(tmp_path).metrics.lcp

    assert lcp is not None
    assert (lcp.ms, lcp.node, lcp.node_name, lcp.url) == (300, 3, "P3", "")
    assert [(part.name, part.ms) for part in lcp.parts] == [("TTFB", 50), ("render delay", 250)]


def test_image_that_is_the_largest_paint_is_found_with_its_request(tmp_path: Path) -> None:
    builder = (
        TraceBuilder().begin().navigate().document().request(HERO, 70, 400, resourceType="Image")
    )
    builder.data("LargestImagePaint::Candidate", 450, DOMNodeId=3, imageUrl=HERO)
    builder.data(
        "largestContentfulPaint::Candidate",
        450,
        navigationId="NAV",
        candidateIndex=1,
        nodeId=3,
        type="image",
        loadingAttr="lazy",
    )
    lcp = builder.only(tmp_path).metrics.lcp

    assert lcp is not None
    assert lcp.request is not None
    assert (lcp.url, lcp.lazy, lcp.request.url) == (HERO, True, HERO)
    assert [round(part.ms) for part in lcp.parts] == [50, 20, 330, 50]


def test_largest_paint_without_its_document_has_no_parts(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.data("largestContentfulPaint::Candidate", 450, navigationId="NAV", candidateIndex=1)
    lcp = builder.only(tmp_path).metrics.lcp

    assert lcp is not None
    assert lcp.parts == ()


def test_repainted_image_counts_once_for_each_size(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    for at, width in ((300, 50), (200, 50), (250, 80)):
        builder.data("PaintImage", at, nodeId=3, url=HERO, width=width, height=10)
    images = builder.only(tmp_path).images

    assert [(image.ts, image.width) for image in images] == [
        (START + 200_000, 50),
        (START + 250_000, 80),
    ]


def test_screenshots_carry_the_time_they_were_shown(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.add("Screenshot", 30, args={"snapshot": "/9j/B"})
    builder.add(
        "Screenshot", 20, args={"snapshot": "/9j/A", "expected_display_time": START + 25_000}
    )

    shots = builder.trace(tmp_path).screenshots
    assert [(shot.ts, shot.data) for shot in shots] == [
        (START + 25_000, "/9j/A"),
        (START + 30_000, "/9j/B"),
    ]


def test_long_film_is_thinned_while_it_is_read() -> None:
    paints = Paints(screenshot_bytes=1000)
    take = paints.listeners()["Screenshot"]
    args = msgspec.Raw(msgspec.json.encode({"snapshot": "x" * 100}))
    for at in range(200):
        take(TraceEvent(name="Screenshot", ts=START + at, args=args))

    assert 3 < len(paints.screenshots) <= 10


def test_real_screenshots_are_pictures() -> None:
    assert all(shot.data.startswith("/9j/") for shot in recorded("click").screenshots)
