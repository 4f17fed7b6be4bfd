from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.routing import Route, WebSocketRoute

from tabmux.bridge import proofs
from tabmux.bridge.extension_package import extension_origin
from tests.bridge.served_bridge import SECONDS, TOKEN, ServedBridge, serve_bridge

PAGES = [
    "http://localhost:9999", "http://127.0.0.1:9999", "https://example.com", "null", "file://", "",
    f"https://{'a' * 32}", "chrome://newtab", "http://chrome-extension.evil.example",
    "devtools://devtools", "moz-extension://x", "chrome-extension", f"x{extension_origin()}",
]  # fmt: skip


@pytest.mark.parametrize("origin", PAGES)
@pytest.mark.parametrize("path", ["/", "/session/s1"])
async def test_no_web_page_is_let_in_even_with_the_token(
    served: ServedBridge, path: str, origin: str
) -> None:
    how = {"token": TOKEN, "headers": {"origin": origin}}

    assert await served.status(path, **how) == 403
    assert served.bridge.links == {}


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "localhost", "127.0.0.1.evil.example:{port}", "LOCALHOST:{port}",
     "localhost.:{port}", "localhost:1", "[::1]", "0.0.0.0:{port}", "user@127.0.0.1:{port}", ""],
)  # fmt: skip
async def test_only_loopback_with_our_port_is_our_host(served: ServedBridge, host: str) -> None:
    lines = [
        "GET / HTTP/1.1", f"Host: {host.format(port=served.port)}", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", f"Authorization: Bearer {TOKEN}", "", "",
    ]  # fmt: skip
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write("\r\n".join(lines).encode())
    async with asyncio.timeout(SECONDS):
        status = await reader.readline()
    writer.close()

    assert status.split()[1] in (b"421", b"400")


async def test_every_route_asks_for_a_secret_also_those_added_later(served: ServedBridge) -> None:
    routes = [each for each in served.bridge.app.routes if isinstance(each, Route | WebSocketRoute)]
    sockets = [each.path for each in routes if isinstance(each, WebSocketRoute)]
    assert sockets == ["/", "/session/{id}"]
    for path in (*sockets, "/later"):
        assert await served.status(path.replace("{id}", "s1"), token=None) == 401
    for path in [each.path for each in routes if isinstance(each, Route)] + ["/later"]:
        expected = 405 if path == "/health" else 401
        assert (await served.post(path, {}, token=None)).status_code == expected


@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), f" {TOKEN}"])
async def test_a_wrong_token_is_worth_nothing(served: ServedBridge, token: str) -> None:
    assert await served.status("/", token=token) == 401
    assert await served.status(f"/?token={quote(token)}", token=None) == 401
    assert (await served.post("/commands", {}, token=token or None)).status_code == 401


async def test_a_token_is_taken_from_the_header_and_from_the_address(served: ServedBridge) -> None:
    assert await served.status("/") == 101
    assert await served.status(f"/session/s1?token={TOKEN}", token=None) == 101
    key = proofs.new_key()
    served.keys.add(key, "mine")
    assert await served.status("/", token=key.token) == 101


async def test_another_extension_needs_a_token(served: ServedBridge) -> None:
    other = "chrome-extension://" + "b" * 32

    assert await served.status("/", token=None, origin=other) == 401
    assert await served.status("/", token=None, origin=extension_origin() + "x") == 401
    assert await served.status("/", origin=other) == 101


async def test_a_message_about_no_tab_is_refused_rather_than_applied_to_all(
    served: ServedBridge,
) -> None:
    async with served.socket() as stub:
        link = await served.link()
        heard: list[object] = []
        link.on_message(heard.append)
        for kind in ("tabClosed", "tabFocused", "toolsChanged", "cdpEvent", "toolResult", "reply"):
            await stub.send({"type": kind, "tools": [], "method": "x"})
            assert (await stub.receive())["type"] == "error"

    assert heard == []


async def test_insecure_lets_programs_in_but_no_page(tmp_path: Path) -> None:
    async with serve_bridge(tmp_path, insecure=True) as served:
        assert await served.status("/", token=None) == 101
        assert await served.status("/session/s1", token=None) == 101
        assert await served.status("/", token=None, origin="https://example.com") == 403
        async with served.socket("/", token=None, origin=extension_origin()) as ours:
            await ours.send({"type": "ping"})
            assert await ours.end() == (4400, [])


NAMED, OTHER = "a" * 32, "b" * 32


async def test_extension_that_the_user_named_needs_no_token_on_the_sockets(tmp_path: Path) -> None:
    async with serve_bridge(tmp_path, extensions=[NAMED]) as served:
        for path in ("/", "/session/s1"):
            found = [
                await served.status(path, token=None, origin=f"chrome-extension://{extension}")
                for extension in (NAMED, OTHER)
            ]
            assert found == [101, 401]
        origin = f"chrome-extension://{NAMED}"
        assert (await served.post("/commands", {}, token=None, origin=origin)).status_code == 401
        assert await served.status("/", token=None, origin=f"https://{NAMED}") == 403
