"""Which HTTP requests `/mcp` refuses, and with which status."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tabmux.mcp.http.http_limits import HttpLimits
from tabmux.mcp.http.http_request import HttpTimings
from tests.mcp.fake_backend import FakeBackend
from tests.mcp.raw_clients import INITIALIZE, SECONDS, http, request, serving, stateless

JSON = "application/json"
EVENTS = "text/event-stream"
OPENING = request(1, "initialize", **INITIALIZE)


async def test_initialize_gives_a_session_id(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        response = await client.initialize()

    assert response.status_code == 200
    assert len(client.session) == 32


async def test_ids_never_repeat(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        ids = {(await client.initialize()).headers["mcp-session-id"] for _ in range(20)}

    assert len(ids) == 20


@pytest.mark.parametrize(
    ("message", "headers", "status"),
    [
        (request(1, "tools/list"), {}, 400),
        (request(1, "tools/list"), {"mcp_session_id": "made-up"}, 404),
        (OPENING, {"mcp_session_id": "made-up"}, 404),
        ({"jsonrpc": "2.0", "method": "notifications/initialized"}, {}, 400),
        (request(1, "initialize"), {}, 400),
        (OPENING, {"content_type": "text/plain"}, 415),
        (OPENING, {"content_type": "application/jsonp"}, 415),
        (OPENING, {"content_type": "application/x-www-form-urlencoded"}, 415),
        (OPENING, {"content_type": "multipart/form-data; boundary=x"}, 415),
        (OPENING, {"accept": "text/html"}, 406),
        (OPENING, {"mcp_protocol_version": "1999-01-01"}, 400),
        (b"garbage", {}, 400),
        (b"", {}, 400),
        (b"[]", {}, 400),
        (b"x" * 3_000, {}, 413),
    ],
)
async def test_a_bad_post_is_refused(
    backend: FakeBackend, message: Any, headers: dict[str, str], status: int
) -> None:
    limits = HttpLimits(body_bytes=2_000)
    async with serving(backend, limits=limits) as address, http(address) as client:
        response = await client.post(message, **headers)

    assert response.status_code == status
    assert response.json()["error"]["message"]
    assert backend.opened == []


async def test_a_body_without_length_is_measured_too(backend: FakeBackend) -> None:
    async def endless() -> Any:
        for _ in range(100):
            yield b"x" * 100

    limits = HttpLimits(body_bytes=2_000)
    async with serving(backend, limits=limits) as address, http(address) as client:
        response = await client.client.post(
            "/mcp", content=endless(), headers={"content-type": JSON}
        )

    assert response.status_code == 413


async def test_a_charset_beside_the_content_type_is_fine(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        response = await client.post(OPENING, content_type="application/json; charset=utf-8")

    assert response.status_code == 200


@pytest.mark.parametrize("method", ["PUT", "PATCH", "HEAD", "OPTIONS"])
async def test_other_methods_are_refused(backend: FakeBackend, method: str) -> None:
    async with serving(backend) as address, http(address) as client:
        response = await client.client.request(method, "/mcp")

    assert response.status_code == 405
    assert response.headers["allow"] == "GET, POST, DELETE"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"accept": "*/*"}, 400),
        ({"accept": JSON}, 400),
        ({"accept": EVENTS, "mcp-protocol-version": "2025-11-25"}, 400),
        ({"accept": EVENTS, "mcp-session-id": "made-up"}, 404),
        ({"accept": EVENTS, "mcp-protocol-version": "2026-07-28"}, 405),
    ],
)
async def test_a_get_that_names_no_session_is_refused(
    backend: FakeBackend, headers: dict[str, str], status: int
) -> None:
    async with serving(backend) as address, http(address) as client:
        response = await client.client.get("/mcp", headers=headers)

    assert response.status_code == status


async def test_a_get_that_takes_no_events_is_refused(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        response = await client.client.get("/mcp", headers={**client.headers, "accept": JSON})

    assert response.status_code == 406


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 400),
        ({"mcp-session-id": "made-up"}, 404),
        ({"mcp-protocol-version": "2026-07-28"}, 405),
    ],
)
async def test_a_delete_that_names_no_session_is_refused(
    backend: FakeBackend, headers: dict[str, str], status: int
) -> None:
    async with serving(backend) as address, http(address) as client:
        response = await client.client.delete("/mcp", headers=headers)

    assert response.status_code == status


async def test_beyond_the_cap_no_session_opens_and_the_open_ones_work(backend: FakeBackend) -> None:
    async with serving(backend, limits=HttpLimits(sessions=1)) as address, http(address) as client:
        await client.initialize()
        refused = await client.post(OPENING)
        answer = await client.ask("ping")

    assert refused.status_code == 503
    assert answer["result"] == {}


async def test_a_session_that_cannot_be_opened_says_why(backend: FakeBackend) -> None:
    backend.is_full = True
    async with serving(backend) as address, http(address) as client:
        refused = await client.initialize()

    assert refused.status_code == 503
    assert refused.json()["error"]["message"] == "The backend is full. Come back later."


@pytest.mark.parametrize(
    "accept", [JSON, EVENTS, "*/*", "application/*, text/*", f"{JSON}, {EVENTS}"]
)
async def test_the_answer_comes_in_a_form_that_the_client_takes(
    backend: FakeBackend, accept: str
) -> None:
    async with serving(backend) as address, http(address) as client:
        response = await client.post(OPENING, accept=accept)

    expected = EVENTS if accept == EVENTS else JSON
    assert response.headers["content-type"] == expected
    assert "serverInfo" in response.text


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"mcp_method": "tools/list"}, 400, -32020),
        ({"mcp_name": "other"}, 400, -32020),
        ({"mcp_protocol_version": "2025-11-25"}, 400, -32020),
    ],
)
async def test_a_stateless_request_must_agree_with_its_headers(
    backend: FakeBackend, change: dict[str, str], status: int, code: int
) -> None:
    message = stateless(1, "tools/call", name="echo")
    async with serving(backend) as address, http(address) as client:
        response = await client.post_stateless(message, **change)

    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert response.json()["id"] == 1
    assert backend.opened == []


async def test_a_stateless_request_without_its_headers_is_refused(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        response = await client.post(stateless(1, "tools/list"))

    assert (response.status_code, response.json()["error"]["code"]) == (400, -32020)


async def test_a_header_given_twice_is_refused(backend: FakeBackend) -> None:
    body = json.dumps(stateless(1, "tools/list")).encode()
    headers = [
        ("content-type", JSON),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/list"),
        ("mcp-method", "tools/call"),
    ]
    async with serving(backend) as address, http(address) as client:
        response = await client.client.post("/mcp", content=body, headers=headers)

    assert (response.status_code, response.json()["error"]["code"]) == (400, -32020)


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "made/up"])
async def test_what_the_stateless_era_does_not_know_is_not_found(
    backend: FakeBackend, method: str
) -> None:
    async with serving(backend) as address, http(address) as client:
        response = await client.post_stateless(stateless(1, method))

    assert (response.status_code, response.json()["error"]["code"]) == (404, -32601)


async def test_a_stateless_notification_is_taken(backend: FakeBackend) -> None:
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}
    async with serving(backend) as address, http(address) as client:
        response = await client.post(message, mcp_protocol_version="2026-07-28")

    assert response.status_code == 202


async def test_a_stateless_answer_is_refused(backend: FakeBackend) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "result": {}}
    async with serving(backend) as address, http(address) as client:
        response = await client.post(message, mcp_protocol_version="2026-07-28")

    assert response.status_code == 400


async def test_listening_needs_a_client_that_takes_events(backend: FakeBackend) -> None:
    message = stateless(1, "subscriptions/listen", notifications={})
    async with serving(backend) as address, http(address) as client:
        response = await client.post_stateless(message, accept=JSON)

    assert response.status_code == 406


async def test_a_body_that_never_ends_is_not_waited_for(backend: FakeBackend) -> None:
    limits = HttpLimits(timings=HttpTimings(body=0.05))
    async with serving(backend, limits=limits) as address, raw(address) as (reader, writer):
        writer.write(_head(address, "POST", "content-type: application/json\r\ncontent-length: 9"))
        async with asyncio.timeout(SECONDS):
            answer = await reader.readline()

    assert b" 408 " in answer


async def test_a_client_that_hangs_up_within_its_body_harms_nobody(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        async with raw(address) as (_, writer):
            head = _head(address, "POST", "content-type: application/json\r\ncontent-length: 9")
            writer.write(head + b"{")
            await writer.drain()
        response = await client.initialize()

    assert response.status_code == 200


async def test_a_client_that_does_not_read_is_given_up(backend: FakeBackend) -> None:
    limits = HttpLimits(timings=HttpTimings(write=0.05))
    async with serving(backend, limits=limits) as address, raw(address) as (reader, writer):
        writer.write(_head(address, "GET", f"accept: {EVENTS}"))
        await reader.readuntil(b"sessionId=")
        posted = request(1, "initialize", **INITIALIZE)
        ident = (await reader.readline()).decode().strip()
        async with http(address) as client:
            await client.client.post(f"/mcp?sessionId={ident}", json=posted)
        for _ in range(40):
            backend.opened[0].log("error", "x" * 200_000)
        async with asyncio.timeout(SECONDS):
            await backend.opened[0].closed.wait()


@asynccontextmanager
async def raw(address: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection whose own buffers are small."""
    host, port = address.removeprefix("http://").split(":")
    ours = socket.socket()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    ours.connect((host, int(port)))
    reader, writer = await asyncio.open_connection(sock=ours, limit=1024)
    yield reader, writer
    writer.close()


def _head(address: str, method: str, fields: str) -> bytes:
    host = address.removeprefix("http://")
    return f"{method} /mcp HTTP/1.1\r\nhost: {host}\r\n{fields}\r\n\r\n".encode()
