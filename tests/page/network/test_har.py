from __future__ import annotations

from datetime import datetime

from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.channel import Channel
from tabmux.page.network.har import Bodies, archive
from tabmux.page.network.network_request import Request, RequestTiming, StreamMessage
from tests.cdp.peer import FakeBrowser


async def browser_channel() -> Channel:
    return CdpConnection(FakeBrowser()).browser


def hidden(name: str, value: str) -> str:
    return "-" if name == "Set-Cookie" else value


async def test_entry_has_everything_that_the_format_asks_for() -> None:
    timing = RequestTiming(10.0, (-1, -1), (-1, -1), (-1, -1), (1, 2), 5)
    request = Request(
        1, "k", await browser_channel(), "http://x.test/a?b=c", "GET", "Fetch", 10.0, 1e9,
        status=302, status_text="Found", protocol="h2", address="[::1]", ended=10.01, size=77,
        response_headers={"Location": "/b", "Set-Cookie": "a=1\nb=2"}, timing=timing,
    )  # fmt: skip
    log = archive("http://x.test/", [(request, Bodies(received=b"\xff\xfe"))], hidden)["log"]
    (entry,) = log["entries"]
    assert entry["pageref"] == log["pages"][0]["id"]
    assert datetime.fromisoformat(entry["startedDateTime"]).timestamp() == 1e9
    assert entry["time"] == sum(v for k, v in entry["timings"].items() if k != "ssl" and v > 0)
    assert set(entry["timings"]) == {"blocked", "dns", "connect", "ssl", "send", "wait", "receive"}
    assert set(entry["request"]) >= {
        "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize",
    }  # fmt: skip
    response = entry["response"]
    assert response["redirectURL"] == "/b"
    assert response["content"] == {
        "size": 2, "mimeType": "x-unknown", "text": "//4=", "encoding": "base64",
    }  # fmt: skip
    assert [each["value"] for each in response["headers"]] == ["/b", "-", "-"]
    assert (response["_transferSize"], entry["serverIPAddress"]) == (77, "::1")


async def test_messages_and_failures_are_kept_in_extra_fields() -> None:
    request = Request(1, "k", await browser_channel(), "ws://x.test/", "GET", "WebSocket", 5.0, 1e9)
    request.note(StreamMessage(True, "hi", 7.0))
    request.failure = "net::ERR_X"
    (entry,) = archive("", [(request, Bodies())], hidden)["log"]["entries"]
    assert entry["_webSocketMessages"] == [
        {"type": "send", "time": 1e9 + 2, "opcode": 1, "data": "hi"}
    ]
    assert entry["response"]["status"] == 0
    assert entry["response"]["_error"] == "net::ERR_X"


def test_page_without_requests_has_an_archive_too() -> None:
    log = archive("about:blank", [], hidden)["log"]
    assert log["entries"] == []
    assert log["pages"][0]["startedDateTime"]
