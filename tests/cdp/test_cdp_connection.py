from __future__ import annotations

import asyncio
import time

import pytest

from tabmux.cdp.cdp_connection import DEADLINE_CHECK_SECONDS, CdpConnection
from tabmux.errors import BrowserGone, DeadlineExceeded, PageGone, ProtocolFault
from tests.cdp.peer import FakeBrowser, attached, connect


async def test_reply_reaches_its_caller_and_no_other() -> None:
    connection, peer = connect()
    first, second = connection.browser.call("A.one"), connection.browser.call("A.two")
    peer.say({"id": peer.sent[1]["id"], "result": {"n": 2}})
    peer.say({"id": peer.sent[0]["id"], "result": {"n": 1}})
    assert (await first, await second) == ({"n": 1}, {"n": 2})


async def test_commands_are_sent_before_anyone_awaits() -> None:
    connection, peer = connect()
    for number in range(3):
        connection.browser.call("A.do", {"n": number})
    assert [command["params"]["n"] for command in peer.sent] == [0, 1, 2]


async def test_error_of_the_browser_names_the_command() -> None:
    connection, peer = connect()
    call = connection.browser.call("Page.navigate")
    peer.say({"id": 1, "error": {"code": -32000, "message": "Not allowed"}})
    with pytest.raises(ProtocolFault, match=r"Page\.navigate: Not allowed"):
        await call


async def test_command_that_is_never_answered_fails_at_its_deadline() -> None:
    connection, _ = connect()
    with pytest.raises(DeadlineExceeded, match=r"A\.silent"):
        await connection.browser.call("A.silent", timeout=0.01)


async def test_late_reply_is_ignored() -> None:
    connection, peer = connect()
    call = connection.browser.call("A.slow", timeout=0.01)
    with pytest.raises(DeadlineExceeded):
        await call
    peer.say({"id": 1, "result": {}})


async def test_everything_pending_fails_when_the_browser_goes() -> None:
    connection, peer = connect()
    channel = attached(connection, peer)
    calls = [connection.browser.call("A.one"), channel.call("A.two")]
    peer.hang_up("killed")
    for call in calls:
        with pytest.raises(BrowserGone, match="killed"):
            await call
    with pytest.raises(BrowserGone):
        await channel.call("A.three")
    assert connection.closed.result() == "killed"


async def test_event_nobody_wants_is_not_even_decoded() -> None:
    _, peer = connect()
    peer.say_raw(b'{"method":"Network.dataReceived","params":not json at all')


async def test_keys_in_another_order_are_understood() -> None:
    connection, peer = connect()
    seen: list[int] = []
    connection.browser.on("A.happened", lambda p: seen.append(p["n"]))
    peer.say_raw(b'{"params": {"n": 1}, "method": "A.happened"}')
    call = connection.browser.call("A.do")
    peer.say_raw(b'{"result": {"n": 2}, "id": 1}')
    assert seen == [1]
    assert await call == {"n": 2}


async def test_message_that_is_no_json_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    connection, peer = connect(A_do=lambda _: {})
    peer.say_raw(b"{broken")
    assert "Dropped a message" in caplog.text
    assert await connection.browser.call("A.do") == {}


async def test_answer_that_is_nested_without_end_fails_its_call_alone() -> None:
    connection, peer = connect(A_do=lambda _: {})
    call = connection.browser.call("A.deep")
    peer.say_raw(b'{"id":1,"result":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}}")
    with pytest.raises(ProtocolFault, match=r"A\.deep: the answer is nested too deep"):
        await call
    assert await connection.browser.call("A.do") == {}


@pytest.mark.parametrize("result", [b"[1]", b'{"a":"\xff"}'])
async def test_answer_that_cannot_be_read_fails_its_call_at_once(result: bytes) -> None:
    connection, peer = connect()
    call = connection.browser.call("A.odd")
    peer.say_raw(b'{"id":1,"result":' + result + b"}")
    with pytest.raises(ProtocolFault, match="cannot be read"):
        await call


async def test_answer_without_what_belongs_there_is_the_browser_s_fault() -> None:
    connection, _ = connect(A_do=lambda _: {"other": 1})
    answer = await connection.browser.call("A.do")
    with pytest.raises(ProtocolFault, match="lacks 'targetId'"):
        answer["targetId"]


async def test_odd_messages_of_a_peer_do_no_harm() -> None:
    connection, peer = connect(A_do=lambda _: {})
    for message in (
        b'{"method":"',
        b'{"method":"Target.attachedToTarget","params":{}}',
        b'{"method":"Target.attachedToTarget","params":{"sessionId":[],"targetInfo":{}}}',
        b'{"method":"Target.detachedFromTarget","params":{"sessionId":{}}}',
        b'{"method":"Target.detachedFromTarget","params":[]}',
    ):
        peer.say_raw(message)
    assert await connection.browser.call("A.do") == {}


async def test_oversized_command_is_refused_here_rather_than_killing_the_link() -> None:
    connection, peer = connect()
    with pytest.raises(ProtocolFault, match="more than Chrome takes"):
        await connection.browser.call("A.do", {"data": "x" * (91 * 1024 * 1024)})
    assert peer.sent == []


async def test_cancelled_caller_leaves_no_trace() -> None:
    connection, peer = connect()
    call = connection.browser.call("A.do")
    call.cancel()
    peer.say({"id": 1, "result": {}})
    assert call.cancelled()


async def test_channels_below_a_target_end_with_it() -> None:
    peer = FakeBrowser()
    connection = CdpConnection(peer)
    peer.attach("tab")
    peer.attach("worker", parent="tab", kind="worker")
    peer.attach("inner", parent="worker", kind="worker")
    inner = connection.channels["inner"]
    pending = inner.call("Runtime.enable")
    peer.event("Target.detachedFromTarget", {"sessionId": "tab"})
    assert set(connection.channels) == {""}
    assert not inner.is_open
    with pytest.raises(PageGone):
        await pending


async def test_what_chrome_says_after_a_reply_is_heard_after_it() -> None:
    connection, peer = connect()
    heard: list[str] = []
    connection.browser.on("A.changed", lambda params: heard.append(params["to"]))

    async def ask() -> None:
        heard.append((await connection.browser.call("A.ask"))["is"])

    async with asyncio.TaskGroup() as group:
        for _ in range(2):
            group.create_task(ask())
        await asyncio.sleep(0)
        peer.event("A.changed", {"to": "before"})
        peer.say({"id": 1, "result": {"is": "first"}})
        peer.event("A.changed", {"to": "between"})
        peer.say({"id": 2, "result": {"is": "second"}})
        peer.event("A.changed", {"to": "after"})
    await asyncio.sleep(0)
    assert heard == ["before", "first", "between", "second", "after"]


async def test_replies_that_come_together_do_not_wait_for_each_other() -> None:
    connection, peer = connect()
    calls = [connection.browser.call("A.ask") for _ in range(3)]
    for number in (1, 2, 3):
        peer.say({"id": number, "result": {}})
    assert all(call.done() for call in calls)


async def test_last_words_are_heard_when_the_browser_goes() -> None:
    connection, peer = connect()
    heard: list[str] = []
    connection.browser.on("A.changed", lambda params: heard.append(params["to"]))
    first, second = connection.browser.call("A.ask"), connection.browser.call("A.ask")
    peer.say({"id": 1, "result": {}})
    peer.event("A.changed", {"to": "something"})
    peer.say({"id": 2, "result": {"is": "last"}})
    peer.event("A.changed", {"to": "nothing"})
    peer.hang_up()
    assert heard == ["something", "nothing"]
    assert (await first, await second) == ({}, {"is": "last"})


async def test_nothing_is_held_once_the_link_is_lost() -> None:
    connection, peer = connect()
    asked = connection.browser.call("A.ask")
    connection.browser.on("A.changed", lambda _: None)
    peer.say({"id": 1, "result": {}})
    peer.event("A.changed")
    peer.hang_up()
    await asked
    await asyncio.sleep(0)
    peer.attach("S")
    for _ in range(3):
        await asyncio.sleep(0)
    assert connection._waiting == []


@pytest.mark.parametrize(
    "message",
    [
        b'{"params":' + b"[" * 200_000,
        b'{"method":"A.changed',
        b'{"method":"Target.attachedToTarget","params":{}}',
        b'{"id":1,"result":"\xff\xfe"}',
        b"[]",
        b"",
    ],
)
async def test_message_that_no_browser_would_send_does_not_hide_the_next(message: bytes) -> None:
    connection, peer = connect()
    heard: list[str] = []
    connection.browser.on("A.changed", lambda params: heard.append(params["to"]))
    peer.say_raw(message)
    peer.event("A.changed", {"to": "next"})
    assert heard == ["next"]


async def test_listener_that_fails_at_the_end_harms_no_other() -> None:
    connection, peer = connect()
    channel, heard = attached(connection, peer), list[str]()
    channel.on_close(lambda _: heard.remove("never said"))
    channel.on_close(lambda error: heard.append(error.message))
    pending = connection.browser.call("A.ask")
    peer.hang_up("killed")
    assert len(heard) == 1
    with pytest.raises(BrowserGone):
        await pending


async def test_time_in_which_we_stood_still_is_not_counted_against_the_browser() -> None:
    connection, peer = connect()
    call = connection.browser.call("A.do", timeout=1)
    await asyncio.sleep(DEADLINE_CHECK_SECONDS / 2)
    # The process is stopped, or the machine sleeps; Chrome's answer is there when it goes on.
    time.sleep(1.5)  # noqa: ASYNC251
    asyncio.get_running_loop().call_later(0.05, peer.say, {"id": 1, "result": {"n": 1}})
    assert await call == {"n": 1}


async def test_messages_of_a_session_are_handed_over_as_they_are() -> None:
    connection, peer = connect()
    channel = attached(connection, peer)
    taken: list[bytes] = []
    connection.browser.hand_messages(channel.id, taken.append)
    ident = connection.browser.send_for(channel.id, "A.do", {"n": 1})
    assert peer.sent[-1] == {
        "id": ident, "method": "A.do", "params": {"n": 1}, "sessionId": channel.id,
    }  # fmt: skip
    answer = f'{{"id":{ident},"result":{{}},"sessionId":"{channel.id}"}}'.encode()
    event = f'{{"method":"A.happened","params":{{}},"sessionId":"{channel.id}"}}'.encode()
    # Names the session, but is about it: such messages stay with us.
    about = f'{{"method":"A.about","params":{{"sessionId":"{channel.id}"}}}}'.encode()
    for message in (answer, about, event):
        peer.say_raw(message)
    assert taken == [answer, event]
    connection.browser.hand_messages(channel.id, None)
    peer.say_raw(event)
    assert taken == [answer, event]
