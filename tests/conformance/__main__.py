"""The real server with the fixtures of the MCP conformance suite: `python -m tests.conformance PORT`."""

from __future__ import annotations

import sys

from tabmux import __version__
from tabmux.daemon.app import running
from tabmux.daemon.http.http_server import build_http, serve_http
from tabmux.daemon.process import server_loop
from tabmux.settings import resolve_settings
from tests.conformance.fixtures import Fixtures

HOST = "127.0.0.1"


async def _serve(port: int) -> None:
    async with running(resolve_settings({"headless": True}, {})) as app:
        http = build_http(Fixtures(app), version=__version__, host=HOST, port=port, token=None)
        await serve_http(http, HOST, port, _ready)


def _ready() -> None:
    sys.stdout.write("The server is ready\n")
    sys.stdout.flush()


if __name__ == "__main__":
    server_loop.run(_serve(int(sys.argv[1])))
