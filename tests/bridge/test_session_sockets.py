from __future__ import annotations

import asyncio
from pathlib import Path

from tabmux.bridge import proofs
from tabmux.bridge.bridge_limits import BridgeLimits
from tests.bridge.served_bridge import SECONDS, ServedBridge, serve_bridge

NAVIGATE = {"id": "c1", "type": "browser_navigate", "payload": {"url": "https://example.com"}}


async def test_an_extension_that_does_not_answer_in_time_is_504(tmp_path: Path) -> None:
    limits = BridgeLimits(command_seconds=0.1)
    async with (
        serve_bridge(tmp_path, limits=limits) as served,
        served.socket("/session/s1") as stub,
    ):
        answer = await served.post("/commands", NAVIGATE, x_instance_id="s1")
        late = await stub.receive()
        await stub.send({"type": "response", "id": late["id"], "data": {}})
        await stub.send({"type": "ping"})
        await stub.receive()

    assert (answer.status_code, answer.json()["code"]) == (504, "deadline")
    assert "try again" in answer.json()["error"]
    assert served.bridge.counters["unexpected"] == 1


async def test_an_extension_that_leaves_fails_its_commands_at_once(served: ServedBridge) -> None:
    async with asyncio.TaskGroup() as group:
        async with served.socket("/session/s1") as stub:
            asked = group.create_task(served.post("/commands", NAVIGATE, x_instance_id="s1"))
            await stub.receive()

    assert asked.result().status_code == 404


async def test_commands_of_two_sessions_never_meet(served: ServedBridge) -> None:
    async with served.socket("/session/a") as one, served.socket("/session/b") as two:
        async with asyncio.TaskGroup() as group:
            first = group.create_task(served.post("/commands", NAVIGATE, x_instance_id="a"))
            second = group.create_task(served.post("/commands", NAVIGATE, x_instance_id="b"))
            for stub, tab in ((two, 2), (one, 1)):
                command = await stub.receive()
                await stub.send({"type": "response", "id": command["id"], "data": {"tabId": tab}})

    assert first.result().json()["payload"] == {"tabId": 1}
    assert second.result().json()["payload"] == {"tabId": 2}


async def test_what_is_said_unasked_is_forwarded_in_its_order(served: ServedBridge) -> None:
    async with served.socket("/session/s1") as stub:
        for number in range(20):
            await stub.send({"type": "console", "id": number, "payload": {"tabId": number}})
        async with asyncio.timeout(SECONDS):
            received = [await served.notifications.get() for _ in range(20)]

    assert [(event.session, event.tab) for event in received] == [("s1", n) for n in range(20)]
    assert received[3].body == {"messageId": 3, "type": "console", "payload": {"tabId": 3}}


async def test_a_session_has_one_extension_and_keeps_it(served: ServedBridge) -> None:
    async with served.socket("/session/s1"):
        async with served.socket("/session/s1") as second:
            assert await second.end() == (4409, [])
    async with served.socket("/session/s1") as again:
        await again.send({"type": "ping"})
        assert await again.receive() == {"type": "pong"}


async def test_more_commands_than_an_extension_can_hold_are_refused(tmp_path: Path) -> None:
    async with (
        serve_bridge(tmp_path, limits=BridgeLimits(pending_commands=1)) as served,
        served.socket("/session/s1") as stub,
        asyncio.TaskGroup() as group,
    ):
        first = group.create_task(served.post("/commands", NAVIGATE, x_instance_id="s1"))
        command = await stub.receive()
        twice = await served.post("/commands", NAVIGATE, x_instance_id="s1")
        more = await served.post("/commands", {"type": "x"}, x_instance_id="s1")
        await stub.send({"type": "response", "id": command["id"], "data": None})

    assert (twice.status_code, more.status_code) == (400, 429)
    assert first.result().json() == {"success": True, "payload": None}


async def test_our_extension_is_asked_for_the_socket_of_a_session(served: ServedBridge) -> None:
    key = proofs.new_key()
    served.keys.add(key, "work")
    async with served.extension(key) as extension, asyncio.TaskGroup() as group:
        await served.link()
        asked = group.create_task(served.post("/commands", NAVIGATE, x_instance_id="s1"))
        serve = await extension.receive()
        async with served.extension(key, "/session/s1") as session:
            command = await session.receive()
            await session.send({"type": "response", "id": command["id"], "data": {"ok": 1}})
            done = await asked

    assert (serve["type"], serve["instanceId"]) == ("serve", "s1")
    assert "s1" not in serve["name"]
    assert done.json() == {"success": True, "payload": {"ok": 1}}


async def test_with_two_extensions_of_ours_none_is_guessed(served: ServedBridge) -> None:
    keys = [proofs.new_key(), proofs.new_key()]
    for key in keys:
        served.keys.add(key, "chrome")
    async with served.extension(keys[0]) as one, served.extension(keys[1]) as two:
        await served.link(), await served.link()
        answer = await served.post("/commands", NAVIGATE, x_instance_id="s1")
        for extension in (one, two):
            await extension.send({"type": "ping"})
            assert await extension.receive() == {"type": "pong"}

    assert answer.status_code == 404
