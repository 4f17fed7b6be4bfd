"""A server that nobody may reach: it notes everyone who does."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import select
import socket
import threading
from http.server import BaseHTTPRequestHandler
from types import TracebackType
from typing import Self

from tests.site import Server

SECONDS = 20.0
_MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Canary:
    """Answers every request and every socket on loopback, and remembers their paths."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self._came = threading.Condition()
        note = self._note

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                note(self.path.partition("?")[0].strip("/"))
                if key := self.headers.get("Sec-WebSocket-Key"):
                    accept = base64.b64encode(hashlib.sha1((key + _MAGIC).encode()).digest())
                    self.send_response(101)
                    self.send_header("Upgrade", "websocket")
                    self.send_header("Connection", "Upgrade")
                    self.send_header("Sec-WebSocket-Accept", accept.decode())
                    self.end_headers()
                    return
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Content-Length", "6")
                self.end_headers()
                self.wfile.write(b"canary")

            do_POST = do_HEAD = do_OPTIONS = do_PUT = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = int(self._server.server_address[1])
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind(("127.0.0.1", 0))
        self._datagrams.setblocking(False)
        self.datagram_port = int(self._datagrams.getsockname()[1])

    @property
    def heard_datagrams(self) -> bool:
        """Whether a datagram has come."""
        try:
            return bool(self._datagrams.recv(2048))
        except BlockingIOError:
            return False

    async def reached(self, names: set[str]) -> set[str]:
        """Wait until all of these have come, for as long as it may take; returns who has not."""
        await asyncio.to_thread(self._wait, names)
        return names - self.seen

    async def hears_datagrams(self) -> bool:
        """Wait for a datagram; tells whether one came."""
        sockets = [self._datagrams]
        return bool((await asyncio.to_thread(select.select, sockets, [], [], SECONDS))[0])

    def _note(self, name: str) -> None:
        with self._came:
            self.seen.add(name)
            self._came.notify_all()

    def _wait(self, names: set[str]) -> None:
        with self._came:
            self._came.wait_for(lambda: names <= self.seen, SECONDS)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._datagrams.close()
