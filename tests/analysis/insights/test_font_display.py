from __future__ import annotations

from tabmux.analysis.insights.font_display import analyse
from tabmux.analysis.trace.handlers.documents_and_scripts import FontLoad
from tests.analysis.insight_set_samples import PAGE, part, request


def font(display: str, name: str = "Open Sans", request_id: str = "7.1") -> FontLoad:
    return FontLoad(0, request_id, PAGE + "f.woff2", display, name)


def test_font_that_hides_text_is_listed_with_its_time() -> None:
    sent = request("f.woff2", 60, 379, id="7.1", kind="Font")
    found = analyse(part(sent, fonts=[font("block")]))

    assert found.details == ("315 ms Open Sans, font-display: block: https://shop.test/f.woff2",)
    assert (found.savings.ms, found.noteworthy) == (315, True)


def test_wait_is_at_most_three_seconds() -> None:
    sent = request("f.woff2", 0, 9000, id="7.1")

    assert (
        analyse(part(sent, fonts=[font("auto", name="")])).details[0].startswith("3000 ms f.woff2")
    )


def test_font_that_swaps_or_was_not_fetched_or_came_at_once_hides_nothing() -> None:
    sent = (request("f.woff2", 0, 900, id="7.1"), request("g.woff2", 0, 3, id="7.2"))
    fonts = [font("swap"), font("auto", request_id="7.9"), font("auto", request_id="7.2")]

    assert not analyse(part(*sent, fonts=fonts)).noteworthy
