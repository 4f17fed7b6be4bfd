"""A server over HTTP, to be started by hand: `python -m tests.mcp.http_server PORT [TOKEN]`."""

from __future__ import annotations

import asyncio
import sys

import uvloop

from tabmux.daemon.http.http_server import build_http, serve_http
from tests.mcp.fake_backend import FakeBackend


async def _main(port: int, token: str | None) -> None:
    app = build_http(FakeBackend(), version="1.2.3", host="127.0.0.1", port=port, token=token)
    await serve_http(app, "127.0.0.1", port, lambda: sys.stderr.write("ready\n"))


if __name__ == "__main__":
    secret = sys.argv[2] if len(sys.argv) > 2 else None
    try:
        uvloop.run(_main(int(sys.argv[1]), secret))
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.stderr.write("stopped\n")
