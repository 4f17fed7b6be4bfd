from __future__ import annotations

from tabmux.page.network.network_log import BUDGET, EARLY_KEPT, KEPT, URL_LIMIT
from tabmux.page.network.network_request import Request
from tests.page.wiring import PAGE, Wiring, response


def found(wiring: Wiring, ident: int = 1) -> Request:
    request = wiring.network.find(ident)
    assert request is not None
    return request


async def test_requests_are_bounded_also_those_that_never_end() -> None:
    wiring = Wiring()
    for number in range(KEPT * 3):
        wiring.request(str(number))
    assert len(list(wiring.network.records.items())) == KEPT
    assert wiring.network.known("0") is None
    assert wiring.network.known(str(KEPT * 3 - 1)) is not None


async def test_long_addresses_and_headers_are_bounded() -> None:
    wiring = Wiring()
    for number in range(KEPT):
        wiring.request(str(number), "data:text/plain," + "x" * 20_000)
        wiring.answer(str(number), headers={f"h{n}": "y" * 20_000 for n in range(5)})
    assert wiring.network.records.weight <= BUDGET
    assert len(found(wiring, KEPT).url) == URL_LIMIT


async def test_headers_may_be_told_before_and_after_the_rest() -> None:
    wiring = Wiring()
    wiring.say("Network.requestWillBeSentExtraInfo", requestId="1", headers={"Cookie": "c"})
    wiring.request("1")
    wiring.answer("1")
    wiring.say("Network.loadingFinished", requestId="1", timestamp=2.0, encodedDataLength=9)
    wiring.told("1", 200, {"Set-Cookie": "d"})
    request = found(wiring)
    assert request.request_headers == {"Cookie": "c"}
    assert request.response_headers == {"Set-Cookie": "d"}


async def test_headers_of_requests_that_never_come_are_bounded() -> None:
    wiring = Wiring()
    for number in range(EARLY_KEPT * 2):
        key = str(number)
        wiring.say("Network.requestWillBeSentExtraInfo", requestId=key, headers={"N": key})
    wiring.request("0")
    assert found(wiring).request_headers == {"A": "1"}


async def test_every_hop_of_a_redirect_has_its_own_headers() -> None:
    wiring = Wiring()
    wiring.request("1", "http://x.test/a")
    hop = response(302, headers={"Location": "/b"})
    wiring.request("1", "http://x.test/b", redirectResponse=hop, timestamp=2.0)
    wiring.told("1", 302, {"Location": "/b", "Set-Cookie": "c"})
    wiring.answer("1")
    first, second = found(wiring, 1), found(wiring, 2)
    assert first.response_headers == {"Location": "/b", "Set-Cookie": "c"}
    assert (first.status, first.ended, second.status) == (302, 2.0, 200)
    assert second.redirected_from is first
    assert second.response_headers == {"B": "2"}


async def test_body_is_asked_for_where_the_answer_arrived() -> None:
    wiring = Wiring()
    wiring.peer.attach("child", parent=PAGE, kind="iframe")
    wiring.request("1")
    wiring.answer("1", session="child")
    wiring.peer.answers["Network.getResponseBody"] = lambda _: {
        "body": "AP8=",
        "base64Encoded": True,
    }
    assert await wiring.network.response_body(found(wiring)) == b"\x00\xff"
    assert wiring.peer.sent[-1]["sessionId"] == "child"


async def test_body_of_a_worker_that_has_ended_is_not_available() -> None:
    wiring = Wiring()
    wiring.peer.attach("w", parent=PAGE, kind="worker")
    wiring.request("1", session="w")
    wiring.say("Target.detachedFromTarget", sessionId="w")
    assert await wiring.network.response_body(found(wiring)) is None


async def test_document_takes_its_own_requests_along() -> None:
    wiring = Wiring()
    wiring.request("old")
    wiring.request("new", loaderId="M")
    wiring.network.begin_document("M")
    assert [each.key for each in wiring.network.records.items()] == ["new"]
    assert [each.key for each in wiring.network.records.items(preserved=True)] == ["old", "new"]
    wiring.answer("new")
    wiring.answer("old")
    assert (found(wiring, 2).status, found(wiring, 1).status) == (200, None)


async def test_many_sockets_with_many_messages_are_bounded() -> None:
    wiring = Wiring()
    for number in range(80):
        key = str(number)
        wiring.say("Network.webSocketCreated", requestId=key, url="ws://x.test/")
        frame = {"opcode": 1, "mask": False, "payloadData": "z" * 5000}
        for _ in range(210):
            wiring.say(
                "Network.webSocketFrameReceived", requestId=key, timestamp=1.0, response=frame
            )
    assert wiring.network.records.weight <= BUDGET
    newest = wiring.network.records.last()
    assert newest is not None
    assert newest.packets_seen == 210


async def test_sockets_tell_how_they_began_and_failed() -> None:
    wiring = Wiring()
    wiring.say("Network.webSocketCreated", requestId="1", url="ws://x.test/")
    asked = {"headers": {"Upgrade": "websocket"}}
    wiring.say(
        "Network.webSocketWillSendHandshakeRequest",
        requestId="1", timestamp=5.0, wallTime=1e9, request=asked,
    )  # fmt: skip
    wiring.say("Network.webSocketFrameError", requestId="1", timestamp=6.0, errorMessage="refused")
    wiring.say("Network.webSocketClosed", requestId="1", timestamp=6.0)
    request = found(wiring)
    assert request.outcome == "refused"
    assert request.milliseconds == 1000
    assert request.request_headers == {"Upgrade": "websocket"}


async def test_initiator_is_a_place_where_there_is_one() -> None:
    wiring = Wiring()
    frame = {"url": "http://x.test/a.js", "lineNumber": 4, "columnNumber": 0}
    later = {"type": "script", "stack": {"callFrames": [], "parent": {"callFrames": [frame]}}}
    wiring.request("1", initiator=later)
    wiring.request("2", initiator={"type": "parser", "url": "http://x.test/", "lineNumber": 8})
    wiring.request("3", initiator={"type": "other"})
    initiators = [each.initiator for each in wiring.network.records.items()]
    assert initiators == ["http://x.test/a.js:5", "http://x.test/:9", "other"]
