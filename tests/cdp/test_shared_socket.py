from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.shared_socket import SharedSocket
from tabmux.errors import BrowserGone
from tests.cdp.peer import FakeBrowser


class SharedPeer(FakeBrowser):
    """Answers in the session that it was asked in, and hands out sessions with the browser."""

    def __init__(self) -> None:
        super().__init__()
        self._sessions = 0
        self.is_silent = False

    def send(self, message: bytes) -> None:
        command = json.loads(message)
        self.sent.append(command)
        if self.is_silent:
            return
        session, method = command.get("sessionId", ""), command["method"]
        result: dict[str, Any] = {"asked": method}
        if method.startswith("Target.attachTo"):
            self._sessions += 1
            name = f"S{self._sessions}"
            self.attach(name, session, "browser" if "Browser" in method else "page")
            result = {"sessionId": name}
        answer: dict[str, Any] = {"id": command["id"], "result": result}
        self.say({**answer, "sessionId": session} if session else answer)

    def target(self, event: str, ident: str, context: str = "") -> None:
        info = {"targetId": ident, "type": "page", "browserContextId": context, "url": event}
        known = {"targetId": ident} if event == "Destroyed" else {"targetInfo": info}
        self.event(f"Target.target{event}", known)


async def _branches(peer: SharedPeer) -> tuple[SharedSocket, CdpConnection, CdpConnection]:
    socket = SharedSocket(peer)
    one, two = await socket.branch(), await socket.branch()
    one.include("C1")
    two.include("C2")
    return socket, CdpConnection(one), CdpConnection(two)


async def test_commands_to_the_browser_go_through_the_session_of_the_branch() -> None:
    peer = SharedPeer()
    _, one, two = await _branches(peer)
    assert await one.browser.call("Browser.getVersion") == {"asked": "Browser.getVersion"}
    await two.browser.call("Browser.getVersion")
    asked = [each["sessionId"] for each in peer.sent if each["method"] == "Browser.getVersion"]
    assert asked == ["S1", "S2"]


async def test_equal_ids_of_two_branches_are_told_apart() -> None:
    _, one, two = await _branches(SharedPeer())
    first, second = one.browser.call("Page.first"), two.browser.call("Page.second")
    assert (await first, await second) == ({"asked": "Page.first"}, {"asked": "Page.second"})


async def test_what_is_attached_through_a_branch_belongs_to_it() -> None:
    peer = SharedPeer()
    _, one, two = await _branches(peer)
    attached = await one.browser.call("Target.attachToTarget", {"targetId": "T"})
    channel = one.browser.child(attached["sessionId"])
    assert channel is not None
    heard: list[Any] = []
    channel.on("Page.loaded", heard.append)
    peer.event("Page.loaded", {"sessionId": "S1"}, attached["sessionId"])
    assert await channel.call("Page.enable") == {"asked": "Page.enable"}
    assert heard == [{"sessionId": "S1"}]
    assert two.browser.child(attached["sessionId"]) is None
    # And what its tabs bring along.
    peer.attach("frame", attached["sessionId"])
    peer.event("Page.loaded", {"sessionId": "x"}, "frame")
    assert one.browser.child("frame") is not None


async def test_branch_hears_of_tabs_in_its_own_contexts_alone() -> None:
    peer = SharedPeer()
    socket = SharedSocket(peer)
    peer.target("Created", "early", "C1")
    peer.target("InfoChanged", "early", "C1")
    one, two = await socket.branch(), await socket.branch()
    one.include("C1")
    two.include("C2")
    heard: list[tuple[str, str]] = []
    connections = [CdpConnection(one), CdpConnection(two)]
    for name, connection in zip("12", connections, strict=True):
        for event in ("Created", "InfoChanged", "Destroyed"):
            connection.browser.on(
                f"Target.target{event}",
                lambda p, n=name, e=event: heard.append((n, e)),  # type: ignore[misc]
            )
        await connection.browser.call("Target.setDiscoverTargets", {"discover": True})
    assert heard == [("1", "Created")]
    peer.target("Created", "late", "C2")
    peer.target("Created", "other", "C3")
    peer.target("Destroyed", "early")
    peer.target("Destroyed", "other")
    assert heard[1:] == [("2", "Created"), ("1", "Destroyed")]
    assert not [each for each in peer.sent if each["method"] == "Target.setDiscoverTargets"]


async def test_closed_branch_is_detached_and_leaves_the_others_alone() -> None:
    peer = SharedPeer()
    socket, one, two = await _branches(peer)
    one.close()
    await asyncio.shield(one.closed)
    assert peer.sent[-1]["params"] == {"sessionId": "S1"}
    assert socket.count == 1
    assert await two.browser.call("Browser.getVersion")
    with pytest.raises(BrowserGone):
        await one.browser.call("Browser.getVersion")


async def test_lost_socket_ends_every_branch() -> None:
    peer = SharedPeer()
    socket, one, two = await _branches(peer)
    peer.hang_up("cut")
    assert [each.closed.result() for each in (one, two, socket.root)] == ["cut"] * 3


async def test_every_branch_is_told_why_the_socket_was_given_up() -> None:
    socket, one, _ = await _branches(SharedPeer())
    socket.lose("it is silent")
    assert await one.closed == "it is silent"
    assert await socket.root.closed == "it is silent"


async def test_answer_about_a_session_that_is_gone_is_nobody_elses() -> None:
    peer = SharedPeer()
    socket, _, _ = await _branches(peer)
    peer.is_silent = True
    call = socket.root.browser.call("Browser.getVersion")
    gone = {"code": -32001, "message": "Session with given id not found."}
    peer.say({"id": peer.sent[-1]["id"], "error": gone})
    assert not call.done()


async def test_message_that_only_mentions_a_session_is_the_browsers_own() -> None:
    peer = SharedPeer()
    _, one, _ = await _branches(peer)
    peer.is_silent = True
    one.browser.send("Target.detachFromTarget", {"sessionId": "T"})
    assert peer.sent[-1]["params"] == {"sessionId": "T"}
    assert peer.sent[-1]["sessionId"] == "S1"
