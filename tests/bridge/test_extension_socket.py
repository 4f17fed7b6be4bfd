from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from tabmux.bridge.bridge_limits import BridgeLimits
from tests.bridge.served_bridge import SECONDS, ServedBridge, serve_bridge


async def test_too_long_a_message_is_counted_and_ends_only_its_own_link(
    served: ServedBridge,
) -> None:
    async with served.socket("/?name=one") as one, served.socket("/?name=two") as two:
        await served.link(), await served.link()
        await one.send(
            {"type": "tabUpdated", "tab": {"id": 1, "title": "x", "url": "y" * 5_000_000}}
        )
        assert (await one.receive())["type"] == "error"
        with suppress(ConnectionClosed):
            await one.send("x" * (64 * 1024 * 1024 + 1))
        assert (await one.end())[0] == 1009
        await two.send({"type": "ping"})

        assert await two.receive() == {"type": "pong"}
    assert (served.bridge.counters["malformed"], served.bridge.counters["oversized"]) == (1, 1)


async def test_an_extension_that_does_not_read_is_given_up(tmp_path: Path) -> None:
    limits = BridgeLimits(waiting_bytes=1_000_000)
    async with serve_bridge(tmp_path, limits=limits) as served, served.socket() as lazy:
        link = await served.link()
        lazy.websocket.transport.pause_reading()
        for _ in range(10):
            link.send({"type": "connect", "padding": "x" * 900_000})
        async with asyncio.timeout(SECONDS):
            assert "too slowly" in await link.closed
        lazy.websocket.transport.abort()


async def test_an_extension_that_is_silent_for_too_long_is_not_there(tmp_path: Path) -> None:
    limits = BridgeLimits(key_check_seconds=0.05)
    async with (
        serve_bridge(tmp_path, limits=limits) as served,
        served.socket("/?name=quiet") as quiet,
        served.socket("/?name=lively") as lively,
    ):
        links = {link.name: link for link in (await served.link(), await served.link())}
        begun = links["lively"].last_heard
        await lively.send({"type": "ping"})
        await lively.receive()
        assert links["lively"].last_heard > begun
        links["quiet"].last_heard -= limits.silence_seconds

        assert await quiet.end() == (1000, [])
        assert set(served.bridge.links) == {"lively"}


async def test_a_listener_that_fails_does_not_harm_the_link(served: ServedBridge) -> None:
    def fail(message: object) -> None:
        raise ZeroDivisionError

    async with served.socket() as stub:
        (await served.link()).on_message(fail)
        await stub.send({"type": "disconnected"})
        await stub.send({"type": "ping"})

        assert await stub.receive() == {"type": "pong"}
