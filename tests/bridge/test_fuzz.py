"""Malformed messages by the thousand: answered with an error, counted, and nothing worse."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
from typing import Any

from websockets.exceptions import ConnectionClosed

from tabmux.bridge.extension_package import extension_origin
from tests.bridge.served_bridge import TOKEN, ExtensionClient, ServedBridge

MESSAGES = 10_000
VALID: list[dict[str, Any]] = [
    {"type": "connected", "browser": {"name": "x"}, "tabs": [{"id": 1, "title": "t", "url": "u"}]},
    {"type": "tabCreated", "tab": {"id": 1, "title": "t", "url": "u"}},
    {"type": "tabUpdated", "tab": {"id": 1, "title": "t", "url": "u"}},
    {"type": "tabClosed", "tabId": 1},
    {"type": "tabFocused", "tabId": 1, "tools": [{"name": "x", "inputSchema": {}}]},
    {"type": "toolsChanged", "tabId": 1, "tools": []},
    {"type": "toolResult", "callId": "x", "result": 1},
    {"type": "cdpEvent", "tabId": 1, "method": "Page.loadEventFired", "params": {}},
    {"type": "cdpResult", "id": 1, "result": {}},
    {"type": "reply", "id": "x", "result": {}},
    {"type": "hello", "protocol": 1, "keyId": "pairing", "nonce": "A" * 43},
    {"type": "response", "id": "x", "data": {}},
]
JUNK: list[Any] = [
    None, True, -1, 2**70, 1e308, "", "x" * 300, "\ud800", "‮\0", [], {}, [[]], {"id": {}},
    "../../etc/passwd", "__proto__", {"toString": 1}, ["\ufffe"] * 5, 0.1, "9" * 40,
]  # fmt: skip


def malformed(dice: random.Random) -> str | bytes:
    """Make something that an extension would never send."""
    choice = dice.randrange(8)
    message = json.loads(json.dumps(dice.choice(VALID)))
    if choice == 0:
        return os.urandom(dice.randrange(1, 200))
    if choice == 1:
        return json.dumps(dice.choice(JUNK))
    if choice == 2:
        return json.dumps(message)[: dice.randrange(1, 30)]
    if choice == 3:
        return "[" * dice.randrange(1, 3000)
    if choice == 4:
        message["type"] = dice.choice(JUNK)
    elif choice == 5:
        message.pop(dice.choice([key for key in message if key != "type"]))
    elif choice == 6:
        message[dice.choice([key for key in message if key != "type"])] = dice.choice(JUNK)
    else:
        text = json.dumps(message)
        spot = dice.randrange(len(text))
        return text[:spot] + chr(dice.randrange(1, 0x2FFF)) + text[spot:]
    return json.dumps(message)


async def test_10_000_malformed_messages_leave_the_bridge_serving(served: ServedBridge) -> None:
    dice = random.Random(8765)
    async with served.socket("/?name=fuzz") as rude, served.socket("/?name=fine") as fine:
        await served.link(), await served.link()
        async with asyncio.TaskGroup() as group:
            answers = group.create_task(_answers(rude))
            for _ in range(MESSAGES):
                await rude.websocket.send(malformed(dice))
            await rude.send({"type": "ping"})
            said = await answers
        await fine.send({"type": "ping"})

        assert await fine.receive() == {"type": "pong"}
        assert set(said) == {"error", "pong"}
        assert said.count("error") == served.bridge.counters["malformed"] > MESSAGES / 2
        assert set(served.bridge.links) == {"fuzz", "fine"}
    assert (await served.get("/health")).status_code == 200


async def test_malformed_messages_of_a_session_leave_it_serving(served: ServedBridge) -> None:
    dice = random.Random(3)
    async with served.socket("/session/s1") as rude:
        async with asyncio.TaskGroup() as group:
            answers = group.create_task(_answers(rude))
            for _ in range(1_000):
                await rude.websocket.send(malformed(dice))
            await rude.send({"type": "ping"})
            said = await answers

        assert said[-1] == "pong"
        assert said.count("error") == served.bridge.counters["malformed"]
        body = {"id": "c", "type": "x", "payload": {}}
        async with asyncio.TaskGroup() as group:
            asked = group.create_task(served.post("/commands", body, x_instance_id="s1"))
            command = await rude.receive()
            await rude.send({"type": "response", "id": command["id"], "data": 1})
        assert asked.result().json() == {"success": True, "payload": 1}


async def test_malformed_greetings_get_no_answer_and_leave_the_bridge_serving(
    served: ServedBridge,
) -> None:
    dice = random.Random(1)
    for _ in range(100):
        async with served.socket(token=None, origin=extension_origin()) as rude:
            try:
                await rude.websocket.send(malformed(dice))
            except ConnectionClosed:
                continue
            assert (await rude.end())[1] == []

    assert served.links.empty()
    assert served.bridge._unauthenticated == 0
    assert await served.status() == 101


async def test_broken_frames_and_requests_leave_the_bridge_serving(served: ServedBridge) -> None:
    dice = random.Random(2)
    upgrade = (
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
    ).encode()
    for number in range(200):
        _, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write((upgrade if number % 2 else b"") + dice.randbytes(dice.randrange(1, 400)))
        if number % 3 == 0:
            writer.write(b"\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    assert (await served.get("/health")).status_code == 200
    assert await served.status("/?name=fine") == 101


async def _answers(client: ExtensionClient) -> list[str]:
    """Return the types of what comes, up to the pong."""
    said: list[str] = []
    while not said or said[-1] != "pong":
        said.append((await client.receive_when_it_comes())["type"])
    return said
