"""Daemon socket: MCP or the line protocol, for this user alone."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tabmux import __version__
from tabmux.daemon.app import App
from tabmux.daemon.browser_specs import browser_specs
from tabmux.daemon.process.line_protocol import LineProtocol
from tabmux.daemon.toolsets import chosen
from tabmux.errors import Misuse, TabmuxError
from tabmux.mcp.stream.line_stream import serve_stream
from tabmux.sessions.session import Session
from tabmux.settings import Settings, parse_flags, resolve_settings, restrictions

logger = logging.getLogger(__name__)

LINE_LIMIT = 64 * 1024 * 1024
FIRST_LINE_SECONDS = 10.0
# Flags that say nothing of browsers.
_OF_THE_SESSION = frozenset({"toolset", "slim"})


def private_folder(folder: Path) -> Path:
    """Make the folder ours alone; one that is a link or another's is refused."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise Misuse(
            f"{folder} is not a folder of yours.",
            hint="Remove it, or set HOME to a folder of your own.",
        )
    if found.st_mode & 0o077:
        folder.chmod(0o700)
    return folder


class DaemonSocket:
    """Lets clients in: each connection says in its first line what it wants."""

    def __init__(self, app: App, line_protocol: LineProtocol, settings: Settings) -> None:
        self._app, self._line_protocol, self._settings = app, line_protocol, settings
        self.connections = 0

    async def listen(self, path: Path) -> asyncio.Server:
        """Bind the socket; a stale one is replaced, since only the lock's holder comes here."""
        with suppress(FileNotFoundError):
            os.unlink(path)
        before = os.umask(0o177)
        try:
            return await asyncio.start_unix_server(self._accept, str(path), limit=LINE_LIMIT)
        finally:
            os.umask(before)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            async with asyncio.timeout(FIRST_LINE_SECONDS):
                first = await reader.readline()
            await self._serve(first, reader, writer)
        except (ConnectionError, TimeoutError, ValueError) as error:
            logger.info("A connection ended: %s", error or type(error).__name__)
        except Exception:  # the transport loop is a rim
            logger.exception("A connection failed")
        finally:
            self.connections -= 1
            writer.close()

    async def _serve(
        self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if first.startswith(b"{"):
            await serve_stream(
                self._app,
                _WithFirstLine(first, reader),
                writer,
                version=__version__,
                keeps_session=True,
            )
        elif first.startswith(b"hello "):
            await self._serve_hello(first, reader, writer)
        else:
            await self._serve_line_protocol(first, reader, writer)

    async def _serve_hello(
        self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Add the browsers that a client brings, find its session, and serve it."""
        try:
            hello = json.loads(first[6:])
            session = self._session(hello)
            await self._bridge(parse_flags(hello.get("flags", ())))
        except TabmuxError as error:
            text = {"error": error.text, "version": __version__}
            writer.write(json.dumps(text).encode() + b"\n")
            await writer.drain()
            return
        writer.write(json.dumps({"version": __version__}).encode() + b"\n")
        await serve_stream(
            self._app,
            reader,
            writer,
            version=__version__,
            join=session,
            keeps_session=True,
        )

    def _session(self, hello: dict[str, Any]) -> Callable[[], Session]:
        """Return how to get the session that a client asks for: by name, or a new one."""
        flags = parse_flags(hello.get("flags", ()))
        toolset = chosen(flags.get("toolset", ""), slim=flags.get("slim", False))
        self._add_browsers(flags)
        wanted = hello.get("session")
        if not wanted:
            return lambda: self._app.open(toolset=toolset)
        session = self._app.sessions.named(wanted)
        if session is None and not hello.get("create"):
            raise Misuse(f"There is no session {wanted!r}.", hint="See tabmux session list.")
        found = session or self._app.open(wanted, toolset)
        return lambda: found

    async def _bridge(self, flags: dict[str, Any]) -> None:
        """Let extensions connect, if that is what a client came for."""
        wanted = flags.get("toolset") == "focus" or flags.keys() & {"bridge", "bridge_port"}
        if wanted and self._app.bridge is not None:
            await self._app.bridge.listen_if_possible()

    def _add_browsers(self, flags: dict[str, Any]) -> None:
        """Take up the browsers that a client names; the daemon's own where it names none."""
        browsers = self._app.browsers
        if not flags.keys() - _OF_THE_SESSION and not browsers.is_empty:
            return
        settings = self._settings
        if flags:
            settings = resolve_settings(flags, {})
            self._refuse_other_rules(settings)
            if flags.keys() <= set(restrictions()) and not browsers.is_empty:
                return
        for spec in browser_specs(settings):
            browsers.register(spec)
        browsers.connect_all_in_background()

    def _refuse_other_rules(self, wanted: Settings) -> None:
        """A client that asks for narrower rules than ours must not believe that it has them."""
        missing = [
            f"--{name.replace('_', '-')}"
            for name in restrictions()
            if getattr(wanted, name) and getattr(wanted, name) != getattr(self._settings, name)
        ]
        if missing:
            raise Misuse(
                f"The daemon that runs was started without this {', '.join(missing)}.",
                hint="Restart it with `tabmux daemon restart`, or use `tabmux serve --stdio`.",
            )

    async def _serve_line_protocol(
        self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        line = first
        while line.strip():
            answer = await self._line_protocol.answer(line.decode(errors="replace").strip())
            writer.write("\n".join([*answer, "", ""]).encode())
            await writer.drain()
            line = await reader.readline()


class _WithFirstLine:
    """A stream with its first line put back."""

    def __init__(self, first: bytes, rest: asyncio.StreamReader) -> None:
        self._first, self._rest = first, rest

    async def read(self, n: int = -1, /) -> bytes:
        first, self._first = self._first, b""
        return first or await self._rest.read(n)
