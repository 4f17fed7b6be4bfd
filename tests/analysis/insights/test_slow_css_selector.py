from __future__ import annotations

from tabmux.analysis.insights.slow_css_selector import analyse
from tabmux.analysis.trace.handlers.documents_and_scripts import SelectorStats
from tests.analysis.insight_set_samples import part


def test_slow_selectors_are_listed_with_what_they_tried() -> None:
    selectors = [
        SelectorStats(".a", "s1", 0, 400, 10, 1),
        SelectorStats("div:has(.b)", "s1", 0, 2500, 4000, 0),
    ]
    found = analyse(part(selectors=selectors))

    assert found.finding == "matching 2 selectors took 2.9 ms, 2.5 ms of it div:has(.b)"
    assert found.details == ("2.5 ms div:has(.b) (4000 tried, 0 matched, s1)",)
    assert found.noteworthy


def test_quick_selectors_are_only_summed_up() -> None:
    found = analyse(part(selectors=[SelectorStats(".a", "s1", 0, 400, 10, 1)]))

    assert (found.finding, found.noteworthy) == ("matching 1 selector took 0.4 ms", False)
