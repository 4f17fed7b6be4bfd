from __future__ import annotations

from typing import Any

import pytest

from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.channel import Channel
from tabmux.page.network.network_request import PACKETS_KEPT, Request, RequestTiming, StreamMessage
from tests.cdp.peer import FakeBrowser

TIMING = {
    "requestTime": 100.010,
    "dnsStart": 1.0,
    "dnsEnd": 3.0,
    "connectStart": 3.0,
    "connectEnd": 13.0,
    "sslStart": 5.0,
    "sslEnd": 13.0,
    "sendStart": 14.0,
    "sendEnd": 15.0,
    "receiveHeadersEnd": 40.0,
}


@pytest.fixture
async def channel() -> Channel:
    return CdpConnection(FakeBrowser()).browser


def request(channel: Channel, **more: Any) -> Request:
    return Request(1, "k", channel, "http://x.test/", "GET", "Fetch", 100.0, **more)


async def test_parts_add_up_to_the_whole(channel: Channel) -> None:
    made = request(channel, ended=100.1, timing=RequestTiming.of(TIMING))
    phases = made.phases()
    assert phases == pytest.approx(
        {"blocked": 11, "dns": 2, "connect": 10, "ssl": 8, "send": 1, "wait": 25, "receive": 50}
    )


async def test_parts_that_did_not_happen_are_marked(channel: Channel) -> None:
    reused = {**TIMING, "dnsStart": -1, "dnsEnd": -1, "connectStart": -1, "connectEnd": -1}
    phases = request(channel, ended=100.1, timing=RequestTiming.of(reused)).phases()
    assert (phases["dns"], phases["connect"]) == (-1, -1)
    assert phases["blocked"] == pytest.approx(24)
    assert request(channel, ended=100.1).phases()["receive"] == pytest.approx(100)


async def test_line_says_how_it_went(channel: Channel) -> None:
    made = request(channel, status=200, ended=100.05, size=2500, served_by="cached")
    assert made.line == "reqid=1 GET http://x.test/ [200] fetch, 50 ms, 2.5 kB, cached"
    assert request(channel, failure="net::ERR_X").line.endswith("[net::ERR_X] fetch")
    assert request(channel).line.endswith("[pending] fetch")


async def test_only_the_newest_messages_of_a_stream_are_kept(channel: Channel) -> None:
    made = request(channel)
    weights = [made.note(StreamMessage(True, "text", 0.0)) for _ in range(PACKETS_KEPT + 5)]
    assert (len(made.packets), made.packets_seen) == (PACKETS_KEPT, PACKETS_KEPT + 5)
    assert weights[0] > 0
    assert weights[-1] == 0
