"""Faults of the extension: a real one, paired, serves its agent while strangers do their worst."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import psutil
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tabmux.bridge import proofs
from tabmux.bridge.extension_package import extension_origin
from tests.agent import Agent
from tests.bridge.test_fuzz import malformed
from tests.bridge.test_security import TRY
from tests.extension.everyday_browser import EverydayBrowser
from tests.extension.lending_server import LendingServer, lent_browser
from tests.hostile import inputs
from tests.hostile.tally import WHOLE_SECONDS, count, whole
from tests.hostile.wires import exchange, exchange_frames, upgrade
from tests.site import Site

ATTACKS = count(60, 3000)
AT_A_TIME = 6
# Longer than an extension is waited for that says nothing; see `BridgeLimits`.
SLEEP_SECONDS = 100.0
HELLO = {"type": "hello", "protocol": 1, "keyId": "pairing", "nonce": "A" * 43}

Both = tuple[LendingServer, EverydayBrowser]


@pytest.fixture(scope="module")
async def both(anyio_backend: str) -> AsyncIterator[Both]:
    async with lent_browser() as both:
        yield both


class Strangers:
    """Programs on this machine that want to be the extension, or to end it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.heard: list[dict[str, Any]] = []
        self._kinds: list[Callable[[random.Random], Awaitable[None]]] = [
            self._impostor, self._forger, self._babbler, self._wrecker, self._caller,
        ]  # fmt: skip

    async def attack(self, times: int) -> None:
        """Attack so many times, some at a time."""
        for first in range(0, times, AT_A_TIME):
            async with asyncio.TaskGroup() as group:
                for dice in inputs.seeds(first, AT_A_TIME):
                    group.create_task(self._one(dice))

    async def _one(self, dice: random.Random) -> None:
        with suppress(OSError, WebSocketException, TimeoutError):
            async with asyncio.timeout(20):
                await dice.choice(self._kinds)(dice)

    async def _impostor(self, dice: random.Random) -> None:
        """Claims to be the extension, and acts as if it had been believed."""
        await self._say(
            {**HELLO, "keyId": dice.choice(("pairing", "everyday", "", "../keys", "x" * 300))},
            {"type": "proof", "proof": "A" * 43, "browser": {"profileId": "p1"}, "capabilities": ["cdp"]},
            {"type": "connected", "browser": {"name": "evil"}, "tabs": [{"id": 1, "url": "x", "title": "x"}]},
            {"type": "tabClosed", "tabId": dice.randrange(1, 10**9)},
        )  # fmt: skip

    async def _forger(self, dice: random.Random) -> None:
        """Sends back what it hears as its own proof."""
        async with self._socket() as websocket:
            await websocket.send(json.dumps({**HELLO, "nonce": proofs.new_nonce()}))
            challenge = json.loads(await websocket.recv())
            self.heard.append(challenge)
            await websocket.send(json.dumps({**challenge, "type": "proof"}))
            async for message in websocket:
                self.heard.append(json.loads(message))

    async def _babbler(self, dice: random.Random) -> None:
        """Says anything."""
        await self._say(*(malformed(dice) for _ in range(5)))

    async def _wrecker(self, dice: random.Random) -> None:
        """Sends broken frames over a socket that was opened in order."""
        frames = b"".join(inputs.frame(dice) for _ in range(4))
        request = upgrade(self._port, "/", Origin=extension_origin())
        _, answer = await exchange_frames(self._port, request, frames)
        assert b"welcome" not in answer

    async def _caller(self, dice: random.Random) -> None:
        """Asks for commands and sessions without a token."""
        for target in ("/commands", "/session/s1", "/health", "/"):
            body = json.dumps({"type": "x", "payload": {}})
            answer = await exchange(
                self._port,
                f"POST {target} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nConnection: close\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}".encode(),
            )
            assert not answer.startswith(b"HTTP/1.1 200") or target == "/health"

    async def _say(self, *messages: Any) -> None:
        async with self._socket() as websocket:
            for message in messages:
                is_text = isinstance(message, str | bytes)
                await websocket.send(message if is_text else json.dumps(message))
            async for answer in websocket:
                self.heard.append(json.loads(answer))

    def _socket(self) -> connect:
        return connect(
            f"ws://127.0.0.1:{self._port}/",
            origin=extension_origin(),  # type: ignore[arg-type]
            compression=None,
            proxy=None,
        )


@pytest.mark.timeout(WHOLE_SECONDS)
async def test_paired_extension_serves_its_agent_while_strangers_attack(
    both: Both, site: Site
) -> None:
    lent, _ = both
    connections = lent.browser.history.connections
    async with Agent.joined(lent.app, site) as agent:
        await agent.open(
            "<title>Mine</title><button onclick='this.n = (this.n | 0) + 1'>Go</button>"
        )
        strangers = Strangers(lent.port)
        clicks = 0
        async with asyncio.TaskGroup() as group:
            attacking = group.create_task(strangers.attack(ATTACKS))
            while not attacking.done():
                await agent("click", uid="css=button")
                clicks += 1
        assert await agent.value("document.querySelector('button').n") == str(clicks)
    assert {message["type"] for message in strangers.heard} <= {"challenge", "error"}
    assert set(lent.bridge.links) == {"everyday"}
    assert lent.browser.history.connections == connections


async def test_page_in_a_tab_that_was_lent_cannot_speak_for_the_extension(
    both: Both, site: Site
) -> None:
    lent, _ = both
    connections = lent.browser.history.connections
    async with Agent.joined(lent.app, site) as agent:
        await agent.open("<title>Evil</title>")
        script = TRY % {"port": lent.port, "token": "guess"}
        text = await agent("evaluate_script", function=f"() => {script}", timeout=20_000)
        assert "HEARD" not in text
        assert "blocked" in text
        assert "Evil" in await agent("take_snapshot")
    assert set(lent.bridge.links) == {"everyday"}
    assert lent.browser.history.connections == connections


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_browser_that_slept_comes_back_and_does_nothing_twice(site: Site) -> None:
    """The machine of a lent browser sleeps during a click: it is done once, or not at all."""
    async with lent_browser() as (lent, user), Agent.joined(lent.app, site) as agent:
        await agent.open(
            "<title>Mine</title><button onclick='this.n = (this.n | 0) + 1'>Go</button>"
        )
        browser = psutil.Process(user._process.pid)
        asleep = [browser, *browser.children(recursive=True)]
        for process in asleep:
            process.suspend()
        async with asyncio.TaskGroup() as group:
            click = group.create_task(agent.reply("click", uid="css=button", timeout=5000))
            await asyncio.sleep(SLEEP_SECONDS)
            for process in asleep:
                process.resume()
        assert click.result().code != "internal"
        async with asyncio.timeout(60):
            while (await agent.reply("take_snapshot")).failed:
                await asyncio.sleep(0.2)
        assert await agent.value("document.querySelector('button').n | 0") in ("0", "1")
