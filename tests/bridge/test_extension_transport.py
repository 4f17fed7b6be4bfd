from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest

from tabmux.bridge.extension_link import BrowserInfo, ExtensionLink
from tabmux.bridge.extension_targets import SHOW_REQUEST, SHOW_SESSION
from tabmux.bridge.extension_transport import ExtensionTransport
from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.errors import BrowserGone, PageGone, ProtocolFault

Message = dict[str, Any]


class FakeLink(ExtensionLink):
    """A link whose extension is played by the test."""

    def __init__(self) -> None:
        super().__init__("chrome", BrowserInfo("Chromium", "156.0", "profile-1"))
        self.sent: list[Message] = []
        self.tabs: list[Message] = []

    def send(self, message: Message) -> None:
        self.sent.append(json.loads(json.dumps(message)))
        if message["type"] == "connect":
            self.say(type="connected", browser={}, tabs=self.tabs)

    def say(self, **message: Any) -> None:
        self.deliver(message)

    def asked(self, kind: str) -> Message:
        """Return the last request of a kind."""
        return [message for message in self.sent if message["type"] == kind][-1]

    def reply(self, kind: str, **outcome: Any) -> None:
        self.say(type="reply", id=self.asked(kind)["id"], **outcome)


def tab(number: int, **more: Any) -> Message:
    return {"id": number, "key": f"key-{number}", "title": "T", "url": "https://a.example/", **more}


@pytest.fixture
async def link() -> FakeLink:
    return FakeLink()


@pytest.fixture
async def connection(link: FakeLink) -> AsyncIterator[CdpConnection]:
    connection = CdpConnection(ExtensionTransport(link))
    yield connection
    connection.close()


def _note(seen: list[Message], event: str, params: Message) -> None:
    seen.append({"event": event, **params})


async def later(call: asyncio.Future[Message]) -> Message:
    """Return the answer after a turn of the loop, as from a link that is no test."""
    await asyncio.sleep(0)
    return await call


async def discover(connection: CdpConnection, *events: str) -> list[Message]:
    seen: list[Message] = []
    for event in events:
        connection.browser.on(event, partial(_note, seen, event))
    await later(connection.browser.call("Target.setDiscoverTargets", {"discover": True}))
    return seen


async def attach(connection: CdpConnection, link: FakeLink, key: str = "key-1") -> str:
    attaching = connection.browser.call("Target.attachToTarget", {"targetId": key})
    link.reply("attach", result={})
    return str((await later(attaching))["sessionId"])


async def test_tabs_that_are_lent_are_the_targets(
    link: FakeLink, connection: CdpConnection
) -> None:
    link.tabs = [tab(1), tab(2)]
    seen = await discover(connection, "Target.targetCreated")
    assert [event["targetInfo"]["targetId"] for event in seen] == ["key-1", "key-2"]
    link.say(type="tabCreated", tab=tab(3, openerKey="key-1"))
    assert seen[-1]["targetInfo"]["openerId"] == "key-1"
    found = await connection.browser.call("Target.getTargets")
    assert len(found["targetInfos"]) == 3


async def test_news_of_a_tab_change_its_target(link: FakeLink, connection: CdpConnection) -> None:
    link.tabs = [tab(1)]
    seen = await discover(connection, "Target.targetInfoChanged", "Target.targetDestroyed")
    link.say(type="tabUpdated", tab=tab(1, title="New"))
    assert seen[-1]["targetInfo"]["title"] == "New"
    link.say(type="tabClosed", tabId=1, reason="closed")
    assert seen[-1] == {"event": "Target.targetDestroyed", "targetId": "key-1"}


async def test_page_is_opened_behind_the_one_in_front_for_its_session(
    link: FakeLink, connection: CdpConnection
) -> None:
    await discover(connection)
    command = {"url": "about:blank", "background": True, "session": "agent-1"}
    opening = connection.browser.call("Target.createTarget", command)
    assert link.asked("openTab") | {"id": 0} == {
        "type": "openTab", "url": "about:blank", "focus": False, "session": "agent-1", "id": 0,
    }  # fmt: skip
    link.reply("openTab", result={"tab": tab(7)})
    assert await opening == {"targetId": "key-7"}


async def test_commands_go_to_their_tab_and_answers_come_back(
    link: FakeLink, connection: CdpConnection
) -> None:
    link.tabs = [tab(1)]
    await discover(connection)
    channel = connection.channels[await attach(connection, link)]
    call = channel.call("Runtime.evaluate", {"expression": "1"})
    asked = link.asked("cdp")
    assert (asked["tabId"], asked["method"]) == (1, "Runtime.evaluate")
    assert "sessionId" not in asked
    link.say(type="cdpResult", id=asked["id"], result={"value": 1})
    assert await call == {"value": 1}
    call = channel.call("Runtime.evaluate", {"expression": "x"})
    link.say(type="cdpResult", id=link.asked("cdp")["id"], error={"message": "No."})
    with pytest.raises(ProtocolFault, match=r"Runtime\.evaluate: No\."):
        await call


async def test_frames_in_other_processes_have_sessions_of_their_own(
    link: FakeLink, connection: CdpConnection
) -> None:
    link.tabs = [tab(1)]
    await discover(connection)
    channel = connection.channels[await attach(connection, link)]
    frame = {"sessionId": "F", "targetInfo": {"targetId": "f", "type": "iframe"}}
    link.say(type="cdpEvent", tabId=1, method="Target.attachedToTarget", params=frame)
    child = channel.child("F")
    assert child is not None
    child.send("Page.enable")
    assert link.asked("cdp")["sessionId"] == "F"
    seen: list[Message] = []
    child.on("Page.loadEventFired", seen.append)
    link.say(type="cdpEvent", tabId=1, sessionId="F", method="Page.loadEventFired", params={"t": 1})
    assert seen == [{"t": 1}]
    link.say(type="detached", tabId=1, reason="target_closed")
    assert not child.is_open
    assert not channel.is_open


async def test_tab_that_is_taken_back_fails_what_is_under_way(
    link: FakeLink, connection: CdpConnection
) -> None:
    link.tabs = [tab(1)]
    await discover(connection)
    channel = connection.channels[await attach(connection, link)]
    call = channel.call("Page.navigate", {"url": "https://b.example/"})
    link.say(type="tabClosed", tabId=1, reason="revoked")
    with pytest.raises(PageGone):
        await call


async def test_events_of_a_tab_that_is_not_attached_are_dropped(
    link: FakeLink, connection: CdpConnection
) -> None:
    link.tabs = [tab(1)]
    seen = await discover(connection, "Page.loadEventFired")
    link.say(type="cdpEvent", tabId=1, method="Page.loadEventFired", params={})
    link.say(type="cdpEvent", tabId=99, method="Page.loadEventFired", params={})
    link.say(type="cdpResult", id=12345, result={})
    link.say(type="reply", id="t12345", result={})
    assert seen == []


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Target.createBrowserContext", {}),
        ("Target.createTarget", {"browserContextId": "x"}),
        ("Target.attachToTarget", {"targetId": "unknown"}),
        ("Target.closeTarget", {"targetId": "unknown"}),
        ("Storage.getCookies", {}),
        ("Browser.setDownloadBehavior", {}),
    ],
)
async def test_what_cannot_be_done_is_refused_at_once(
    connection: CdpConnection, method: str, params: Message
) -> None:
    with pytest.raises(ProtocolFault, match=method):
        await connection.browser.call(method, params, timeout=1)


async def test_extension_that_cannot_do_it_says_why(
    link: FakeLink, connection: CdpConnection
) -> None:
    link.tabs = [tab(1)]
    await discover(connection)
    attaching = connection.browser.call("Target.attachToTarget", {"targetId": "key-1"})
    link.reply("attach", error="Another debugger is attached.")
    with pytest.raises(ProtocolFault, match="Another debugger"):
        await attaching


async def test_sign_of_life_comes_from_the_extension(
    link: FakeLink, connection: CdpConnection
) -> None:
    asking = connection.browser.call("Browser.getVersion")
    assert not asking.done()
    link.reply("browser", result={"name": "Chromium", "version": "156.0"})
    assert (await asking)["product"] == "Chromium/156.0"


async def test_lost_link_ends_the_connection_with_its_reason(
    link: FakeLink, connection: CdpConnection
) -> None:
    call = connection.browser.call("Browser.getVersion")
    link.closed.set_result("the worker was stopped")
    with pytest.raises(BrowserGone, match="the worker was stopped"):
        await call
    assert connection.closed.result() == "the worker was stopped"


async def test_ids_of_an_earlier_connection_mean_nothing_to_the_next(link: FakeLink) -> None:
    link.tabs = [tab(1)]
    first = CdpConnection(ExtensionTransport(link))
    await discover(first)
    first.channels[await attach(first, link)].send("Page.enable")
    old = link.asked("cdp")["id"]
    first.close()
    second = CdpConnection(ExtensionTransport(link))
    await discover(second)
    channel = second.channels[await attach(second, link)]
    call = channel.call("Runtime.evaluate", {})
    link.say(type="cdpResult", id=old, result={"stale": True})
    assert not call.done()
    link.say(type="cdpResult", id=link.asked("cdp")["id"], result={"fresh": True})
    assert await call == {"fresh": True}
    second.close()


async def test_last_news_of_a_tab_say_who_took_it(
    link: FakeLink, connection: CdpConnection
) -> None:
    link.tabs = [tab(7)]
    seen = await discover(connection, "Target.targetInfoChanged", "Target.targetDestroyed")
    link.say(type="tabClosed", tabId=7, reason="revoked")

    assert [each["event"] for each in seen[-2:]] == [
        "Target.targetInfoChanged",
        "Target.targetDestroyed",
    ]
    assert seen[-2]["targetInfo"]["removal"] == "revoked"


async def test_only_a_tab_that_has_just_been_opened_names_its_session(
    link: FakeLink, connection: CdpConnection
) -> None:
    """After a restart of the server another session may have that name."""
    link.tabs = [tab(7, lent="agent", session="a")]
    seen = await discover(connection, "Target.targetCreated")
    link.say(type="tabCreated", tab=tab(8, lent="agent", session="a"))
    link.say(type="tabCreated", tab=tab(9, lent="user", session="a"))

    assert [each["targetInfo"].get("openedFor") for each in seen] == [None, "a", None]
    assert [each["targetInfo"]["tabId"] for each in seen] == [7, 8, 9]


async def test_extension_is_told_which_session_uses_a_tab(
    link: FakeLink, connection: CdpConnection
) -> None:
    link.tabs = [tab(7)]
    await discover(connection)
    connection.browser.send(SHOW_SESSION, {"targetId": "key-7", "session": "a"})

    told = link.asked("useTab")
    assert (told["tabId"], told["session"]) == (7, "a")


async def test_extension_is_told_that_an_agent_asks_for_help_with_a_tab(
    link: FakeLink, connection: CdpConnection
) -> None:
    link.tabs = [tab(7)]
    await discover(connection)
    connection.browser.send(SHOW_REQUEST, {"targetId": "key-7", "reason": "Log in"})

    told = link.asked("showRequest")
    assert (told["tabId"], told["reason"]) == (7, "Log in")
