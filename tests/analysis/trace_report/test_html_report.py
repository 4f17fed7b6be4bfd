from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from tabmux.analysis.trace.page_metrics import rating
from tabmux.analysis.trace_report.html_report import BARS, html
from tests.analysis.trace_builder import PAGE, TraceBuilder, recorded

VOID = frozenset(("meta", "img", "link", "br"))


class Outline(HTMLParser):
    """Collects the tags of a page and complains about those left open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.sources: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_page_is_whole_and_needs_nothing_from_elsewhere() -> None:
    outline = Outline(html(recorded("click")))

    assert outline.open == []
    assert "script" not in outline.tags
    assert outline.sources
    assert all(s.startswith("data:image/jpeg;base64,") for s in outline.sources)


def test_page_shows_metrics_filmstrip_timeline_and_insights() -> None:
    text = html(recorded("click"))

    assert '<div class="tile fair">INP<b>236 ms</b></div>' in text
    assert "<mark>FCP</mark> <mark>LCP</mark>" in text
    assert "long tasks" in text
    assert "<b>INPBreakdown</b>pointerdown took 236 ms" in text
    assert '<summary class="quiet"><b>ImageDelivery</b>' in text


def test_what_the_page_says_of_itself_cannot_break_the_report(tmp_path: Path) -> None:
    evil = "https://shop.test/<script>alert(1)</script>\"'"
    builder = (
        TraceBuilder().begin().navigate(url=evil).document(url=evil, renderBlocking="blocking")
    )
    text = html(builder.paint(80).end(99).trace(tmp_path))

    assert "<script" not in text
    assert "%3Cscript%3E" in text


def test_set_without_requests_tasks_or_pictures_is_still_shown(tmp_path: Path) -> None:
    text = html(TraceBuilder().begin(url=PAGE).end(20).trace(tmp_path))

    assert "NO_NAVIGATION" in text
    assert "Timeline" not in text
    assert "Filmstrip" not in text


def test_tasks_without_requests_are_drawn(tmp_path: Path) -> None:
    text = html(TraceBuilder().begin(url="").add("RunTask", 20, 90).trace(tmp_path))

    assert '<i class="task"' in text
    assert "<title>Trace</title>" in text


def test_throttling_is_mentioned() -> None:
    assert "CPU 4x slower" in html(replace(recorded("click"), throttling="CPU 4x slower"))


def test_values_are_rated_by_the_known_bounds() -> None:
    assert [rating("LCP", ms) for ms in (2500, 2501, 4001)] == ["good", "fair", "poor"]


def test_marks_and_colours_are_explained() -> None:
    text = html(recorded("click"))

    assert "LCP: the largest one is." in text
    for kind, what in BARS.items():
        assert f'<i class="{kind}"></i> {what}' in text


def test_nothing_is_drawn_outside_the_picture(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().document().paint(80)
    builder.data("MarkLoad", 100, frame="MAIN").add("RunTask", 105, 900)
    text = html(builder.trace(tmp_path))

    bars = re.findall(r"left:([\d.]+)%;width:([\d.]+)%", text)
    assert bars
    assert all(float(left) + float(width) <= 100.01 for left, width in bars)


def test_label_of_a_late_moment_stands_left_of_its_line(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().document().paint(10)
    text = html(builder.data("MarkLoad", 100, frame="MAIN").trace(tmp_path))

    assert re.search(r'<div style="left:[\d.]+%"><mark>FCP 10 ms', text)
    assert re.search(r'<div class="late" style="left:[\d.]+%"><mark>load 100 ms', text)
