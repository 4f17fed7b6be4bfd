"""A model on loopback, for clients that do nothing without one: its answers are the script's."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from dialects import DIALECTS, Dialect
from script import Script


class ModelServer(ThreadingHTTPServer):
    """Speaks one provider's protocol; whoever offers no tools of tabmux is told nothing of use."""

    daemon_threads = True

    def __init__(self, dialect: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.dialect: Dialect = DIALECTS[dialect]
        self.script = Script()
        self.tools: asyncio.Queue[list[str]] = asyncio.Queue()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self._loop = asyncio.get_running_loop()
        self._ids = itertools.count(1)

    def answer(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Return the model's next call, or nothing when it has no more to say."""
        names = {bare(name): name for name in self.dialect.tools(request)}
        if not names:
            return None
        future = asyncio.run_coroutine_threadsafe(self._advance(request, names), self._loop)
        return future.result()

    async def _advance(self, request: Any, names: dict[str, str]) -> dict[str, Any] | None:
        if (answer := self.dialect.answer(request)) is not None:
            await self.script.answered(answer)
        else:
            # Where tabmux's tools have a prefix, the others are the client's own.
            prefixed = [name for name, shown in names.items() if name != shown]
            await self.tools.put(prefixed or list(names))
        call = await self.script.next_call()
        if call is None:
            return None
        return {
            "id": f"call_{next(self._ids)}",
            "name": names.get(call[0], call[0]),
            "arguments": call[1],
        }


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "{}")
        self._send(self.server.answer(request), request.get("stream") or "stream" in self.path)

    def do_GET(self) -> None:
        self._send(None, stream=False)

    do_HEAD = do_GET

    def _send(self, call: dict[str, Any] | None, stream: bool) -> None:
        dialect = self.server.dialect
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if stream else "application/json")
        self.end_headers()
        if stream:
            self.wfile.write(b"".join(_events(dialect.events(call))))
        else:
            self.wfile.write(json.dumps(dialect.whole(call)).encode())

    def log_message(self, *_: object) -> None:
        pass


@asynccontextmanager
async def model_server(dialect: str) -> AsyncIterator[ModelServer]:
    """Serve a model for the length of the block."""
    server = ModelServer(dialect)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def bare(name: str) -> str:
    """Return a tool's name without what clients put before it."""
    for prefix in ("mcp__tabmux__", "mcp_tabmux_", "tabmux__"):
        name = name.removeprefix(prefix)
    return name


def _events(events: list[dict[str, Any]]) -> Iterator[bytes]:
    for event in events:
        kind = f"event: {event['type']}\n" if "type" in event else ""
        yield f"{kind}data: {json.dumps(event)}\n\n".encode()
