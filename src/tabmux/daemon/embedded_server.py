"""Embedded server: a part of another product, with two ports, exact messages and exit codes."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TextIO

import uvloop
from starlette.routing import Route

from tabmux import __version__
from tabmux.browsers.registry import Browsers
from tabmux.cdp.discovery import find_endpoint
from tabmux.daemon.app import App, running
from tabmux.daemon.http import http_server
from tabmux.daemon.http.status_pages import MetricsPage
from tabmux.daemon.process.server_loop import SIGNALS, until_stopped
from tabmux.errors import TabmuxError
from tabmux.sessions.session_table import Sessions
from tabmux.settings import Settings

HOST = "127.0.0.1"
BAD_ARGUMENTS, NO_BROWSER, NO_PORT = 1, 2, 3
STOP_SECONDS = 1.0
_FLAGS = ("--cdp-port", "--mcp-port")


class Ending(Exception):
    """The process must end with a message and a code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True)
class Ports:
    """Where the browser listens, and where we do."""

    cdp: int
    mcp: int

    @property
    def browser(self) -> str:
        """The browser's address."""
        return f"http://{HOST}:{self.cdp}"


def embed(arguments: Sequence[str]) -> int:
    """Run the embedded server; returns the exit code."""
    try:
        ports = parse(arguments)
        _say(f"BrowserOS MCP Server v{__version__}")
        _start_logging()
        return uvloop.run(_run(ports))
    except Ending as ending:
        return _end(ending)
    except BaseExceptionGroup as group:
        endings = group.subgroup(Ending)
        if endings is None:
            raise
        found: BaseException = endings
        while isinstance(found, BaseExceptionGroup):
            found = found.exceptions[0]
        assert isinstance(found, Ending)
        return _end(found)
    finally:
        # The loop no longer hears signals, and Python is still to be taken down.
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)


def parse(arguments: Sequence[str]) -> Ports:
    """Read exactly the two ports, as --x=N or --x N.

    Not with the parser of the settings: neither port is a setting, and the specification of the
    embedded server fixes other messages and exit codes than that parser has.
    """
    given: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        flag, equals, value = word.partition("=")
        if flag not in _FLAGS:
            raise Ending(BAD_ARGUMENTS, f"Unknown argument {word}")
        if not equals:
            if not rest or rest[0].startswith("--"):
                raise Ending(BAD_ARGUMENTS, f"Missing required argument {flag}")
            value = rest.pop(0)
        given[flag] = value
    return Ports(*(_port(flag, given.get(flag)) for flag in _FLAGS))


def _port(flag: str, value: str | None) -> int:
    if value is None:
        raise Ending(BAD_ARGUMENTS, f"Missing required argument {flag}")
    if not (value.isascii() and value.isdigit() and 1 <= int(value) <= 65535):
        raise Ending(BAD_ARGUMENTS, f"Invalid port number for {flag}: {value}")
    return int(value)


async def _run(ports: Ports) -> int:
    """Serve until a signal comes, which may be before there is anything to serve."""
    sessions: list[Sessions] = []
    await until_stopped(_serve(ports, sessions.append), lambda: _leave(sessions))
    _say("Server shutdown complete")
    return 0


async def _serve(ports: Ports, note: Callable[[Sessions], None]) -> None:
    await _find_browser(ports)
    # Traces are among the tools that products were promised, and nobody can switch them on.
    settings = Settings(browser_url=(ports.browser,), tools="+performance")
    async with running(settings, bridged=False) as app:
        note(app.sessions)
        await _connect(app.browsers, ports)
        _say(f"Connected to CDP at {ports.browser}")
        await _listen(app, ports, _bind(ports.mcp))


async def _find_browser(ports: Ports) -> None:
    """Look once whether the browser is there: whoever started us decides about trying again."""
    try:
        await find_endpoint(ports.browser)
    except TabmuxError as error:
        raise _no_browser(ports, error.message) from error


async def _connect(browsers: Browsers, ports: Ports) -> None:
    try:
        await browsers.connect(browsers.all()[0])
    except TabmuxError as error:
        raise _no_browser(ports, error.message) from error


def _bind(port: int) -> socket.socket:
    try:
        return http_server.listen(HOST, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Ending(NO_PORT, f"Port {port} already in use") from error
        message = f"Failed to bind HTTP server on port {port}"
        raise Ending(NO_PORT, f"{message}: {error.strerror}") from error


async def _listen(app: App, ports: Ports, listener: socket.socket) -> None:
    http = http_server.build_http(
        app,
        version=__version__,
        host=HOST,
        port=ports.mcp,
        token=None,
        routes=[Route("/metrics", MetricsPage(app).show)],
    )

    def ready() -> None:
        _say(f"MCP Server ready at http://{HOST}:{ports.mcp}/mcp")
        # The tools are imported while nobody waits for them.
        asyncio.get_running_loop().call_soon(app.tools)

    async with asyncio.TaskGroup() as group:
        watching = group.create_task(_watch(app.browsers, ports))
        await http_server.serve_http(
            http, HOST, ports.mcp, ready, listener=listener, grace=STOP_SECONDS
        )
        watching.cancel()


def _leave(sessions: Sequence[Sessions]) -> None:
    _say("Shutting down server...")
    _say(f"Closing {sum(len(each.all()) for each in sessions)} active sessions")


async def _watch(browsers: Browsers, ports: Ports) -> None:
    """End with the browser: a server without one is of no use to whoever embeds it."""
    reason = await browsers.all()[0].lost()
    raise _no_browser(ports, reason)


def _no_browser(ports: Ports, cause: str) -> Ending:
    return Ending(NO_BROWSER, f"Failed to connect to CDP at {ports.browser}\n{cause}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _end(ending: Ending) -> int:
    sys.stderr.write(f"Error: {ending.message}\n")
    return ending.code


def _start_logging() -> None:
    """Show connections and calls as plain lines, and what went wrong on standard error."""
    told, wrong = _plain(sys.stdout), _plain(sys.stderr)
    told.addFilter(lambda record: record.levelno < logging.WARNING)
    wrong.setLevel(logging.WARNING)
    for name in ("tabmux.mcp.http.http_connection.openings", "tabmux.tools.pipeline.pipeline"):
        _log_to(name, told, wrong)
    _log_to("tabmux.tools.pipeline.pipeline.failures", _plain(sys.stderr))


def _plain(stream: TextIO) -> logging.Handler:
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(message)s"))
    return handler


def _log_to(name: str, *handlers: logging.Handler) -> None:
    chosen = logging.getLogger(name)
    chosen.setLevel(logging.INFO)
    chosen.handlers[:] = handlers
    chosen.propagate = False
