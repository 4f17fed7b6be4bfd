from __future__ import annotations

from typing import Any

import pytest

from tabmux.record.call_entry import CallEntry, TouchedElement
from tabmux.record.export.playwright_test import playwright_test
from tabmux.record.replay_plan import ReplayPlan
from tests.record.runs import clicked, entry, selected

OPENED = [
    entry("navigate_page", arguments={"url": "https://a.example/"}, page=3),
    clicked("B", 3), selected(5), clicked("C", 5),
]  # fmt: skip
OPENED_EARLIER = [
    *OPENED[:2],
    entry("wait_for", arguments={"text": ["B"]}, page=3, reads=True),
    *OPENED[2:],
]


@pytest.mark.parametrize("made", [OPENED, OPENED_EARLIER])
def test_a_page_that_is_selected_after_a_click_has_a_variable(made: list[CallEntry]) -> None:
    lines = playwright_test(ReplayPlan.of(made), "run").split("def test_run")[1].splitlines()
    assigned = next(n for n, line in enumerate(lines) if line.startswith("    page_2 = "))
    used = next(n for n, line in enumerate(lines) if line.startswith("    page_2.get_by_role"))
    assert assigned < used
    assert ("expect_popup" in "".join(lines)) == (made is OPENED)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"text": ["A", "B"]}, "expect(page.get_by_text('A').or_(page.get_by_text('B')).first)"),
        (
            {"textGone": ["A"]},
            "expect(page.get_by_text('A').filter(visible=True)).to_have_count(0)",
        ),
        ({"url": "/done", "state": "visible"}, "# 'wait_for' has no counterpart"),
        ({"url": "done"}, "page.wait_for_url(lambda url: 'done' in url)"),
        ({"url": "*/done"}, "# 'wait_for' has no counterpart"),
        ({"networkIdle": True, "text": []}, 'page.wait_for_load_state("networkidle")'),
        ({"function": "() => 1", "timeout": 5}, "page.wait_for_function('() => 1')"),
        ({"text": ["A"], "url": "b"}, "# 'wait_for' has no counterpart"),
        ({"uid": "a1_1"}, "# 'wait_for' has no counterpart"),
    ],
)
def test_what_was_waited_for_is_a_line_or_a_comment(given: dict[str, Any], line: str) -> None:
    waited = entry("wait_for", arguments=given, page=1, reads=True)
    assert f"\n    {line}" in playwright_test(ReplayPlan.of([waited]), "run")


def test_an_element_that_was_waited_for_is_expected_in_its_state() -> None:
    element = TouchedElement("uid", 'button "Save"')
    given = {"uid": 'button "Save"', "state": "gone"}
    waited = entry("wait_for", arguments=given, elements=(element,), page=1, reads=True)
    made = playwright_test(ReplayPlan.of([waited]), "run")
    assert "expect(page.get_by_role('button', name='Save', exact=True)).to_be_hidden()" in made
