from __future__ import annotations

import asyncio

import pytest

from tabmux.bridge import proofs
from tabmux.bridge import session_sockets as module
from tests.bridge.place import SECONDS, Place

NAVIGATE = {"id": "c1", "type": "browser_navigate", "payload": {"url": "https://example.com"}}


async def test_an_extension_that_does_not_answer_in_time_is_504(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(place.bridge.commands.run.__func__.__kwdefaults__, "seconds", 0.1)  # type: ignore[attr-defined]
    async with place.socket("/session/s1") as stub:
        answer = await place.post("/commands", NAVIGATE, x_instance_id="s1")
        late = await stub.receive()
        await stub.send({"type": "response", "id": late["id"], "data": {}})
        await stub.send({"type": "ping"})
        await stub.receive()

    assert (answer.status_code, answer.json()["code"]) == (504, "deadline")
    assert place.bridge.tally["unexpected"] == 1


async def test_an_extension_that_leaves_fails_its_commands_at_once(place: Place) -> None:
    async with asyncio.TaskGroup() as group:
        async with place.socket("/session/s1") as stub:
            asked = group.create_task(place.post("/commands", NAVIGATE, x_instance_id="s1"))
            await stub.receive()

    assert asked.result().status_code == 404


async def test_commands_of_two_sessions_never_meet(place: Place) -> None:
    async with place.socket("/session/a") as one, place.socket("/session/b") as two:
        async with asyncio.TaskGroup() as group:
            first = group.create_task(place.post("/commands", NAVIGATE, x_instance_id="a"))
            second = group.create_task(place.post("/commands", NAVIGATE, x_instance_id="b"))
            for stub, tab in ((two, 2), (one, 1)):
                command = await stub.receive()
                await stub.send({"type": "response", "id": command["id"], "data": {"tabId": tab}})

    assert first.result().json()["payload"] == {"tabId": 1}
    assert second.result().json()["payload"] == {"tabId": 2}


async def test_what_is_said_unasked_is_forwarded_in_its_order(place: Place) -> None:
    async with place.socket("/session/s1") as stub:
        for number in range(20):
            await stub.send({"type": "console", "id": number, "payload": {"tabId": number}})
        async with asyncio.timeout(SECONDS):
            heard = [await place.events.get() for _ in range(20)]

    assert [(event.session, event.tab) for event in heard] == [("s1", n) for n in range(20)]
    assert heard[3].body == {"messageId": 3, "type": "console", "payload": {"tabId": 3}}


async def test_a_session_has_one_extension_and_keeps_it(place: Place) -> None:
    async with place.socket("/session/s1"):
        async with place.socket("/session/s1") as second:
            assert await second.end() == (4409, [])
    async with place.socket("/session/s1") as again:
        await again.send({"type": "ping"})
        assert await again.receive() == {"type": "pong"}


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (NAVIGATE, {}),
        (NAVIGATE, {"x_instance_id": "s1", "x_tab_id": "x"}),
        (NAVIGATE, {"x_instance_id": "s1", "x_tab_id": "-1"}),
        ([], {"x_instance_id": "s1"}),
        ({"payload": {}}, {"x_instance_id": "s1"}),
        ({"type": "x", "payload": []}, {"x_instance_id": "s1"}),
        ({"type": 7}, {"x_instance_id": "s1"}),
    ],
)
async def test_a_command_that_is_none_reaches_nobody(
    place: Place, body: object, headers: dict[str, str]
) -> None:
    async with place.socket("/session/s1") as stub:
        answer = await place.post("/commands", body, **headers)
        await stub.send({"type": "ping"})

        assert answer.status_code == 400
        assert await stub.receive() == {"type": "pong"}


async def test_more_commands_than_an_extension_can_hold_are_refused(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_PENDING", 1)
    async with place.socket("/session/s1") as stub, asyncio.TaskGroup() as group:
        first = group.create_task(place.post("/commands", NAVIGATE, x_instance_id="s1"))
        command = await stub.receive()
        twice = await place.post("/commands", NAVIGATE, x_instance_id="s1")
        more = await place.post("/commands", {"type": "x"}, x_instance_id="s1")
        await stub.send({"type": "response", "id": command["id"], "data": None})

    assert (twice.status_code, more.status_code) == (400, 429)
    assert first.result().json() == {"success": True, "payload": None}


async def test_our_extension_is_asked_for_the_socket_of_a_session(place: Place) -> None:
    key = proofs.new_key()
    place.keys.add(key, "work")
    async with place.extension(key) as extension, asyncio.TaskGroup() as group:
        await place.link()
        asked = group.create_task(place.post("/commands", NAVIGATE, x_instance_id="s1"))
        serve = await extension.receive()
        async with place.extension(key, "/session/s1") as door:
            command = await door.receive()
            await door.send({"type": "response", "id": command["id"], "data": {"ok": 1}})
            done = await asked

    assert serve == {"type": "serve", "instanceId": "s1"}
    assert done.json() == {"success": True, "payload": {"ok": 1}}


async def test_with_two_extensions_of_ours_none_is_guessed(place: Place) -> None:
    keys = [proofs.new_key(), proofs.new_key()]
    for key in keys:
        place.keys.add(key, "chrome")
    async with place.extension(keys[0]) as one, place.extension(keys[1]) as two:
        await place.link(), await place.link()
        answer = await place.post("/commands", NAVIGATE, x_instance_id="s1")
        for extension in (one, two):
            await extension.send({"type": "ping"})
            assert await extension.receive() == {"type": "pong"}

    assert answer.status_code == 404
