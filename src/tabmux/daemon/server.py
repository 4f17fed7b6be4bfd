"""Serves MCP in this process: start, serve, stop."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import signal
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import uvloop

from tabmux import __version__
from tabmux.daemon.app import App, running
from tabmux.daemon.garbage import relax_collector
from tabmux.errors import Misuse, TabmuxError
from tabmux.mcp.backend import Showroom
from tabmux.observe.logs import start_logging
from tabmux.settings import Settings

Dress = Callable[[App], Showroom]


def serve(settings: Settings, dress: Dress = lambda desk: desk) -> int:
    """Serve until the client leaves or a signal comes; returns the exit code.

    Args:
        settings: What the user wants.
        dress: Puts more on offer than the tools; the conformance suite needs that.
    """
    start_logging(settings.log_file, verbose=settings.verbose)
    work = _serve_stdio(settings, dress) if settings.stdio else _serve_http(settings, dress)
    try:
        uvloop.run(until_stopped(work))
    except BaseExceptionGroup as group:
        raise cause(group) from None
    return 0


async def until_stopped(
    work: Coroutine[Any, Any, None], leaving: Callable[[], None] | None = None
) -> None:
    """Run the server, and take it down in order when a signal asks for it.

    Args:
        work: The server.
        leaving: Called when the signal comes, before anything is taken down.
    """
    relax_collector()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        if leaving is not None and not task.cancelling():
            leaving()
        task.cancel()

    async with asyncio.TaskGroup() as group:
        task = group.create_task(work)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, stop)
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _serve_stdio(settings: Settings, dress: Dress) -> None:
    from tabmux.mcp.stream.stdio import serve_stdio

    async with running(settings) as desk:
        await serve_stdio(dress(desk), version=__version__)


async def _serve_http(settings: Settings, dress: Dress) -> None:
    from starlette.routing import Route

    from tabmux.daemon.http import http_server
    from tabmux.daemon.http.metrics_page import MetricsPage
    from tabmux.daemon.http.session_debug import is_allowed, peek
    from tabmux.daemon.postbox import Postbox
    from tabmux.mcp.http.endpoint import HttpLimits

    # Its lines name sessions by their secret ids; the access log says the same without.
    logging.getLogger("tabmux.mcp.http.sse_transport").setLevel(logging.WARNING)
    token, place = _token(settings)
    listener = _listen(settings)
    port = listener.getsockname()[1]
    async with running(settings) as desk:
        app = http_server.build_http(
            dress(desk),
            version=__version__,
            host=settings.host,
            port=port,
            token=token,
            token_place=place,
            limits=HttpLimits(idle_seconds=settings.session_idle),
            health=lambda: _health(desk),
            routes=[
                Route("/metrics", MetricsPage(desk).show),
                Route("/ws-message", Postbox(desk.couriers).take, methods=["POST"]),
            ],
            peek=partial(peek, desk) if is_allowed() else None,
        )
        desk.couriers.translate(app.state.handle, app.state.ident)
        await http_server.serve_http(
            app, settings.host, port, lambda: _greet(settings, port, token), listener=listener
        )


def _token(settings: Settings) -> tuple[str | None, str]:
    from tabmux.daemon.http.http_access import is_loopback
    from tabmux.daemon.http.token_file import read_or_make, token_file

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


def _health(desk: App) -> dict[str, Any]:
    return {
        "browsers": [
            {"index": b.index, "name": b.name, "state": str(b.state)} for b in desk.browsers.all()
        ]
    }


def _greet(settings: Settings, port: int, token: str | None) -> None:
    """Say how to connect; the token is the user's own, on the user's own terminal."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    url = f"http://{host}:{port}/mcp"
    full = url if token is None else f"{url}?token={token}"
    client = {"mcpServers": {"tabmux": {"type": "http", "url": full}}}
    lines = [
        f"tabmux {__version__} is ready at {url}",
        "",
        f"Connect with this URL:     {full}",
        f"Claude Code:               claude mcp add --transport http tabmux '{full}'",
        f"Other clients (JSON):      {json.dumps(client)}",
        "",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def cause(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the error that a person should read; the groups around it are our own business."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        known = error.subgroup(TabmuxError)
        error = (known or error).exceptions[0]
    return error
