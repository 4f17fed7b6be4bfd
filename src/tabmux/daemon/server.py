"""Server: serves MCP over stdio or HTTP in this process."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import Any

from tabmux import __version__
from tabmux.daemon.app import App, running
from tabmux.daemon.process import server_loop
from tabmux.errors import Misuse
from tabmux.observability import start_logging
from tabmux.settings import Settings


def serve(settings: Settings) -> int:
    """Serve until the client leaves or a signal comes; returns the exit code."""
    start_logging(settings.log_file, verbose=settings.verbose)
    server_loop.run(_serve_stdio(settings) if settings.stdio else _serve_http(settings))
    return 0


async def _serve_stdio(settings: Settings) -> None:
    from tabmux.mcp.stream.stdio import serve_stdio

    async with running(settings) as app:
        await serve_stdio(app, version=__version__)


async def _serve_http(settings: Settings) -> None:
    from starlette.routing import Route

    from tabmux.bridge.http_endpoints import notifications_endpoint
    from tabmux.daemon.http import http_server
    from tabmux.daemon.http.status_pages import MetricsPage, describe_session, may_debug

    token, place = _token(settings)
    listener = _listen(settings)
    port = listener.getsockname()[1]
    async with running(settings) as app:
        http = http_server.build_http(
            app,
            version=__version__,
            host=settings.host,
            port=port,
            token=token,
            token_place=place,
            allowed_hosts=settings.allow_host,
            allowed_origins=settings.allow_origin,
            health=lambda: _health(app),
            routes=[
                Route("/metrics", MetricsPage(app).show),
                Route("/ws-message", notifications_endpoint(app.extensions.find), methods=["POST"]),
            ],
            debug=partial(describe_session, app) if may_debug() else None,
        )
        await http_server.serve_http(
            http, settings.host, port, lambda: _greet(settings, port, token), listener=listener
        )


def _token(settings: Settings) -> tuple[str | None, str]:
    from tabmux.daemon.http.token_file import read_or_make, token_file
    from tabmux.policy.url_parser import is_loopback

    if settings.no_auth:
        if not is_loopback(settings.host):
            raise Misuse(
                f"Without a token tabmux listens on loopback only, not on {settings.host}.",
                hint="Leave --no-auth out.",
            )
        return None, ""
    return read_or_make(token_file()), str(token_file())


def _listen(settings: Settings) -> Any:
    from tabmux.daemon.http.http_server import listen

    try:
        return listen(settings.host, settings.port)
    except OSError as error:
        raise Misuse(
            f"Could not listen on {settings.host}:{settings.port}: {error.strerror}.",
            hint="Choose another --port, or stop what uses this one.",
        ) from error


def _health(app: App) -> dict[str, Any]:
    return {
        "browsers": [
            {"index": b.index, "name": b.name, "state": str(b.state)} for b in app.browsers.all()
        ]
    }


def _greet(settings: Settings, port: int, token: str | None) -> None:
    """Say how to connect; the token is the user's own, on the user's own terminal."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    url = f"http://{host}:{port}/mcp"
    full = url if token is None else f"{url}?token={token}"
    named = f"{full}{'&' if token else '?'}session=main"
    client = {"mcpServers": {"tabmux": {"type": "http", "url": full}}}
    lines = [
        f"tabmux {__version__} is ready at {url}",
        "",
        f"Connect with this URL:     {full}",
        f"Claude Code:               claude mcp add --transport http tabmux '{full}'",
        f"Other clients (JSON):      {json.dumps(client)}",
        f"Clients without a session: {named}",
        f"One for each agent:        tabmux url --port {port} --session NAME",
        "",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
