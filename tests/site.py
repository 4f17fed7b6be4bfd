"""A web site on loopback whose pages are written in the tests."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

Respond = Callable[[BaseHTTPRequestHandler], None]


class Server(ThreadingHTTPServer):
    """Answers every connection in a thread of its own."""

    daemon_threads = True
    block_on_close = False
    # A browser makes many connections at once; one that finds the queue full tries again after
    # a second.
    request_queue_size = 128


class Site:
    """Serves what it is given; `localhost` and `127.0.0.1` are two sites to a browser."""

    def __init__(self) -> None:
        # A browser with windows asks for it, and logs when it is not there.
        self._routes: dict[str, Respond] = {"/favicon.ico": lambda handler: _send(handler, b"")}
        self._numbers = itertools.count(1)
        self._release = threading.Event()
        routes = self._routes

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            body = b""

            def do_GET(self) -> None:
                self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                respond = routes.get(urlsplit(self.path).path)
                if respond is None:
                    _send(self, b"not found", 404)
                else:
                    respond(self)

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.other_origin = f"http://localhost:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._release.set()
        self._server.shutdown()
        self._server.server_close()

    def page(self, html: str, *, other: bool = False, kind: str = "text/html") -> str:
        """Serve a document, and return its URL."""
        body = html.encode()
        return self.route(lambda handler: _send(handler, body, kind=kind), other=other)

    def route(self, respond: Respond, *, other: bool = False) -> str:
        """Serve what a function answers, and return its URL."""
        path = f"/{next(self._numbers)}"
        self._routes[path] = respond
        return (self.other_origin if other else self.origin) + path

    def serve(self, path: str, respond: Respond) -> None:
        """Serve what a function answers at a path of its own."""
        self._routes[path] = respond

    def silent(self) -> str:
        """Return a URL that accepts a request and never answers."""
        return self.route(lambda _: void(self._release.wait(60)))

    def slow(self, seconds: float, body: str = "late") -> str:
        """Return a URL that answers after a while."""
        data = body.encode()

        def respond(handler: BaseHTTPRequestHandler) -> None:
            self._release.wait(seconds)
            _send(handler, data)

        return self.route(respond)

    def halting(self, seconds: float, *parts: str) -> str:
        """Return a URL of a page that comes in parts, with a pause between them."""

        def respond(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.send_header("Content-Type", "text/html; charset=utf-8")
            handler.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):
                for part in parts:
                    handler.wfile.write(part.encode())
                    handler.wfile.flush()
                    self._release.wait(seconds)

        return self.route(respond)


def redirecting(place: str) -> Respond:
    """Answer with the address of another place."""

    def redirect(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", place)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return redirect


def _send(
    handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, kind: str = "text/html"
) -> None:
    try:
        handler.send_response(status)
        handler.send_header("Content-Type", f"{kind}; charset=utf-8")
        handler.send_header("Content-Length", str(len(body)))
        handler.send_header("Cache-Control", "no-store")
        handler.end_headers()
        handler.wfile.write(body)
    except (BrokenPipeError, ConnectionResetError):
        pass


def void(_: object) -> None:
    """Drop a value where a function must return none."""
