from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tabmux.errors import PageCrashed, PageGone
from tests.cdp.peer import attached, connect


async def test_crash_fails_that_tab_until_it_navigates() -> None:
    connection, peer = connect(Page_navigate=lambda _: {"frameId": "F"})
    crashed, other = attached(connection, peer, "S"), attached(connection, peer, "T")
    pending, unharmed = crashed.call("A.one"), other.call("A.two")
    peer.event("Inspector.targetCrashed", session="S")
    with pytest.raises(PageCrashed):
        await pending
    with pytest.raises(PageCrashed):
        await crashed.call("Runtime.evaluate")
    assert not unharmed.done()
    assert await crashed.call("Page.navigate") == {"frameId": "F"}
    crashed.revive()
    assert not crashed.call("Runtime.evaluate").done()


async def test_closed_tab_fails_its_calls_and_tells_its_owner() -> None:
    connection, peer = connect()
    channel = attached(connection, peer)
    reasons: list[Exception] = []
    channel.on_close(reasons.append)
    pending = channel.call("A.one")
    peer.event("Target.detachedFromTarget", {"sessionId": "S"})
    with pytest.raises(PageGone):
        await pending
    assert len(reasons) == 1
    assert connection.browser.child("S") is None
    with pytest.raises(PageGone):
        await channel.call("A.two")


async def test_event_goes_to_every_handler_of_its_channel_only() -> None:
    connection, peer = connect()
    one, two = attached(connection, peer, "S"), attached(connection, peer, "T")
    seen: list[str] = []
    one.on("A.happened", lambda p: seen.append(f"first {p['n']}"))
    one.on("A.happened", lambda p: seen.append(f"second {p['n']}"))
    two.on("A.happened", lambda p: seen.append(f"other {p['n']}"))
    peer.event("A.happened", {"n": 1}, "S")
    assert seen == ["first 1", "second 1"]


async def test_handler_that_fails_harms_no_other(caplog: pytest.LogCaptureFixture) -> None:
    connection, peer = connect()
    seen: list[int] = []
    connection.browser.on("A.happened", lambda p: p["missing"])
    connection.browser.on("A.happened", lambda _: seen.append(1))
    peer.event("A.happened")
    assert seen == [1]
    assert "A.happened" in caplog.text


async def test_stopped_handler_hears_nothing_more() -> None:
    connection, peer = connect()
    seen: list[int] = []
    stop = connection.browser.on("A.happened", lambda _: seen.append(1))
    peer.event("A.happened")
    stop()
    stop()
    peer.event("A.happened")
    assert seen == [1]


async def test_expected_event_is_a_future() -> None:
    connection, peer = connect()
    with connection.browser.expecting("A.happened") as event:
        peer.event("A.happened", {"n": 1})
        peer.event("A.happened", {"n": 2})
        assert await event == {"n": 1}


async def test_handler_may_call_the_browser_without_blocking_it() -> None:
    connection, peer = connect(A_more=lambda _: {"ok": True})
    results: list[asyncio.Future[dict[str, Any]]] = []
    connection.browser.on("A.happened", lambda _: results.append(connection.browser.call("A.more")))
    peer.event("A.happened")
    assert await results[0] == {"ok": True}


async def test_commands_of_a_tab_carry_its_session() -> None:
    connection, peer = connect()
    attached(connection, peer).send("A.do", {"n": 1})
    assert peer.sent == [{"id": 1, "method": "A.do", "params": {"n": 1}, "sessionId": "S"}]
