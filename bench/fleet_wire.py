"""Fleet wire: what a CDP round trip costs through a hub, through a node, and without either."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
import urllib.request
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tabmux.browsers.grid.grid_client import GridClient
from tabmux.browsers.grid.grid_options import GridOptions
from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.channel import Channel
from tabmux.cdp.websocket_transport import connect_websocket
from tabmux.timings import Timings

WARM_UP, CALLS = 2_000, 500
START_SECONDS = 120.0
_ONE = {"expression": "1"}


@dataclass(frozen=True)
class WireTimes:
    """Medians in seconds, of the same page on one way to its browser.

    Attributes:
        one: A command and its answer.
        three: Three commands, each after the answer to the one before.
        flight: Three commands sent together.
    """

    one: float
    three: float
    flight: float


async def wire_times(url: str) -> dict[str, WireTimes]:
    """Measure every way to one browser of a grid whose nodes are on this machine."""
    client = GridClient(GridOptions(url), Timings())
    ident = await client.new_session({}, downloads=False, seconds=START_SECONDS)
    try:
        session = next(each for each in (await client.state()).sessions if each.id == ident)
        path = f"/session/{ident}/se/cdp"
        ways = {
            "direct": await asyncio.to_thread(_endpoint, session.capabilities),
            "node": _websocket(session.node_uri) + path,
            "hub": _websocket(url) + path,
        }
        return {name: await _times(way) for name, way in ways.items()}
    finally:
        await client.end_session(ident)


def _websocket(url: str) -> str:
    return url.replace("http", "ws", 1)


def _endpoint(capabilities: Mapping[str, Any]) -> str:
    address = capabilities["goog:chromeOptions"]["debuggerAddress"]
    with urllib.request.urlopen(f"http://{address}/json/version", timeout=10) as answer:
        return str(json.loads(answer.read())["webSocketDebuggerUrl"])


async def _times(url: str) -> WireTimes:
    connection = CdpConnection(await connect_websocket(url))
    try:
        tab = await _tab(connection.browser)
        # The hub's Java compiles what is called often, after a while.
        for _ in range(WARM_UP):
            await _in_turn(tab, 1)
        return WireTimes(
            await _median(lambda: _in_turn(tab, 1)),
            await _median(lambda: _in_turn(tab, 3)),
            await _median(lambda: _together(tab, 3)),
        )
    finally:
        connection.close()


async def _tab(browser: Channel) -> Channel:
    made = await browser.call("Target.createTarget", {"url": "about:blank"})
    asked = {"targetId": made["targetId"], "flatten": True}
    attached = await browser.call("Target.attachToTarget", asked)
    tab = browser.child(attached["sessionId"])
    assert tab is not None
    return tab


async def _in_turn(tab: Channel, number: int) -> None:
    for _ in range(number):
        await tab.call("Runtime.evaluate", _ONE)


async def _together(tab: Channel, number: int) -> None:
    await asyncio.gather(*(tab.call("Runtime.evaluate", _ONE) for _ in range(number)))


async def _median(work: Callable[[], Awaitable[None]]) -> float:
    samples = []
    for _ in range(CALLS):
        began = time.perf_counter()
        await work()
        samples.append(time.perf_counter() - began)
    return statistics.median(samples)
