from __future__ import annotations

from tabmux.analysis.insights.viewport import analyse
from tabmux.analysis.trace.handlers.documents_and_scripts import DocumentMark
from tests.analysis.insight_set_samples import part

WIDE = DocumentMark(0, "MAIN", "width=1200", 7)


def test_page_drawn_at_device_width_passes() -> None:
    assert not analyse(part()).noteworthy
    assert analyse(part(viewport=WIDE)).details == ('the viewport is "width=1200"',)


def test_missing_declaration_is_named() -> None:
    found = analyse(part(not_mobile_friendly=True))

    assert found.noteworthy
    assert found.finding.startswith("there is no viewport meta tag")


def test_unfit_declaration_is_quoted() -> None:
    found = analyse(part(not_mobile_friendly=True, viewport=WIDE))

    assert found.finding.startswith('the viewport is "width=1200"')
    assert (found.details, found.nodes) == (("declared by META [node 7]",), (7,))
