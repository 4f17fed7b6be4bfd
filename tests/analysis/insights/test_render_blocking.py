from __future__ import annotations

import pytest

from tabmux.analysis.insights.render_blocking import analyse
from tests.analysis.insight_set_samples import loaded, part, request


def test_blocking_requests_are_listed_longest_first() -> None:
    quick = request("a.css", 60, 100, blocking="blocking")
    slow = request("b.css", 60, 300, blocking="blocking")
    found = analyse(loaded(quick, slow, request("c.js", 60, 200), first_paint=400_000))

    assert found.finding == "2 requests held up the first paint until 300 ms (it came at 400 ms)"
    assert found.details == (
        "240 ms until 300 ms, 1 kB: https://shop.test/b.css",
        "40 ms until 100 ms, 1 kB: https://shop.test/a.css",
    )
    assert found.savings.ms == 250


def test_request_after_the_first_paint_did_not_block_it() -> None:
    late = request("late.css", 60, 500, blocking="blocking")

    assert not analyse(loaded(late, first_paint=400_000)).noteworthy


def test_request_of_an_iframe_did_not_block_the_page() -> None:
    inner = request("inner.css", 60, 100, blocking="blocking", frame="KID")

    assert not analyse(loaded(inner, first_paint=400_000)).noteworthy


@pytest.mark.parametrize(
    ("kind", "priority", "blocks"),
    [
        ("Stylesheet", "VeryHigh", True),
        ("Script", "High", True),
        ("Stylesheet", "High", False),
        ("Script", "Medium", False),
    ],
)
def test_request_in_the_body_blocks_only_when_chrome_hurries_it(
    kind: str, priority: str, blocks: bool
) -> None:
    body = request("x", 60, 100, blocking="in_body_parser_blocking", kind=kind, priority=priority)

    assert analyse(loaded(body, first_paint=400_000)).noteworthy is blocks


def test_set_without_a_document_is_measured_from_its_start() -> None:
    found = analyse(part(request("a.css", 60, 100, blocking="blocking"), first_paint=400_000))

    assert found.savings.ms == 100
