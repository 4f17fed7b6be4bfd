from __future__ import annotations

from tabmux.daemon.cdp_endpoint.target_filter import TargetFilter, target_info

PAGE = {
    "targetId": "A1", "type": "page", "title": "T", "url": "http://a/", "attached": True,
    "browserContextId": "C", "pid": 7, "parentFrameId": "X",
}  # fmt: skip


def test_usual_filter_has_pages_without_tabs_around_them() -> None:
    usual = TargetFilter.of(None)
    assert usual.includes("page")
    assert not usual.includes("tab")
    assert not usual.includes("browser")


def test_first_entry_that_fits_decides() -> None:
    puppeteer = TargetFilter.of([{"type": "page", "exclude": True}, {}])
    assert not puppeteer.includes("page")
    assert puppeteer.includes("tab")
    assert not TargetFilter.of([{"type": "worker"}]).includes("page")


def test_client_is_told_of_the_tab_alone() -> None:
    assert target_info(PAGE, attached=False) == {
        "targetId": "A1", "type": "page", "title": "T", "url": "http://a/", "attached": False,
        "browserContextId": "C", "canAccessOpener": False,
    }  # fmt: skip
    assert target_info(PAGE, attached=True, kind="tab")["targetId"] == "tab:A1"
