"""Who is let in: S-07, S-12 to S-14, S-16 to S-18, S-20 and S-22 of the reliability plan."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.routing import Route, WebSocketRoute
from websockets.exceptions import InvalidStatus

from tabmux.bridge import extension_handshake, proofs
from tabmux.bridge.extension_package import extension_id, extension_origin
from tests.bridge.place import BROWSER, SECONDS, TOKEN, Place, bridging

PAGES = [
    "http://localhost:9999", "http://127.0.0.1:9999", "https://example.com", "null", "file://", "",
    f"https://{'a' * 32}", "chrome://newtab", "http://chrome-extension.evil.example",
    "devtools://devtools", "moz-extension://x", "chrome-extension", f"x{extension_origin()}",
]  # fmt: skip


@pytest.mark.parametrize("origin", PAGES)
@pytest.mark.parametrize("path", ["/", "/session/s1"])
async def test_no_web_page_is_let_in_even_with_the_token(
    place: Place, path: str, origin: str
) -> None:
    how = {"token": TOKEN, "headers": {"origin": origin}}

    assert await place.status(path, **how) == 403
    assert place.bridge.links == {}


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "localhost", "127.0.0.1.evil.example:{port}", "LOCALHOST:{port}",
     "localhost.:{port}", "localhost:1", "[::1]", "0.0.0.0:{port}", "user@127.0.0.1:{port}", ""],
)  # fmt: skip
async def test_only_loopback_with_our_port_is_our_host(place: Place, host: str) -> None:
    lines = [
        "GET / HTTP/1.1", f"Host: {host.format(port=place.port)}", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", f"Authorization: Bearer {TOKEN}", "", "",
    ]  # fmt: skip
    reader, writer = await asyncio.open_connection("127.0.0.1", place.port)
    writer.write("\r\n".join(lines).encode())
    async with asyncio.timeout(SECONDS):
        status = await reader.readline()
    writer.close()

    assert status.split()[1] in (b"421", b"400")


async def test_every_route_asks_for_a_secret_also_those_added_later(place: Place) -> None:
    routes = [each for each in place.bridge.app.routes if isinstance(each, Route | WebSocketRoute)]
    sockets = [each.path for each in routes if isinstance(each, WebSocketRoute)]
    assert sockets == ["/", "/session/{id}"]
    for path in (*sockets, "/later"):
        assert await place.status(path.replace("{id}", "s1"), token=None) == 401
    for path in [each.path for each in routes if isinstance(each, Route)] + ["/later"]:
        expected = 405 if path == "/health" else 401
        assert (await place.post(path, {}, token=None)).status_code == expected


@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), f" {TOKEN}"])
async def test_a_wrong_token_is_worth_nothing(place: Place, token: str) -> None:
    assert await place.status("/", token=token) == 401
    assert await place.status(f"/?token={quote(token)}", token=None) == 401
    assert (await place.post("/commands", {}, token=token or None)).status_code == 401


async def test_a_token_is_taken_from_the_header_and_from_the_address(place: Place) -> None:
    assert await place.status("/") == 101
    assert await place.status(f"/session/s1?token={TOKEN}", token=None) == 101
    key = proofs.new_key()
    place.keys.add(key, "mine")
    assert await place.status("/", token=key.token) == 101


async def test_another_extension_needs_a_token(place: Place) -> None:
    other = "chrome-extension://" + "b" * 32

    assert await place.status("/", token=None, origin=other) == 401
    assert await place.status("/", token=None, origin=extension_origin() + "x") == 401
    assert await place.status("/", origin=other) == 101


async def test_a_program_that_claims_to_be_the_extension_hears_only_a_challenge(
    place: Place,
) -> None:
    key = proofs.new_key()
    place.keys.add(key, "work")
    async with place.socket(token=None, origin=extension_origin()) as client:
        challenge = await client.hello(key.id)
        wrong = {"type": "proof", "proof": challenge["proof"], "browser": BROWSER}
        await client.send(wrong)
        code, said = await client.end()

    assert set(challenge) == {"type", "nonce", "proof", "clientNonce"}
    assert (code, said) == (4401, [])
    assert place.links.empty()


@pytest.mark.parametrize(
    "first",
    [{"type": "connected", "browser": {}, "tabs": []}, {"type": "ping"}, [], 7, "{", {"type": "hello"},
     {"type": "hello", "protocol": 2, "keyId": "x", "nonce": "A" * 43},
     {"type": "hello", "protocol": 1, "keyId": "x", "nonce": "A" * 43},
     {"type": "hello", "protocol": 1, "keyId": ["x"], "nonce": "A" * 43},
     {"type": "hello", "protocol": 1, "keyId": "../keys", "nonce": "A" * 43},
     {"type": "hello", "protocol": 1, "keyId": "pairing", "nonce": "A" * 43},
     {"type": "hello", "padding": "x" * 5000}],
)  # fmt: skip
async def test_nothing_is_said_to_who_does_not_prove_itself(place: Place, first: object) -> None:
    async with place.socket(token=None, origin=extension_origin()) as client:
        await client.send(first)
        code, said = await client.end()

    assert code in (4400, 4401, 4406)
    assert said == []
    assert place.links.empty()


async def test_who_says_nothing_is_cut_off(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extension_handshake, "HANDSHAKE_SECONDS", 0.1)
    async with place.socket(token=None, origin=extension_origin()) as client:
        assert await client.end() == (4400, [])


async def test_strangers_cannot_take_up_every_place(place: Place) -> None:
    how: dict[str, Any] = {"token": None, "origin": extension_origin()}
    async with asyncio.TaskGroup() as group:
        release, everyone = asyncio.Event(), asyncio.Barrier(17)

        async def loiter() -> int:
            async with place.socket(**how):
                await everyone.wait()
                await release.wait()
            return 101

        crowd = [group.create_task(loiter()) for _ in range(16)]
        async with asyncio.timeout(SECONDS):
            await everyone.wait()
        refused = await place.status(**how)
        known = await place.status()
        release.set()

    assert (refused, known) == (403, 101)
    assert len(crowd) == 16


async def test_strangers_that_come_at_once_are_counted_too(place: Place) -> None:
    how: dict[str, Any] = {"token": None, "origin": extension_origin()}
    answered, inside, release = 0, 0, asyncio.Event()

    async def loiter() -> None:
        nonlocal answered, inside
        try:
            async with place.socket(**how):
                answered, inside = answered + 1, inside + 1
                await release.wait()
        except InvalidStatus:
            answered += 1

    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
        for _ in range(40):
            group.create_task(loiter())
        while answered < 40:
            await asyncio.sleep(0)
        release.set()

    assert inside == 16


async def test_a_message_about_no_tab_is_refused_rather_than_applied_to_all(place: Place) -> None:
    async with place.socket() as stub:
        link = await place.link()
        heard: list[object] = []
        link.on_message(heard.append)
        for kind in ("tabClosed", "tabFocused", "toolsChanged", "cdpEvent", "toolResult", "reply"):
            await stub.send({"type": kind, "tools": [], "method": "x"})
            assert (await stub.receive())["type"] == "error"

    assert heard == []


async def test_insecure_lets_programs_in_but_no_page(tmp_path: Path) -> None:
    async with bridging(tmp_path, insecure=True) as place:
        assert await place.status("/", token=None) == 101
        assert await place.status("/session/s1", token=None) == 101
        assert await place.status("/", token=None, origin="https://example.com") == 403
        async with place.socket("/", token=None, origin=extension_origin()) as ours:
            await ours.send({"type": "ping"})
            assert await ours.end() == (4400, [])


def test_the_id_is_that_of_the_key_in_the_manifest() -> None:
    assert len(extension_id()) == 32
    assert set(extension_id()) <= set("abcdefghijklmnop")
