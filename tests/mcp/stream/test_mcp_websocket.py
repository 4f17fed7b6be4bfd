"""MCP over WebSocket."""

from __future__ import annotations

import asyncio
import json
import os
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from tabmux.mcp.http.http_limits import HttpLimits
from tabmux.mcp.stream.mcp_websocket import HIGH_WATER, FrameWriter
from tests.mcp.fake_backend import FakeBackend
from tests.mcp.raw_clients import INITIALIZE, SECONDS, http, request, serving, stateless, text


class Socket:
    """A client on one WebSocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[dict[str, Any]] = []

    async def send(self, message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(SECONDS):
            return dict(json.loads(await self.connection.recv()))

    async def ask(self, message: Any) -> dict[str, Any]:
        await self.send(message)
        while "method" in (answer := await self.receive()):
            self.heard.append(answer)
        return answer


@asynccontextmanager
async def socket(address: str, path: str = "/mcp/ws", **options: Any) -> AsyncIterator[Socket]:
    url = address.replace("http", "ws") + path
    async with connect(url, max_size=None, proxy=None, **options) as connection:
        yield Socket(connection)


async def test_a_client_lists_and_calls_tools(backend: FakeBackend) -> None:
    async with serving(backend) as address, socket(address, subprotocols=["mcp"]) as client:
        opened = await client.ask(request(1, "initialize", **INITIALIZE))
        listed = await client.ask(request(2, "tools/list"))
        called = await client.ask(request(3, "tools/call", name="echo", arguments={"text": "hi"}))
        chosen = client.connection.subprotocol

    assert opened["result"]["protocolVersion"] == "2025-11-25"
    assert "echo" in [tool["name"] for tool in listed["result"]["tools"]]
    assert text(called) == "hi"
    assert chosen == "mcp"


async def test_a_stateless_request_is_answered_too(backend: FakeBackend) -> None:
    async with serving(backend) as address, socket(address) as client:
        answer = await client.ask(stateless(1, "tools/call", name="echo", arguments={"text": "x"}))

    assert text(answer) == "x"


async def test_notifications_come_before_the_answer(backend: FakeBackend) -> None:
    async with serving(backend) as address, socket(address) as client:
        await client.ask(request(1, "initialize", **INITIALIZE))
        meta = {"progressToken": "p"}
        await client.ask(request(2, "tools/call", name="steps", arguments={}, _meta=meta))

    progress = [m["params"] for m in client.heard if m["method"] == "notifications/progress"]
    assert [each["progress"] for each in progress] == [1, 2, 3]


async def test_a_socket_is_a_session_and_ends_it(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as looker:
        async with socket(address) as client:
            await client.ask(request(1, "initialize", **INITIALIZE))
            during = (await looker.client.get("/health")).json()["sessions"]
        async with asyncio.timeout(SECONDS):
            await backend.opened[0].closed.wait()
        after = (await looker.client.get("/health")).json()["sessions"]

    assert (during, after) == (1, 0)


async def test_a_message_that_is_no_json_is_answered_and_the_socket_lives(
    backend: FakeBackend,
) -> None:
    async with serving(backend) as address, socket(address) as client:
        await client.connection.send("{nonsense")
        fault = await client.receive()
        await client.connection.send(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
        alive = await client.receive()

    assert fault["error"]["code"] == -32700
    assert alive["result"] == {}


async def test_beyond_the_cap_a_socket_is_refused(backend: FakeBackend) -> None:
    async with serving(backend, limits=HttpLimits(sessions_each=1)) as address, socket(address):
        with pytest.raises(InvalidStatus) as refused:
            async with socket(address):
                pass

    assert refused.value.response.status_code == 403


async def test_who_asks_too_fast_is_read_more_slowly(backend: FakeBackend) -> None:
    limits = HttpLimits(rate=50, burst=1)
    async with serving(backend, limits=limits) as address, socket(address) as client:
        began = asyncio.get_running_loop().time()
        for number in range(6):
            await client.send(request(number, "ping"))
        answers = [(await client.receive())["id"] for _ in range(6)]
        spent = asyncio.get_running_loop().time() - began

    assert answers == list(range(6))
    assert spent >= 0.09


async def test_a_stopping_server_closes_its_sockets(backend: FakeBackend) -> None:
    async with asyncio.timeout(SECONDS):
        async with serving(backend) as address:
            url = address.replace("http", "ws") + "/mcp/ws"
            connection = await connect(url, proxy=None)
            client = Socket(connection)
            await client.ask(request(1, "initialize", **INITIALIZE))
        await connection.wait_closed()

    assert connection.close_code == 1012
    assert backend.opened[0].closed.is_set()


async def test_what_nobody_reads_is_given_up() -> None:
    writer, never = FrameWriter(0.02), asyncio.Event()
    writer.send(b"x" * HIGH_WATER)

    async def send(event: Any) -> None:
        await never.wait()

    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
        group.create_task(writer.write(send))
        await writer.drained()


def frame(opcode: int, payload: bytes = b"", *, first: int = 0x80, masked: bool = True) -> bytes:
    """Make a frame, well formed or not."""
    size = len(payload)
    mask = 0x80 if masked else 0
    length = bytes([mask | size]) if size < 126 else bytes([mask | 127]) + struct.pack(">Q", size)
    key = os.urandom(4) if masked else b""
    body = bytes(b ^ key[i % 4] for i, b in enumerate(payload)) if masked else payload
    return bytes([first | opcode]) + length + key + body


HUGE = bytes([0x81, 0xFF]) + struct.pack(">Q", 2**62) + b"\0\0\0\0"
BAD_FRAMES = {
    "not masked": (frame(1, b"{}", masked=False), 1002),
    "unknown opcode": (frame(3, b"{}"), 1002),
    "reserved bit": (frame(1, b"{}", first=0xC0), 1002),
    "not UTF-8": (frame(1, b"\xff\xfe"), 1007),
    "not UTF-8, and goodbye": (frame(1, b"\xff\xfe") + frame(8, b"\x03\xe8"), 1000),
    "four exabytes": (HUGE, 1009),
    "too long": (bytes([0x81, 0xFF]) + struct.pack(">Q", 5 * 1024 * 1024) + b"\0\0\0\0", 1009),
    "fragmented ping": (frame(9, b"", first=0), 1002),
    "long ping": (frame(9, b"x" * 200), 1002),
    "continuation of nothing": (frame(0, b"{}"), 1002),
    "close of one byte": (frame(8, b"x"), 1002),
    "fragments that grow too long": (
        frame(1, b"x" * 3_000_000, first=0) + frame(0, b"x" * 3_000_000, first=0)[:14],
        1009,
    ),
}


@pytest.mark.parametrize("name", BAD_FRAMES)
async def test_a_bad_frame_closes_the_socket_and_harms_nobody_else(
    backend: FakeBackend, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """S-45."""
    bad, code = BAD_FRAMES[name]
    async with serving(backend) as address, socket(address) as other:
        reader, writer = await upgraded(address)
        writer.write(bad)
        async with asyncio.timeout(SECONDS):
            answer = await reader.read()
        writer.close()
        alive = await other.ask(request(1, "ping"))

    assert answer[:1] == b"\x88"
    assert struct.unpack(">H", answer[2:4])[0] == code
    assert alive["result"] == {}
    assert backend.opened == []
    assert "Traceback" not in caplog.text


async def upgraded(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    lines = [
        "GET /mcp/ws HTTP/1.1",
        f"Host: {host}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    ]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    async with asyncio.timeout(SECONDS):
        head = await reader.readuntil(b"\r\n\r\n")
    assert b" 101 " in head
    assert b"permessage-deflate" not in head
    return reader, writer
