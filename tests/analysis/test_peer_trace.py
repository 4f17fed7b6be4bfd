"""The numbers of fixtures/trace1, as another implementation worked them out."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tabmux.analysis.insights.cache import cache_expiry
from tabmux.analysis.insights.image_delivery import findings
from tabmux.analysis.insights.insight_list import analyse, explain
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.analysis.trace.trace import Trace, read_trace
from tabmux.analysis.trace_report import text_report
from tests.analysis.trace_builder import TRACE1

pytestmark = pytest.mark.skipif(not TRACE1.exists(), reason=f"{TRACE1} is not here")


@cache
def trace() -> Trace:
    return read_trace(TRACE1)


def part() -> InsightSet:
    (found,) = trace().sets
    return found


def test_bounds_and_set() -> None:
    assert (trace().start, trace().end) == (657693649, 663883510)
    assert (part().id, part().url, part().start) == (
        "NAVIGATION_0",
        "http://127.0.0.1:9341/",
        657726468,
    )


def test_largest_paint_and_its_four_parts() -> None:
    lcp = part().metrics.lcp

    assert lcp is not None
    assert (round(lcp.ms), lcp.node, lcp.ts) == (928, 3, 658654360)
    assert [(section.start, section.end) for section in lcp.parts] == [
        (657726468, 657810161),
        (657810161, 657833581),
        (657833581, 658623263),
        (658623263, 658654360),
    ]
    assert [round(section.ms) for section in lcp.parts] == [84, 23, 790, 31]


def test_layout_shift() -> None:
    assert round(part().metrics.cls, 4) == 0.1346


def test_long_tasks() -> None:
    assert [round(task.ms) for task in part().metrics.long_tasks] == [82, 224, 72, 61, 117]
    assert round(part().metrics.tbt) == 306


def test_render_blocking_durations() -> None:
    lines = explain(part(), "RenderBlocking").details

    assert [int(line.split()[0]) for line in lines] == [648, 251, 205, 193, 152]


def test_cache_rows() -> None:
    rows = [row for request in part().requests if (row := cache_expiry(request))]
    rows.sort(key=lambda row: -row.wasted)

    names = [re.sub(r".*/|\?.*", "", row.request.url) for row in rows]
    assert names == [
        *("hero.png", "big.png", "small.png", "font.woff2", "legacy.js", "app.js"),
        *("style.css", "third.js", "import.css", "third.css", "nested.css"),
    ]
    assert [round(row.wasted / 1000, 1) for row in rows[2:6]] == [71.7, 45.0, 40.7, 1.2]
    assert [round(row.wasted) for row in rows[6:]] == [370, 265, 146, 114, 109]
    assert [row.seconds for row in rows] == [60, 60, 60, *[0] * 8]


def test_image_savings() -> None:
    assert [finding.bytes for finding in findings(part())] == [1_275_978, 1_079_326, 68_208]


def test_font_and_forced_reflow_and_third_parties() -> None:
    assert explain(part(), "FontDisplay").savings.ms == 315
    assert round(explain(part(), "ForcedReflow").savings.ms) == 75
    assert explain(part(), "ThirdParties").details == ("localhost: 151 ms, 379 B",)


def test_critical_path_follows_the_scripts_that_asked() -> None:
    tree = explain(part(), "NetworkDependencyTree")

    assert "1621 ms" in tree.finding
    after_app = tree.details[
        tree.details.index("  838 ms http://127.0.0.1:9341/app.js?delay=50") + 1 :
    ]
    assert [line.split("/")[-1] for line in after_app[:2]] == [
        "api2.json?delay=150",
        "api1.json?delay=120",
    ]


def test_shift_is_blamed_on_the_script_that_made_it() -> None:
    assert (
        "insertTop app.js:8:142 changed the page 7.6 ms before"
        in explain(part(), "CLSCulprits").finding
    )


@pytest.mark.parametrize(
    ("name", "noteworthy"),
    [
        ("LCPBreakdown", True),
        ("LCPDiscovery", True),
        ("CLSCulprits", True),
        ("RenderBlocking", True),
        ("NetworkDependencyTree", True),
        ("ImageDelivery", True),
        ("FontDisplay", True),
        ("ThirdParties", True),
        ("ForcedReflow", True),
        ("Cache", True),
        ("LegacyJavaScript", True),
        ("LongTasks", True),
        ("CharacterSet", True),
        ("DocumentLatency", False),
        ("DOMSize", False),
        ("DuplicatedJavaScript", False),
        ("INPBreakdown", False),
        ("ModernHTTP", False),
        ("SlowCSSSelector", False),
        ("Viewport", False),
    ],
)
def test_insights_speak_when_they_have_something_to_say(name: str, noteworthy: bool) -> None:
    assert {found.name: found.noteworthy for found in analyse(part())}[name] is noteworthy


def test_summary_is_short() -> None:
    assert len(text_report.summary(trace())) < 2000
