from __future__ import annotations

from pathlib import Path

import pytest

from tabmux.browsers.addressed import ProfileSpec, UrlSpec, WebSocketSpec
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.launched import LaunchedSpec, LaunchOptions
from tabmux.errors import Misuse
from tabmux.page.environment.emulation import EmulationSettings, Viewport
from tabmux.page.environment.page_overrides import PageOverrides
from tabmux.page.network.interception import InterceptionRule, RequestDecision, answering
from tabmux.sessions.session_rows import BrowserRow, PageRow, SessionRow

LAUNCHED = LaunchOptions(
    headless=True, user_data_dir=Path("/a/b"), viewport=(3, 4), keep=True, arguments=("--x",)
)


@pytest.mark.parametrize(
    "spec",
    [
        LaunchedSpec(LAUNCHED, name="shop", tags=("a", "b")),
        LaunchedSpec(stand_in=True),
        UrlSpec("http://127.0.0.1:9222", start_command="chrome", deny_url=("*.com",)),
        WebSocketSpec("ws://host/x", headers={"Authorization": "Bearer x"}),
        ProfileSpec("/home/me/profile"),
    ],
)
def test_browser_that_a_client_named_is_read_back(spec: BrowserSpec) -> None:
    row = BrowserRow.of(spec)
    session = SessionRow.decoded(SessionRow("h", "a", browsers=(row,)).encoded())
    assert session.browsers[0].read() == spec


def test_kind_that_cannot_be_read_by_itself_is_made_again_of_its_placement() -> None:
    class PlacedSpec(UrlSpec):
        token = "me"

    row = BrowserRow.of(PlacedSpec("http://hub"), {"session": "1"})
    with pytest.raises(Misuse):
        row.read()
    made = row.read({"PlacedSpec": lambda given: UrlSpec(given["placement"]["session"])})
    assert made == UrlSpec("1")


def test_what_was_set_for_a_page_is_read_back() -> None:
    emulation = EmulationSettings(
        cpu=4, location=(1.5, 2), viewport=Viewport(10, 20, mobile=True), headers={"a": "b"}
    )
    rules = (
        InterceptionRule("*", "block", RequestDecision(error="Failed"), frozenset({"xhr"}), id=3),
        InterceptionRule("/a.b/", "fulfill", answering(200, {}, b"\xff\x00", "text/plain"), id=4),
    )
    page = PageRow(7, "T", "own 1", "http://a/", True, "shop", "C", PageOverrides(emulation, rules))
    (found,) = SessionRow.decoded(SessionRow("h", "a", pages=(page,)).encoded()).pages
    assert found == page
    assert found.state.rules[1].chrome == {"urlPattern": "*"}


def test_what_is_no_row_is_refused() -> None:
    with pytest.raises(ValueError, match="Expected"):
        SessionRow.decoded(b'{"handle": 3}')
