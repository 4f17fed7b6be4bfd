"""Clients that speak raw messages: over a stream of lines, and over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from tabmux.daemon.http.http_server import build_http, listen, serve_http
from tabmux.mcp.backend import Backend
from tabmux.mcp.stream.line_stream import serve_stream

Message = dict[str, Any]
SECONDS = 15.0

INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def request(ident: int | str, method: str, **params: Any) -> Message:
    """Make a request."""
    return {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}


def stateless(ident: int | str, method: str, **params: Any) -> Message:
    """Make a request of the stateless era."""
    meta = {**ENVELOPE, **params.pop("_meta", {})}
    return request(ident, method, _meta=meta, **params)


def text(answer: Message) -> str:
    """Return the text that a tool answered."""
    return str(answer["result"]["content"][0]["text"])


class Lines:
    """One client on a stream of lines."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._ids = itertools.count(1)
        self.heard: list[Message] = []

    def send(self, message: Message | bytes) -> None:
        """Send a message, or a line as it is."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self._writer.write(line + b"\n")

    async def receive(self) -> Message:
        """Wait for one message."""
        async with asyncio.timeout(SECONDS):
            line = await self._reader.readline()
        assert line, "the server hung up"
        message: Message = json.loads(line)
        return message

    async def answer(self, ident: int | str | None) -> Message:
        """Wait for the answer to a request; notifications before it are kept in `heard`."""
        while "method" in (message := await self.receive()):
            self.heard.append(message)
        assert message["id"] == ident, message
        return message

    async def ask(self, method: str, **params: Any) -> Message:
        """Send a request and wait for its answer."""
        ident = next(self._ids)
        self.send(request(ident, method, **params))
        return await self.answer(ident)

    async def initialize(self, version: str = "2025-11-25") -> Message:
        """Open the connection as the handshake era does."""
        answer = await self.ask("initialize", **{**INITIALIZE, "protocolVersion": version})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    async def call(self, name: str, **arguments: Any) -> Message:
        """Call a tool."""
        return await self.ask("tools/call", name=name, arguments=arguments)

    async def hang_up(self) -> None:
        """Close our end."""
        self._writer.close()
        await self._writer.wait_closed()


@asynccontextmanager
async def lines(backend: Backend) -> AsyncIterator[Lines]:
    """Serve one client on a socket pair, in this process."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    source, sink = await asyncio.open_connection(sock=theirs)
    async with asyncio.timeout(4 * SECONDS), asyncio.TaskGroup() as group:
        group.create_task(serve_stream(backend, source, sink, version="1.2.3"))
        client = Lines(reader, writer)
        yield client
        await client.hang_up()
    sink.close()
    with contextlib.suppress(ConnectionError):
        await sink.wait_closed()


@asynccontextmanager
async def serving(backend: Backend, **options: Any) -> AsyncIterator[str]:
    """Serve HTTP on a free port, in this process; yields the address."""
    listener = listen("127.0.0.1", 0)
    port = listener.getsockname()[1]
    given = {"version": "1.2.3", "host": "127.0.0.1", "port": port, "token": None, **options}
    app, ready = build_http(backend, **given), asyncio.Event()
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(
            serve_http(app, "127.0.0.1", port, ready.set, listener=listener, grace=1)
        )
        async with asyncio.timeout(SECONDS):
            await ready.wait()
        yield f"http://127.0.0.1:{port}"
        serving.cancel()


class Http:
    """One client of `/mcp`."""

    def __init__(self, client: httpx2.AsyncClient, query: str = "") -> None:
        self.client, self.path = client, f"/mcp{query}"
        self.session = ""
        self._ids = itertools.count(1)
        self.heard: list[Message] = []

    @property
    def headers(self) -> dict[str, str]:
        """What every request of an initialized client carries."""
        return {"mcp-session-id": self.session, "mcp-protocol-version": "2025-11-25"}

    async def post(self, message: Message | bytes, **headers: str) -> httpx2.Response:
        """Post a message, or bytes as they are."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        own = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        return await self.client.post(self.path, content=body, headers={**own, **named})

    async def initialize(self) -> httpx2.Response:
        """Open a session."""
        response = await self.post(request(0, "initialize", **INITIALIZE))
        self.session = response.headers.get("mcp-session-id", "")
        return response

    async def ask(self, method: str, **params: Any) -> Message:
        """Send a request in the session, and read its answer in whichever form it comes."""
        message = request(next(self._ids), method, **params)
        return self._last(await self.post(message, **self.headers))

    async def call(self, name: str, meta: Message | None = None, **arguments: Any) -> Message:
        """Call a tool in the session."""
        more = {"_meta": meta} if meta else {}
        return await self.ask("tools/call", name=name, arguments=arguments, **more)

    async def ask_stateless(self, method: str, **params: Any) -> Message:
        """Send a request of the stateless era."""
        return self._last(await self.post_stateless(stateless(next(self._ids), method, **params)))

    async def post_stateless(self, message: Message, **headers: str) -> httpx2.Response:
        """Post a request of the stateless era with the headers that belong to it."""
        needed = {"mcp_protocol_version": "2026-07-28", "mcp_method": message["method"]}
        if "name" in message["params"]:
            needed["mcp_name"] = message["params"]["name"]
        return await self.post(message, **{**needed, **headers})

    def listen(self, **headers: str) -> Any:
        """Open a stream of events; an async context manager of the response."""
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        return self.client.stream("GET", "/mcp", headers={"accept": "text/event-stream", **named})

    def _last(self, response: httpx2.Response) -> Message:
        if response.headers["content-type"] == "application/json":
            message: Message = response.json()
            return message
        *before, last = [event.message for event in _events(response.text) if event.data]
        self.heard += before
        return last


@asynccontextmanager
async def http(address: str, query: str = "", **headers: str) -> AsyncIterator[Http]:
    """Connect a client to a server; `query` is what follows the path of its URL."""
    # Without TLS no certificates are needed, and to load them takes 20 ms of the server's own loop.
    async with httpx2.AsyncClient(
        base_url=address, timeout=SECONDS, headers=headers, verify=False
    ) as client:
        yield Http(client, query)


class Event:
    """A server-sent event."""

    def __init__(self, block: str) -> None:
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        self.id, self.name = fields.get("id", ""), fields.get("event", "")
        self.data = fields.get("data", "").strip()

    @property
    def message(self) -> Message:
        """The message that it carries."""
        message: Message = json.loads(self.data)
        return message


def _events(body: str) -> list[Event]:
    return [Event(block) for block in body.split("\n\n") if block and not block.startswith(":")]


async def events(response: httpx2.Response) -> AsyncIterator[Event]:
    """Read events as they come."""
    rest = ""
    async for chunk in response.aiter_text():
        *blocks, rest = (rest + chunk).split("\n\n")
        for block in blocks:
            if not block.startswith(":"):
                yield Event(block)


async def next_event(stream: AsyncIterator[Event]) -> Event:
    """Wait for one event with data or a name."""
    async with asyncio.timeout(SECONDS):
        async for event in stream:
            if event.data:
                return event
    raise AssertionError("the stream ended")
