from __future__ import annotations

from dataclasses import replace

import pytest

from tabmux.analysis.insights.insight_list import NAMES, analyse, explain
from tabmux.analysis.trace.call_frames import CallFrame
from tabmux.analysis.trace.handlers.documents_and_scripts import TraceScript
from tabmux.analysis.trace.handlers.layout_shifts import LayoutShift
from tabmux.analysis.trace.handlers.page_frames import ChildFrame
from tabmux.analysis.trace.page_metrics import Lcp, PageMetrics, ShiftCluster, lcp_parts
from tabmux.analysis.trace.trace import Trace
from tabmux.analysis.trace_report import text_report
from tabmux.analysis.trace_report.html_report import html
from tabmux.errors import BadArguments
from tests.analysis.insight_set_samples import (
    PAGE,
    calls,
    document,
    image,
    layout,
    part,
    request,
    task,
)

ASKED_FOR = (
    "LCPBreakdown LCPDiscovery INPBreakdown CLSCulprits RenderBlocking NetworkDependencyTree "
    "DocumentLatency ImageDelivery FontDisplay ThirdParties DOMSize DuplicatedJavaScript "
    "LegacyJavaScript ForcedReflow SlowCSSSelector Viewport ModernHTTP Cache CharacterSet LongTasks"
)


def test_every_insight_is_in_the_catalog_once() -> None:
    assert sorted(NAMES) == sorted(ASKED_FOR.split())


def test_insights_of_an_empty_set_have_nothing_to_say() -> None:
    found = analyse(part())

    assert [insight.name for insight in found] == list(NAMES)
    assert not any(insight.noteworthy for insight in found)
    assert all(insight.finding for insight in found)


def test_unknown_insight_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BadArguments) as refusal:
        explain(part(), "Speed")

    assert "LCPBreakdown" in refusal.value.hint


LONG = "https://shop.test/" + "x" * 3000
INLINE = "data:image/png;base64," + "A" * 3000


@pytest.mark.parametrize("url", [LONG, INLINE])
def test_no_line_is_drowned_by_a_url(url: str) -> None:
    frame = CallFrame("f", url, 1, 1)
    lcp = Lcp(9e5, 900, 3, "IMG", lazy=True, url=url, request=request(url), parts=())
    shift = LayoutShift(500_000, 7, "MAIN", 0.5, after_input=False, nodes=())
    found = part(
        *(request(url, number, 100, kind="Script", blocking="blocking", protocol="http/1.1",
                  initiator_url=PAGE) for number in range(8)),
        document=document(redirects=(url,)),
        first_paint=9e5,
        metrics=PageMetrics(
            lcp=replace(lcp, parts=tuple(lcp_parts(0, document(), None, 9e5))),
            clusters=(ShiftCluster((shift,)),),
            long_tasks=(task(100, 200),),
        ),
        calls=calls((100, 200, frame)),
        layouts=[layout(110, 90, frame, changed=2000)],
        images=[image(url, (10, 10), (1000, 1000), url=url)],
        scripts=[TraceScript(7, url, "Object.assign = f;" + " " * 6000)],
        child_frames=[ChildFrame(url, 400_000)],
    )  # fmt: skip
    trace = Trace((found,), 0, 1e7)
    texts = [text_report.summary(trace), html(trace)]
    texts += [text_report.insight(trace, found.id, name) for name in NAMES]

    assert not any("x" * 300 in text or "A" * 100 in text for text in texts)
