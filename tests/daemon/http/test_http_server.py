from __future__ import annotations

import asyncio
import errno
import json
import logging
import signal
import socket

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from tabmux.daemon.http.http_server import listen
from tabmux.mcp.http.http_limits import HttpLimits
from tabmux.mcp.http.http_request import HttpTimings
from tests.mcp.fake_backend import FakeBackend
from tests.mcp.raw_clients import SECONDS, http, request, serving, text


async def test_health_says_what_is_running(backend: FakeBackend) -> None:
    async with serving(backend, token="t", health=lambda: {"browsers": 2}) as address:
        async with http(address, authorization="Bearer t") as client:
            await client.initialize()
        async with http(address) as client:
            answer = await client.client.get("/health")

    assert answer.json() == {"status": "ok", "version": "1.2.3", "sessions": 1, "browsers": 2}


@pytest.mark.parametrize("path", ["/mcp", "/", "/nothing", "/mcp/", "/more"])
async def test_no_route_answers_without_the_token(backend: FakeBackend, path: str) -> None:
    async def more(_: Request) -> PlainTextResponse:
        return PlainTextResponse("secret")

    routes = [Route("/more", more)]
    async with serving(backend, token="t", routes=routes) as address, http(address) as client:
        refused = [
            (await client.client.request(method, path)).status_code
            for method in ("GET", "POST", "DELETE", "PUT", "OPTIONS")
        ]

    assert refused == [401] * 5
    assert backend.opened == []


async def test_the_token_works_as_a_header_and_in_the_address(backend: FakeBackend) -> None:
    async with serving(backend, token="t") as address:
        async with http(address, authorization="Bearer t") as client:
            await client.initialize()
            first = text(await client.call("echo", text="header"))
        async with http(address) as client:
            url = "/mcp?token=t"
            second = await client.client.post(url, json=request(1, "ping"))

    assert first == "header"
    assert second.status_code == 400


async def test_a_foreign_host_or_origin_reaches_nothing(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        host = await client.client.get("/health", headers={"host": "evil.example"})
        origin = await client.client.get("/health", headers={"origin": "http://evil.example"})

    assert (host.status_code, origin.status_code) == (421, 403)
    assert "access-control-allow-origin" not in origin.headers


async def test_a_page_that_was_allowed_may_ask_first_and_read_the_session(
    backend: FakeBackend,
) -> None:
    page = "https://app.example"
    async with (
        serving(backend, token="t", allowed_origins=[page]) as address,
        http(address, origin=page) as client,
    ):
        asked = await client.client.options(
            "/mcp", headers={"access-control-request-method": "POST"}
        )
        client.client.headers["authorization"] = "Bearer t"
        opened = await client.initialize()

    assert asked.status_code == 204
    assert asked.headers["access-control-allow-origin"] == page
    assert opened.headers["access-control-allow-origin"] == page
    assert opened.headers["access-control-expose-headers"] == "mcp-session-id"


async def test_the_token_is_never_logged(
    backend: FakeBackend, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with serving(backend, token="canary") as address, http(address) as client:
        await client.client.get("/mcp?token=canary")
        await client.client.get("/mcp?token=canary-wrong")
        await client.client.get("/health", headers={"authorization": "Bearer canary"})

    ours = [r.getMessage() for r in caplog.records if r.name.startswith(("tabmux", "uvicorn"))]
    notes = [json.loads(line) for line in ours if line.startswith("{")]
    assert [(note["method"], note["path"], note["status"]) for note in notes] == [
        ("GET", "/mcp", 400),
        ("GET", "/mcp", 401),
        ("GET", "/health", 200),
    ]
    assert not any("canary" in line for line in ours)


async def test_a_port_in_use_is_an_error_before_anything_starts() -> None:
    taken = listen("127.0.0.1", 0)
    taken.listen()

    with pytest.raises(OSError, match="in use") as caught:
        listen("127.0.0.1", taken.getsockname()[1])

    taken.close()
    assert caught.value.errno == errno.EADDRINUSE


async def test_headers_that_drip_in_are_cut_off(backend: FakeBackend) -> None:
    limits = HttpLimits(timings=HttpTimings(header=0.05))
    async with serving(backend, limits=limits) as address:
        assert await _sent_and_read(address, b"GET /health HTTP/1.1\r\nx-slow: ") == b""


async def test_headers_without_end_are_cut_off(backend: FakeBackend) -> None:
    async with serving(backend) as address:
        assert await _sent_and_read(address, b"GET / HTTP/1.1\r\nx: " + b"y" * 300_000) == b""


async def test_a_connection_may_be_used_again(backend: FakeBackend) -> None:
    asked = b"GET /health HTTP/1.1\r\nhost: %s\r\n%s\r\n"
    async with serving(backend) as address:
        host = address.removeprefix("http://").encode()
        last = asked % (host, b"connection: close\r\n")
        answer = await _sent_and_read(address, asked % (host, b"") + last)

    assert answer.count(b"200 OK") == 2


async def _sent_and_read(address: str, data: bytes) -> bytes:
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(data)
    async with asyncio.timeout(SECONDS):
        try:
            answer = await reader.read()
        except ConnectionError:
            answer = b""
    writer.close()
    return answer


async def test_a_call_in_flight_ends_before_the_server_does(backend: FakeBackend) -> None:
    async with http("http://127.0.0.1") as client, asyncio.TaskGroup() as group:
        async with serving(backend) as address:
            client.client.base_url = address
            await client.initialize()
            call = group.create_task(client.call("slow"))
            await backend.started.wait()
            asyncio.get_running_loop().call_later(0.05, backend.opened[0].release.set)
        async with asyncio.timeout(SECONDS):
            answer = await call

    assert text(answer) == "released"
    assert backend.opened[0].closed.is_set()


async def test_a_call_that_does_not_end_is_stopped_at_the_deadline(backend: FakeBackend) -> None:
    async with http("http://127.0.0.1") as client, asyncio.TaskGroup() as group:
        async with asyncio.timeout(SECONDS), serving(backend) as address:
            client.client.base_url = address
            await client.initialize()
            call = group.create_task(
                client.post(request(1, "tools/call", name="slow"), **client.headers)
            )
            await backend.started.wait()
        await asyncio.wait([call], timeout=SECONDS)

    assert backend.opened[0].cancelled == 1
    assert backend.opened[0].closed.is_set()


async def test_signals_are_left_alone(backend: FakeBackend) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    async with serving(backend):
        during = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)

    assert during == before


def test_ipv6_can_be_listened_on() -> None:
    try:
        listener = listen("::1", 0)
    except OSError:
        pytest.skip("this machine has no IPv6")
    with listener:
        assert listener.family == socket.AF_INET6
