"""The security tests of the HTTP server; `S-nn` are the numbers of the plan.

"Refused" always means that nothing happened: the workshop, our canary, has opened no session.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from starlette.routing import Route

from tabmux.daemon.app import App
from tabmux.daemon.http.http_access import HttpAccess
from tabmux.daemon.http.http_server import build_http
from tabmux.errors import Misuse
from tabmux.mcp.http.endpoint import McpEndpoint
from tabmux.mcp.http.http_limits import HttpLimits
from tests.agent import Agent
from tests.daemon.server import process
from tests.mcp.fake_backend import FakeBackend
from tests.mcp.raw_clients import INITIALIZE, SECONDS, http, lines, request, serving, text

EVIL = "evil.example"
LOOKALIKES = (
    "127.0.0.1.evil.com", "localhost.evil.com", "localhost@evil.com", "evil.com#localhost",
    "LOCALHOST", "localhost.", "[::1].evil", "127.0.0.1:{port}@x", "evil.com:{port}", "0.0.0.0:{port}",
    "localhost:{port}.evil.com", "127.1:{port}", "2130706433:{port}", "", "null", "x" * 10_000,
)  # fmt: skip
ORIGINS = (
    *(f"http://{name}" for name in LOOKALIKES),
    "chrome-extension://abcdefghijklmnopabcdefghijklmnopx", "null", "", "file://", "https://localhost:{port}",
)  # fmt: skip
UPGRADE = (
    "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)  # fmt: skip
OPENING = json.dumps(request(0, "initialize", **INITIALIZE))


async def raw(address: str, start: str, *headers: str, body: str = "") -> int:
    """Send a request as it is written, and return the status of the answer."""
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    length = [f"Content-Length: {len(body)}"] if body else []
    writer.write("\r\n".join([f"{start} HTTP/1.1", *headers, *length, "", body]).encode())
    async with asyncio.timeout(SECONDS):
        line = await reader.readline()
    writer.close()
    return int(line.split()[1])


def doors() -> list[tuple[str, tuple[str, ...], str]]:
    """Return a request for every way in."""
    json_type = ("Content-Type: application/json",)
    ways: list[tuple[str, tuple[str, ...], str]] = [
        ("POST /mcp", json_type, OPENING),
        ("GET /mcp", ("Accept: text/event-stream",), ""),
        ("GET /mcp/ws", UPGRADE, ""),
    ]
    ways += [(f"{method} /mcp", (), "") for method in ("DELETE", "OPTIONS", "PUT", "HEAD")]
    return ways + [(f"GET {path}", (), "") for path in ("/health", "/metrics", "/", "/nothing")]


async def test_s01_s10_no_route_answers_without_the_token(backend: FakeBackend, app: App) -> None:
    async def more(_: Any) -> None:
        raise AssertionError("reached")

    routes = [Route("/more", more), Route("/metrics", more)]
    served = build_http(
        backend, version="1", host="127.0.0.1", port=1, token="t", routes=routes, debug=lambda _: {}
    )
    paths = [str(getattr(route, "path", "")).replace("{id}", "x") for route in served.routes]
    async with serving(backend, token="t", routes=routes, debug=lambda _: {}) as address:
        host = f"Host: {address.removeprefix('http://')}"
        statuses = {
            (method, path): await raw(address, f"{method} {path}", host)
            for path in paths
            for method in ("GET", "POST", "DELETE", "PUT", "PATCH", "HEAD")
        }
        upgrade = await raw(address, "GET /mcp/ws", host, *UPGRADE)

    assert set(paths) == {
        "/mcp", "/mcp/ws", "/sse", "/health", "/metrics", "/debug/session/x", "/more"
    }  # fmt: skip
    guarded = {status for (_, path), status in statuses.items() if path != "/health"}
    assert guarded == {401}
    assert upgrade == 401
    assert backend.opened == []


def test_s02_no_argument_names_a_program(app: App) -> None:
    forbidden = re.compile(r"command|binary|executable|environment|^env$|cwd|argv", re.IGNORECASE)
    named = {
        f"{tool.name}.{name}"
        for tool in app.tools()
        for name in tool.schema["properties"]
        if forbidden.search(name)
    }

    assert named == set()


async def test_s02_no_query_or_header_starts_a_program(
    backend: FakeBackend, tmp_path: Path
) -> None:
    canary = tmp_path / "canary"
    names = ("command", "cmd", "executable_path", "start_command", "env", "cwd", "args")
    query = "&".join(f"{name}=touch%20{canary}" for name in names)
    async with serving(backend) as address, http(address) as client:
        headers = {f"x-{name}": f"touch {canary}" for name in names}
        body = request(0, "initialize", **INITIALIZE, **dict.fromkeys(names, f"touch {canary}"))
        answer = await client.client.post(f"/mcp?{query}", json=body, headers=headers)

    assert answer.status_code == 200
    assert not canary.exists()


@pytest.mark.parametrize("way", range(len(doors())))
async def test_s03_s07_no_foreign_host_comes_in(backend: FakeBackend, way: int) -> None:
    start, headers, body = doors()[way]
    async with serving(backend) as address:
        port = address.rpartition(":")[2]
        for name in LOOKALIKES:
            host = f"Host: {name.format(port=port)}"
            assert await raw(address, start, host, *headers, body=body) == 421, name
        both = ("Host: evil.example", f"Host: 127.0.0.1:{port}")
        assert await raw(address, start, *both, *headers, body=body) in (400, 421)

    assert backend.opened == []


@pytest.mark.parametrize("way", range(len(doors())))
async def test_s03_s07_no_foreign_origin_comes_in(backend: FakeBackend, way: int) -> None:
    start, headers, body = doors()[way]
    async with serving(backend) as address:
        port = address.rpartition(":")[2]
        host = f"Host: 127.0.0.1:{port}"
        for name in ORIGINS:
            origin = f"Origin: {name.format(port=port)}"
            assert await raw(address, start, host, origin, *headers, body=body) == 403, name
        both = (f"Origin: http://127.0.0.1:{port}", f"Origin: http://127.0.0.1:{port}")
        assert await raw(address, start, host, *both, *headers, body=body) == 403

    assert backend.opened == []


async def test_s45_a_broken_upgrade_neither_hangs_nor_lives(backend: FakeBackend) -> None:
    async with serving(backend) as address:
        host = f"Host: {address.removeprefix('http://')}"
        long = await raw(address, "GET /mcp/ws", host, *UPGRADE, f"X: {'y' * 9_000}")
        many = await raw(address, "GET /mcp/ws", host, *UPGRADE, *["X: y"] * 200)
        keyless = await raw(address, "GET /mcp/ws", host, *UPGRADE[:3])
        elsewhere = await raw(address, "GET /health", host, *UPGRADE)

    assert (long, many, keyless) == (431, 431, 400)
    assert elsewhere in (403, 404)
    assert backend.opened == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.2", "0.0.0.0", "box"])
async def test_s04_the_guard_is_there_whatever_address_is_served(
    backend: FakeBackend, host: str
) -> None:
    app = build_http(backend, version="1", host=host, port=3000, token="t")
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    for name in (EVIL, f"{EVIL}:3000"):
        headers = [(b"host", name.encode()), (b"authorization", b"Bearer t")]
        scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": headers}
        await app({**scope, "query_string": b"token=t"}, receive, send)

    assert [m["status"] for m in sent if "status" in m] == [421, 421]


@pytest.mark.parametrize("wildcard", ["*", "", "*:*", "http://*", ".*", "null"])
def test_s05_no_setting_lets_everyone_in(wildcard: str) -> None:
    with pytest.raises(Misuse):
        HttpAccess.at("127.0.0.1", 3000, "s3cret", allowed_origins=[wildcard])
    if wildcard == "null":  # the name of a host like any other
        assert HttpAccess.at("127.0.0.1", 3000, "s", allowed_hosts=["null"]).hosts >= {"null"}
    else:
        with pytest.raises(Misuse):
            HttpAccess.at("127.0.0.1", 3000, "s3cret", allowed_hosts=[wildcard])


async def test_s06_a_foreign_origin_is_refused_before_its_body_is_read(
    backend: FakeBackend,
) -> None:
    async with serving(backend) as address:
        host = f"Host: {address.removeprefix('http://')}"
        promised = ("Content-Type: application/json", "Content-Length: 1000")
        status = await raw(address, "POST /mcp", host, f"Origin: http://{EVIL}", *promised)

    assert status == 403


async def test_s06_no_answer_repeats_a_foreign_origin(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address, origin=f"http://{EVIL}") as client:
        ask = {"access-control-request-method": "POST"}
        answers = [
            await client.client.get("/health"),
            await client.client.options("/mcp", headers=ask),
            await client.client.post("/mcp", json={}),
        ]

    assert [answer.status_code for answer in answers] == [403] * 3
    assert not any(EVIL in str(answer.headers) + answer.text for answer in answers)


@pytest.mark.parametrize(
    "kind",
    [
        "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
        "application/jsonp", "application/json-patch+json", "text/json", "json", "application/json2",
        "text/plain; application/json", "application/octet-stream", "*/*",
    ],
)  # fmt: skip
async def test_s06_s08_only_json_is_read(backend: FakeBackend, kind: str) -> None:
    async with serving(backend) as address, http(address) as client:
        answer = await client.client.post(
            "/mcp", content=OPENING, headers={"content-type": kind} if kind else {}
        )

    assert answer.status_code == 415
    assert backend.opened == []


async def test_s21_every_listener_is_on_loopback(home: dict[str, str]) -> None:
    async with process(home, "--browser-url", "http://127.0.0.1:1") as server:
        assert server.stdout is not None
        async with asyncio.timeout(SECONDS * 3):
            ready = await server.stdout.readline()
        listening = [
            c.laddr.ip
            for c in psutil.Process(server.pid).net_connections("inet")
            if c.status == psutil.CONN_LISTEN
        ]

    assert b"is ready" in ready
    assert listening == ["127.0.0.1"]


async def test_s21_others_are_not_served_without_a_token(home: dict[str, str]) -> None:
    async with process(home, "--host", "0.0.0.0", "--no-auth") as server:
        async with asyncio.timeout(SECONDS * 3):
            _, complaint = await server.communicate()

    assert server.returncode == 1
    assert b"loopback only" in complaint


async def test_s41_a_session_id_opens_nothing_without_the_token(backend: FakeBackend) -> None:
    async with serving(backend, token="t") as address:
        async with http(address, authorization="Bearer t") as alice:
            await alice.initialize()
            headers = alice.headers
            async with http(address, authorization="Bearer wrong") as bob:
                call = request(1, "tools/call", name="note", arguments={"text": "bob"})
                statuses = [
                    (await bob.post(call, **headers)).status_code,
                    (await bob.client.get("/mcp", headers=headers)).status_code,
                    (await bob.client.delete("/mcp", headers=headers)).status_code,
                ]
            kept = text(await alice.call("note", text="alice"))

    assert statuses == [401] * 3
    assert kept == "alice"


async def test_s41_an_id_of_one_transport_is_unknown_to_the_others(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as alice, http(address) as bob:
        await alice.initialize()
        call = request(1, "tools/call", name="note", arguments={})
        own = backend.opened[0]
        legacy = await bob.client.post(f"/mcp?sessionId={alice.session}", json=call)
        as_handle = await bob.ask_stateless(
            "tools/call", name="note", arguments={"session": alice.session}
        )
        unknown = await bob.ask_stateless(
            "tools/call", name="note", arguments={"session": "made-up"}
        )
        with_handle = await bob.post(call, mcp_session_id=own.handle)

    assert legacy.status_code == 404
    assert as_handle["result"] == unknown["result"]
    assert with_handle.status_code == 404
    assert own.notes == []


async def test_s42_a_handle_appears_in_no_other_session_and_no_log(
    app: App, agent: Agent, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret = agent.session.handle
    async with lines_on(app) as other, serving(app) as address, http(address) as client:
        await client.initialize()
        for tool in ("list_pages", "list_browsers", "take_snapshot", "select_page"):
            answer = await client.call(tool, pageId=1)
            assert secret not in json.dumps(answer)
        assert secret not in json.dumps(await other.call("list_pages"))
        shown = (await client.client.get("/health")).text
        session = client.session

    logged = "\n".join(r.getMessage() for r in caplog.records if r.name.startswith("tabmux"))
    assert secret not in shown + logged
    assert session not in shown + logged


@asynccontextmanager
async def lines_on(app: App) -> AsyncIterator[Any]:
    async with lines(app) as client:
        await client.initialize()
        yield client


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
async def test_s43_a_client_cannot_choose_its_session(backend: FakeBackend, method: str) -> None:
    headers = {"mcp-session-id": "chosen", "accept": "application/json, text/event-stream"}
    async with serving(backend) as address, http(address) as client:
        body = {"json": json.loads(OPENING)} if method == "POST" else {}
        first = await client.client.request(method, "/mcp", headers=headers, **body)
        again = await client.client.request(method, "/mcp", headers=headers, **body)

    assert [first.status_code, again.status_code] == [404, 404]
    assert backend.opened == []


class Line:
    """Speaks to an endpoint without a network, thousands of times a second."""

    def __init__(self, endpoint: McpEndpoint) -> None:
        self._endpoint = endpoint
        self.status = 0
        self.session = ""

    async def initialize(self) -> int:
        headers = [(b"content-type", b"application/json"), (b"accept", b"application/json")]
        scope = {"type": "http", "method": "POST", "path": "/mcp", "query_string": b""}
        # Nothing comes after the body: the client stays.
        received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        received.put_nowait({"type": "http.request", "body": OPENING.encode()})
        await self._endpoint({**scope, "headers": headers}, received.get, self._send)
        return self.status

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.session = dict(message["headers"]).get(b"mcp-session-id", b"").decode()


@pytest.mark.timeout(180)
async def test_s43_ids_are_long_random_and_never_repeat(backend: FakeBackend) -> None:
    limits = HttpLimits(sessions=10_000, sessions_each=10_000, rate=1e9, burst=1e9)
    async with McpEndpoint(backend, version="1", limits=limits) as endpoint:
        line, ids = Line(endpoint), set[str]()
        for _ in range(10_000):
            await line.initialize()
            ids.add(line.session)

    assert len(ids) == 10_000
    assert all(re.fullmatch(r"[\w-]{32}", ident) for ident in ids)
    prefixes = {ident[:3] for ident in ids}
    assert len(prefixes) > 8_000


@pytest.mark.timeout(180)
async def test_s44_a_flood_of_sessions_is_bounded_and_harms_nobody(backend: FakeBackend) -> None:
    limits = HttpLimits(sessions=200, sessions_each=200, rate=1e9, burst=1e9)
    async with McpEndpoint(backend, version="1", limits=limits) as endpoint:
        line = Line(endpoint)
        first = [await line.initialize() for _ in range(200)]
        before = psutil.Process().memory_info().rss
        flood = {await line.initialize() for _ in range(20_000)}
        grown = psutil.Process().memory_info().rss - before
        still = endpoint.sessions

    assert set(first) == {200}
    assert flood == {503}
    assert grown < 20 * 1024 * 1024
    assert still == 200
    assert len(backend.opened) == 200


@pytest.mark.parametrize(
    "message",
    [
        request(1, "m" * 1_000_000),
        request(1, "tools/call", name="n" * 1_000_000, arguments={}),
        request(1, "logging/setLevel", level="l" * 1_000_000),
        request(1, "tools/list", cursor="c" * 1_000_000),
        {**request(1, "ping"), "jsonrpc": "2" * 1_000_000},
        {"jsonrpc": "2.0", "id": "i" * 1_000_000, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": "p" * 1_000_000},
        request(1, "initialize", protocolVersion={"v" * 1_000_000: 1}),
    ],
    ids=["method", "tool", "level", "cursor", "jsonrpc", "id", "params", "version"],
)
async def test_s51_an_error_never_repeats_a_long_input(
    backend: FakeBackend, message: dict[str, Any]
) -> None:
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        answer = await client.post(message, **client.headers)

    assert "error" in answer.json()
    assert len(answer.content) <= 2_048


async def test_s51_a_long_path_or_header_is_not_repeated(
    backend: FakeBackend, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    canary = secrets.token_hex(8_000)
    async with serving(backend) as address, http(address) as client:
        answers = [
            await client.client.get(f"/{canary}"),
            await client.client.get("/health", headers={"origin": canary}),
            await client.post(request(1, "ping"), mcp_session_id=canary),
        ]

    assert all(len(answer.content) <= 2_048 for answer in answers)
    ours = [r.getMessage() for r in caplog.records if r.name.startswith("tabmux")]
    assert all(len(line) <= 2_048 for line in ours)
