from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from tabmux.analysis.trace_report import text_report
from tabmux.errors import BadArguments
from tests.analysis.trace_builder import FRAME, PAGE, TraceBuilder, recorded


def test_summary_lists_metrics_and_only_the_insights_that_speak() -> None:
    assert text_report.summary(recorded("click")) == snapshot("""\
NAVIGATION_0 http://127.0.0.1:9399/click
FCP 199 ms
LCP 199 ms = TTFB 16 + render delay 183; P id='o' [node 12]
CLS 0
INP 236 ms (fair) = input delay 4 + processing 217 + presentation delay 15; pointerdown on [node 11]
TBT 272 ms (fair), 4 long tasks
load 183 ms, 2 requests, 672 B
insights:
- INPBreakdown: pointerdown took 236 ms; processing is 217 ms of it
- LongTasks: 4 tasks over 50 ms, the longest 188 ms; TBT 272 ms, 354 ms in spin click:3:14\
""")


def test_every_set_has_its_paragraph() -> None:
    paragraphs = text_report.summary(recorded("navigations")).split("\n\n")

    assert [paragraph.split()[0] for paragraph in paragraphs] == ["NAVIGATION_0", "NAVIGATION_1"]


def test_shifts_are_summed_up_with_their_clusters() -> None:
    assert "CLS 0.163 (fair), 1 shift at 819 ms, 2 smaller clusters" in text_report.summary(
        recorded("shift")
    )


def test_poor_page_is_called_poor(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().document().paint(3500).add("RunTask", 3600, 900)

    assert "FCP 3500 ms (poor)" in text_report.summary(builder.trace(tmp_path))
    assert "TBT 850 ms (poor), 1 long task" in text_report.summary(builder.trace(tmp_path))


def test_page_without_paints_shows_what_there_is(tmp_path: Path) -> None:
    builder = TraceBuilder().begin(url=PAGE).data("MarkLoad", 10, frame=FRAME).end(20)

    assert text_report.summary(builder.trace(tmp_path)) == f"NO_NAVIGATION {PAGE}\nload 20 ms"


def test_largest_paint_without_its_document_is_not_divided(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().end(500)
    data: dict[str, Any] = {"navigationId": "NAV", "candidateIndex": 1, "nodeName": "H1"}
    builder.data("largestContentfulPaint::Candidate", 450, **data)

    assert "LCP 450 ms; H1" in text_report.summary(builder.trace(tmp_path))


def test_interaction_on_no_node_names_none(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().end(500)
    data = {
        "type": "keydown",
        "interactionId": 1,
        "duration": 40,
        "processingStart": 1,
        "processingEnd": 2,
    }
    builder.add("EventTiming", 100, ph="b", id="1", args={"data": data})

    assert text_report.summary(builder.trace(tmp_path)).endswith("; keydown")


def test_throttling_is_mentioned_first() -> None:
    trace = replace(recorded("click"), throttling="CPU 4x slower")

    assert text_report.summary(trace).startswith("recorded with CPU 4x slower\n\nNAVIGATION_0")


def test_long_journey_is_cut_short(tmp_path: Path) -> None:
    builder = TraceBuilder().begin()
    for i in range(13):
        builder.navigate(at=i * 100, name=f"N{i}")

    assert text_report.summary(builder.end(2000).trace(tmp_path)).endswith(
        "… 3 more sets, up to NAVIGATION_12"
    )


def test_one_insight_is_explained_with_what_it_rests_on() -> None:
    text = text_report.insight(recorded("click"), "NAVIGATION_0", "INPBreakdown")

    assert text == snapshot("""\
INPBreakdown in NAVIGATION_0: pointerdown took 236 ms; processing is 217 ms of it
input delay 4.0 ms
processing 217 ms
presentation delay 15 ms
at 1697 ms on [node 11]
the slowest of 2 interactions
208 ms in spin click:3:14
1.6 ms in onGo click:4:41
0.2 ms in onDown click:5:49
resources:
http://127.0.0.1:9399/click\
""")


def test_savings_are_told_and_addresses_not_repeated() -> None:
    text = text_report.insight(recorded("bundles"), "NAVIGATION_0", "Cache")

    assert "could save up to 57.1 kB" in text
    assert "resources:" not in text


def test_insight_that_found_nothing_still_answers() -> None:
    text = text_report.insight(recorded("click"), "NAVIGATION_0", "ImageDelivery")

    assert text == "ImageDelivery in NAVIGATION_0: the images are as small as they need to be"


@pytest.mark.parametrize(
    ("set_id", "name"), [("NAVIGATION_5", "Cache"), ("NAVIGATION_0", "Caches")]
)
def test_wrong_set_or_name_is_refused(set_id: str, name: str) -> None:
    with pytest.raises(BadArguments):
        text_report.insight(recorded("click"), set_id, name)
