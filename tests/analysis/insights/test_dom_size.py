from __future__ import annotations

from tabmux.analysis.insights.dom_size import analyse
from tabmux.analysis.trace.call_frames import CallFrame
from tabmux.analysis.trace.handlers.documents_and_scripts import DomSize
from tests.analysis.insight_set_samples import layout, part


def stats(elements: int) -> DomSize:
    return DomSize(0, "MAIN", elements, 4, "I", 5, 9, "UL", 6)


def test_small_document_is_described_without_complaint() -> None:
    found = analyse(part(dom_sizes=[stats(100), stats(258)]))

    assert (found.finding, found.noteworthy) == ("258 elements", False)
    assert found.details == ("deepest 4: I [node 5]", "most children 9: UL [node 6]")


def test_large_document_is_worth_a_line() -> None:
    assert analyse(part(dom_sizes=[stats(2000)])).noteworthy


def test_slow_updates_of_much_are_listed_longest_first() -> None:
    call_frame = CallFrame("go", "https://shop.test/a.js", 1)
    updates = [
        layout(10, 50, changed=200),
        layout(90, 80, call_frame, style=True, changed=400),
        layout(200, 90, style=True, changed=300),
        layout(300, 30, changed=900),
    ]
    found = analyse(part(layouts=updates))

    assert found.finding == "size not recorded; 2 large style or layout updates, the longest 80 ms"
    assert found.details == (
        "80 ms style recalculation of 400 objects at 90 ms, forced by go a.js:1",
        "50 ms layout of 200 of 200 objects at 10 ms",
    )
