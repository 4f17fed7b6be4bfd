"""Five pages recorded once by chrome-devtools-mcp 1.11.0; the numbers are those it printed.

data/peer holds the events that an analysis can read, without pictures. docs/performance.md
shows the same numbers side by side.
"""

from __future__ import annotations

from functools import cache

import pytest

from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.analysis.trace.trace import Trace, read_trace
from tabmux.analysis.trace_report import text_report
from tests.analysis.trace_builder import DATA

LCP = {
    "image": (771, [19, 27, 621, 104]),
    "css": (766, [28, 738]),
    "shift": (240, [31, 209]),
    "task": (247, [30, 217]),
    "third": (459, [23, 436]),
}
LINES = [
    ("css", "RenderBlocking", ["558 ms", "330 ms", "253 ms"]),
    ("image", "RenderBlocking", ["55 ms"]),
    ("task", "RenderBlocking", ["64 ms"]),
    ("third", "RenderBlocking", ["56 ms"]),
    ("image", "ImageDelivery", ["340.5 kB"]),
    ("shift", "ImageDelivery", ["11.7 kB"]),
    ("image", "Cache", ["288.5 kB", "1.2 kB", "178 B"]),
    ("css", "Cache", ["2.4 kB", "171 B", "171 B"]),
    ("shift", "Cache", ["10.1 kB", "310 B"]),
    ("task", "Cache", ["430 B"]),
    ("third", "Cache", ["607.9 kB", "3 kB", "226 B"]),
    ("third", "FontDisplay", ["255 ms DejaVuSans"]),
    ("third", "ThirdParties", ["localhost: 105 ms, 4.1 kB"]),
    ("shift", "CLSCulprits", ["0.0105", "0.0004"]),
    ("image", "NetworkDependencyTree", ["83 ms", "80 ms", "157 ms", "96 ms"]),
    ("css", "NetworkDependencyTree", ["166 ms", "680 ms", "443 ms", "381 ms"]),
    ("shift", "NetworkDependencyTree", ["149 ms", "142 ms"]),
    ("task", "NetworkDependencyTree", ["128 ms", "130 ms"]),
    ("third", "NetworkDependencyTree", ["227 ms", "408 ms", "152 ms"]),
]


@cache
def trace(page: str) -> Trace:
    return read_trace(DATA / "peer" / f"{page}.json.gz")


def part(page: str) -> InsightSet:
    return trace(page).set("NAVIGATION_0")


@pytest.mark.parametrize("page", LCP)
def test_largest_paint_and_its_parts(page: str) -> None:
    lcp = part(page).metrics.lcp
    assert lcp is not None
    assert (round(lcp.ms), [round(section.ms) for section in lcp.parts]) == LCP[page]


def test_shift_score() -> None:
    assert round(part("shift").metrics.cls, 4) == 0.0109


def test_interaction_and_its_parts() -> None:
    inp = part("task").metrics.inp
    assert inp is not None
    parts = [inp.ms, inp.input_delay, inp.processing, inp.presentation]
    assert [round(ms) for ms in parts] == [163, 3, 128, 32]


@pytest.mark.parametrize(("page", "name", "starts"), LINES)
def test_rows_of_insights(page: str, name: str, starts: list[str]) -> None:
    lines = text_report.insight(trace(page), "NAVIGATION_0", name).split("\n")
    rows = [line.strip() for line in lines[1:]]
    found = [next((row for row in rows if row.startswith(start)), None) for start in starts]
    assert None not in found, rows


def test_shift_is_charged_to_the_script_that_caused_it() -> None:
    """The other implementation blames an unsized image for it."""
    assert "insertBanner shift.js" in text_report.insight(
        trace("shift"), "NAVIGATION_0", "CLSCulprits"
    )
