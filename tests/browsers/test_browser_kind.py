"""A kind of browser that is made here shows that a further one needs nothing but its own module."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.cdp.transports import Transport
from tabmux.errors import BrowserTrouble
from tabmux.numbering import Numbering
from tabmux.timings import Timings
from tests.cdp.peer import FakeBrowser
from tests.clock import AT_ONCE


@dataclass(frozen=True)
class GridSpec(BrowserSpec):
    node: str

    @property
    def label(self) -> str:
        return f"grid {self.node}"

    @property
    def identity(self) -> str:
        return self.node


class GridBrowser(Browser):
    spec: GridSpec
    peer: FakeBrowser | None = None

    @asynccontextmanager
    async def open_transport(
        self, stop: asyncio.Event, *, run_start_command: bool
    ) -> AsyncIterator[Transport]:
        if self.peer is None:
            raise BrowserTrouble("The grid has no free node.")
        yield self.peer


def grid_browser(timings: Timings | None = None) -> GridBrowser:
    made = GridBrowser(
        1,
        GridSpec("n1"),
        Numbering(1),
        lambda opener, page: None,
        lambda page: None,
        lambda browser: None,
        timings or Timings(),
    )
    made.peer = FakeBrowser({"Target.setDiscoverTargets": lambda _: {}})
    return made


def tab(ident: str, url: str = "about:blank") -> dict[str, object]:
    return {"targetInfo": {"targetId": ident, "type": "page", "url": url, "title": ""}}


async def test_browser_of_a_new_kind_connects_and_knows_its_tabs() -> None:
    browser = grid_browser()
    async with asyncio.TaskGroup() as group:
        await browser.connect(group)
        assert browser.peer is not None
        browser.peer.event("Target.targetCreated", tab("T"))
        assert (browser.state, list(browser.pages)) == (BrowserState.CONNECTED, ["T"])
        browser.disconnect()
        await browser.ended()
    assert (browser.state, browser.pages) == (BrowserState.DISCONNECTED, {})
    with pytest.raises(BrowserTrouble, match="grid n1 is not connected"):
        _ = browser.channel


async def test_number_of_a_page_is_never_used_again() -> None:
    browser = grid_browser()
    async with asyncio.TaskGroup() as group:
        await browser.connect(group)
        assert browser.peer is not None
        browser.peer.event("Target.targetCreated", tab("T"))
        browser.peer.event("Target.targetDestroyed", {"targetId": "T"})
        browser.peer.event("Target.targetCreated", tab("U"))
        assert [page.id for page in browser.pages.values()] == [2]
        browser.disconnect()
        await browser.ended()


async def test_windows_of_the_browser_itself_are_not_shown() -> None:
    browser = grid_browser()
    async with asyncio.TaskGroup() as group:
        await browser.connect(group)
        assert browser.peer is not None
        for ident, url in (("T", "about:blank"), ("D", "devtools://devtools/inspector.html")):
            browser.peer.event("Target.targetCreated", tab(ident, url))
        assert [page.target_id for page in browser.visible_pages()] == ["T"]
        browser.disconnect()
        await browser.ended()


async def test_attempt_that_fails_is_told_and_remembered() -> None:
    browser = grid_browser()
    browser.peer = None
    async with asyncio.TaskGroup() as group:
        with pytest.raises(BrowserTrouble, match="no free node"):
            await browser.connect(group)
    assert browser.history.last_error == "The grid has no free node."


async def test_silent_browser_is_given_up_after_a_heartbeat() -> None:
    browser = grid_browser(Timings(heartbeat=0.01, heartbeat_deadline=0.01))
    async with asyncio.timeout(AT_ONCE), asyncio.TaskGroup() as group:
        await browser.connect(group)
        assert await browser.lost() == "the browser gave no sign of life"
        await browser.ended()
    assert browser.state is BrowserState.DISCONNECTED
