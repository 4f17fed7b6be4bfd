from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.channel import Channel
from tabmux.errors import DeadlineExceeded, PageTrouble
from tabmux.page.handle import PageHandle
from tabmux.timings import Timings
from tests.cdp.peer import FakeBrowser

FRAME = {"id": "F", "loaderId": "L", "url": "http://x.test/"}
TARGET = {"targetId": "T", "url": "http://x.test/old", "title": "Old"}


class Tab:
    """A tab that Chrome hands over as often as it is asked for."""

    def __init__(self) -> None:
        self.peer = FakeBrowser(
            {
                "Page.getFrameTree": lambda _: {"frameTree": {"frame": FRAME}},
                "Runtime.enable": self._enabled,
                "Runtime.callFunctionOn": lambda _: {
                    "result": {"value": {"state": "complete", "title": "New"}}
                },
            }
        )
        self._connection = CdpConnection(self.peer)
        self._session = ""

    async def attach(self, target: str) -> Channel:
        self._session = f"{target}{len(self.peer.sent)}"
        self.peer.attach(self._session)
        return self._connection.channels[self._session]

    def _enabled(self, _: dict[str, Any]) -> dict[str, Any]:
        world = {"id": 1, "name": "tabmux", "auxData": {"frameId": "F", "isDefault": False}}
        self.peer.event("Runtime.executionContextCreated", {"context": world}, self._session)
        return {}

    def lose(self) -> None:
        """End the session, as an extension does that is gone for a while."""
        self.peer.event("Target.detachedFromTarget", {"sessionId": self._session})


async def test_tab_that_chrome_does_not_hand_over_is_said_to_be_so() -> None:
    async def never(target: str) -> Channel:
        await asyncio.Event().wait()
        raise AssertionError(target)

    handle = PageHandle(7, TARGET, never, timings=Timings(attach=0.01))
    with pytest.raises(DeadlineExceeded, match=r"page 7 within 0\.01 s"):
        await handle.attach()
    assert handle.page is None


async def test_handle_knows_of_a_tab_before_and_after_it_is_attached() -> None:
    handle = PageHandle(7, TARGET, Tab().attach)
    assert (handle.url, handle.title) == ("http://x.test/old", "Old")
    with pytest.raises(PageTrouble):
        _ = handle.attached_page
    page = await handle.attach()
    assert await handle.attach() is page is handle.attached_page
    assert (page.url, page.title) == ("http://x.test/", "New")
    assert page.document.loaded


async def test_tab_that_outlives_its_connection_gets_a_new_page() -> None:
    tab = Tab()
    handle = PageHandle(7, TARGET, tab.attach)
    first = await handle.attach()
    tab.lose()
    assert await handle.signal.until(lambda: handle.gone, 5)
    assert first.gone
    assert handle.page is None
    second = await handle.attach()
    assert second is not first
    assert (first.gone, second.gone, handle.gone) == (True, False, False)
    assert second.handle is first.handle


async def test_closing_a_handle_wakes_whoever_waits_on_it() -> None:
    handle = PageHandle(7, TARGET, Tab().attach)
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(handle.signal.until(lambda: handle.gone, 5))
        await asyncio.sleep(0)
        handle.close()
    assert waiting.result()


async def test_tab_that_navigates_while_it_is_attached_is_asked_again() -> None:
    tab, asked = Tab(), []

    def first_is_gone(params: dict[str, Any]) -> dict[str, Any] | None:
        asked.append(params)
        if len(asked) > 1:
            return {"result": {"value": {"state": "complete", "title": "New"}}}
        error = {"code": -32000, "message": "Cannot find context with specified id"}
        tab.peer.say({"id": tab.peer.sent[-1]["id"], "error": error})
        return None

    tab.peer.answers["Runtime.callFunctionOn"] = first_is_gone
    page = await PageHandle(7, TARGET, tab.attach).attach()

    assert len(asked) == 2
    assert (page.title, page.document.loaded) == ("New", True)
