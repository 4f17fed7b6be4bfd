"""Server: serves MCP over stdio or HTTP in this process."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from tabmux import __version__
from tabmux.daemon.app import App, running
from tabmux.daemon.cluster_settings import cluster_of
from tabmux.daemon.process import server_loop
from tabmux.errors import Misuse
from tabmux.mcp.stream.handshake import Handshake
from tabmux.observability import start_logging
from tabmux.settings import Settings

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from tabmux.cluster.cluster import Cluster
    from tabmux.daemon.ui.routes import LiveViewRoutes


def serve(settings: Settings, handshake: Handshake | None = None) -> int:
    """Serve until the client leaves or a signal comes; returns the exit code.

    Args:
        settings: What the user wants.
        handshake: What has been read from standard input.
    """
    start_logging(settings.log_file, verbose=settings.verbose)
    work = _serve_stdio(settings, handshake) if settings.stdio else _serve_http(settings)
    server_loop.run(work)
    return 0


async def _serve_stdio(settings: Settings, handshake: Handshake | None) -> None:
    from tabmux.mcp.stream.stdio import serve_stdio

    async with running(settings) as app:
        await serve_stdio(app, version=__version__, handshake=handshake)


async def _serve_http(settings: Settings) -> None:
    while True:
        token, place = _token(settings)
        listener = _listen(settings)
        port = listener.getsockname()[1]
        async with cluster_of(settings, port, token) as cluster:
            await _serve_http_once(settings, listener, (token, place), cluster)
        if cluster is None or not cluster.membership.lost.is_set():
            return
        # Others have its sessions now, and nothing of before may act for them: begin anew.


async def _serve_http_once(
    settings: Settings,
    listener: socket.socket,
    token_and_place: tuple[str | None, str],
    cluster: Cluster | None,
) -> None:
    from tabmux.daemon.http import http_server
    from tabmux.daemon.http.status_pages import describe_session, may_debug
    from tabmux.daemon.ui.routes import LiveViewRoutes
    from tabmux.policy.own_addresses import OWN

    (token, place), port = token_and_place, listener.getsockname()[1]
    # Whoever listens on the same port again goes on with the same sessions.
    durable = f"http-{port}" if settings.port else ""
    OWN.add(port, (settings.host, *settings.allow_host))
    async with running(settings, durable=durable, cluster=cluster) as app:
        ui = LiveViewRoutes(app.live_view, token)
        OWN.let_in_by(port, ui.lets_in)
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
            routes=_routes(app, ui),
            debug=partial(describe_session, app) if may_debug() else None,
            router=cluster.make_router(lambda n: app.labelled(n) is not None) if cluster else None,
            admits=cluster.admits if cluster is not None else None,
        )
        ready = partial(_ready, settings, port, token, app)
        serving = http_server.serve_http(http, settings.host, port, ready, listener=listener)
        await (serving if cluster is None else cluster.until_lost(serving))


def _routes(app: App, ui: LiveViewRoutes) -> list[BaseRoute]:
    """Return what is served beside MCP itself."""
    from starlette.routing import Route

    from tabmux.bridge.http_endpoints import notifications_endpoint
    from tabmux.daemon.http.status_pages import MetricsPage

    return [
        Route("/metrics", MetricsPage(app).show),
        *ui.routes(),
        Route("/ws-message", notifications_endpoint(app.extensions.find), methods=["POST"]),
    ]


def _ready(settings: Settings, port: int, token: str | None, app: App) -> None:
    _greet(settings, port, token)
    # The tools are imported while nobody waits for them.
    asyncio.get_running_loop().call_soon(app.tools)


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


def _listen(settings: Settings) -> socket.socket:
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
        f"Live view:                 tabmux ui --port {port}",
        "",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
