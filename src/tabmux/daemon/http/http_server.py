"""HTTP server: its routes, and its life from the first connection to the last."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute

from tabmux.daemon.http.http_access import AccessMiddleware, HttpAccess
from tabmux.daemon.http.http_protocol import HttpProtocol, websocket
from tabmux.mcp.backend import Backend
from tabmux.mcp.http.endpoint import McpEndpoint
from tabmux.mcp.http.http_limits import HttpLimits
from tabmux.mcp.http.http_request import Scope
from tabmux.mcp.http.session_routing import SessionRouter
from tabmux.mcp.stream.mcp_websocket import WebSocketEndpoint

GRACE_SECONDS = 5.0

Health = Callable[[], Mapping[str, Any]]
DebugSession = Callable[[str], Mapping[str, Any] | None]
StatusPage = Callable[[Request], Awaitable[JSONResponse]]


def build_http(
    backend: Backend,
    *,
    version: str,
    host: str,
    port: int,
    token: str | None,
    token_place: str = "",
    allowed_hosts: Sequence[str] = (),
    allowed_origins: Sequence[str] = (),
    health: Health | None = None,
    routes: Sequence[BaseRoute] = (),
    limits: HttpLimits | None = None,
    debug: DebugSession | None = None,
    router: SessionRouter | None = None,
    admits: Callable[[Scope], bool] | None = None,
) -> Starlette:
    """Put the HTTP server together.

    Args:
        backend: Where clients' sessions come from.
        version: Our version, as clients are told.
        host: The address that will be listened on.
        port: The port that will be listened on.
        token: What every request but `/health` must show; None only on loopback.
        token_place: Where the user finds the token.
        allowed_hosts: Further exact values of Host, such as `box.lan:3000`.
        allowed_origins: Web pages that may talk to us, such as `https://app.example`.
        health: What `/health` says besides status, version and sessions.
        routes: Further routes, behind the same guard.
        limits: How much clients may take up.
        debug: Describes a session at `/debug/session/<id>`; None leaves that out.
        router: What finds the server of a session, where there are several.
        admits: Whether another of them passes a request on.
    """
    access = HttpAccess.at(
        host,
        port,
        token,
        allowed_hosts=allowed_hosts,
        allowed_origins=allowed_origins,
        token_place=token_place,
        admits=admits,
    )
    limits = limits or HttpLimits()
    endpoint = McpEndpoint(backend, version=version, limits=limits, router=router)
    sockets = WebSocketEndpoint(backend, version=version, limits=limits, router=router)
    own: list[BaseRoute] = [
        Route("/mcp", endpoint),
        # Where some clients of the legacy transport look for it, whatever URL they are given.
        Route("/sse", endpoint),
        WebSocketRoute("/mcp/ws", sockets),
        Route("/health", _health_page(endpoint, sockets, version, health)),
    ]
    if debug is not None:
        own.append(Route("/debug/session/{id}", _session_page(debug)))
    return _application([*own, *routes], endpoint, access, limits)


def _application(
    routes: Sequence[BaseRoute], endpoint: McpEndpoint, access: HttpAccess, limits: HttpLimits
) -> Starlette:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with endpoint:
            yield

    middleware = [Middleware(AccessMiddleware, access=access)]
    app = Starlette(routes=routes, middleware=middleware, lifespan=lifespan)
    app.router.redirect_slashes = False
    app.state.stop, app.state.access = endpoint.stop, access
    app.state.most_bytes = limits.body_bytes
    app.state.header_seconds = limits.timings.header
    return app


def _health_page(
    endpoint: McpEndpoint, sockets: WebSocketEndpoint, version: str, health: Health | None
) -> StatusPage:
    async def show(request: Request) -> JSONResponse:
        sessions = endpoint.sessions + len(sockets)
        more = health() if health else {}
        return JSONResponse({"status": "ok", "version": version, "sessions": sessions, **more})

    return show


def _session_page(debug: DebugSession) -> StatusPage:
    async def show(request: Request) -> JSONResponse:
        shown = debug(request.path_params["id"])
        if shown is None:
            return JSONResponse({"error": "There is no such session."}, 404)
        return JSONResponse(shown)

    return show


def listen(host: str, port: int) -> socket.socket:
    """Bind the port, so that a failure shows before anything is started."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host.strip("[]"), port))
    except BaseException:
        listener.close()
        raise
    return listener


async def serve_http(
    app: Starlette,
    host: str,
    port: int,
    ready: Callable[[], object],
    *,
    listener: socket.socket | None = None,
    grace: float = GRACE_SECONDS,
) -> None:
    """Serve until cancelled, then let calls in flight end within the grace.

    Args:
        app: What `build_http` returned.
        host: The address to listen on.
        port: The port to listen on.
        ready: Called when connections are accepted.
        listener: A socket that is bound already, instead of host and port.
        grace: How many seconds calls in flight have at the end.
    """
    with contextlib.closing(listener or listen(host, port)) as bound:
        server = _Server(app, grace)
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(server.serve([bound]))
            try:
                await server.is_ready.wait()
                ready()
                await asyncio.wait([serving])
            finally:
                server.is_leaving.set()
                await asyncio.wait([serving], timeout=grace + 2)


class _Server(uvicorn.Server):
    """uvicorn without its hold on signals and without its ten ticks a second."""

    def __init__(self, app: Starlette, grace: float) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=HttpProtocol,
                loop="none",
                ws=cast(Any, websocket),
                ws_max_size=app.state.most_bytes,
                ws_per_message_deflate=False,
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=max(1, round(grace)),
            )
        )
        self.is_ready, self.is_leaving = asyncio.Event(), asyncio.Event()
        self._stop: Callable[[], None] = app.state.stop

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        """Leave signals to whoever runs us."""
        yield

    async def main_loop(self) -> None:
        """Wait to be told to leave."""
        self.is_ready.set()
        await self.is_leaving.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what would never end by itself, then wait for the rest."""
        self._stop()
        await super().shutdown(sockets)
