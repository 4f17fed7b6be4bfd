"""Daemon socket: MCP or the line protocol, for this user alone."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from tabmux import __version__
from tabmux.daemon.app import App
from tabmux.daemon.client_settings import ClientSettings, client_settings
from tabmux.daemon.process.line_protocol import LineProtocol
from tabmux.daemon.process.peer_credentials import peer_uid
from tabmux.errors import Misuse, TabmuxError
from tabmux.folders import make_private
from tabmux.json_text import decoded
from tabmux.mcp.stream.line_stream import serve_stream
from tabmux.sessions.session import Session
from tabmux.settings import parse_flags

logger = logging.getLogger(__name__)

LINE_LIMIT = 64 * 1024 * 1024
FIRST_LINE_SECONDS = 10.0
# Of the name that a client gives its connection.
LONGEST_NAME = 100
# A daemon listens to extensions as soon as one client wants it.
_BRIDGE = frozenset({"bridge", "bridge_port"})


def private_folder(folder: Path) -> Path:
    """Make the folder ours alone; one that is a link or another's is refused."""
    try:
        make_private(folder)
    except OSError as error:
        raise Misuse(
            f"The folder {folder} cannot be made: {error.strerror}.",
            hint="Remove what is in its way, or set HOME to a folder of your own.",
        ) from error
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

    def __init__(self, app: App, line_protocol: LineProtocol) -> None:
        self._app, self._line_protocol = app, line_protocol
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
            _refuse_other_users(writer)
            async with asyncio.timeout(FIRST_LINE_SECONDS):
                first = await reader.readline()
            await self._serve(first, reader, writer)
        except (ConnectionError, TimeoutError, ValueError) as error:
            logger.info("A connection ended: %s", error or type(error).__name__)
        except asyncio.CancelledError:
            pass  # the loop ends; asyncio of Python 3.11 would log that as an error
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
        """Find the session that a client asks for, or open one as its flags want it.

        A client that does not want to keep a session ends it by hanging up.
        """
        try:
            hello = decoded(first[6:])
            session, notes = await self._session(hello)
        except TabmuxError as error:
            text = {"error": error.text, "version": __version__}
            writer.write(json.dumps(text).encode() + b"\n")
            await writer.drain()
            return
        resumed = session.handle == hello.get("resume")
        answer = {"version": __version__, "session": session.handle, "notes": notes}
        answer["resumed"] = resumed
        writer.write(json.dumps(answer).encode() + b"\n")
        await serve_stream(
            self._app,
            reader,
            writer,
            version=__version__,
            join=lambda: session,
            keeps_session=bool(hello.get("keep", True)),
            name=str(hello.get("client") or "")[:LONGEST_NAME],
        )

    async def _session(self, hello: dict[str, Any]) -> tuple[Session, list[str]]:
        """Return the session, and what its client should know."""
        flags = parse_flags(hello.get("flags", ()))
        if known := self._app.find(str(hello.get("resume") or "")):
            await self._listen_to_extensions(flags)
            return known, []
        wanted = client_settings(self._app.settings, _without_bridge(flags))
        await self._listen_to_extensions(flags)
        name = str(hello.get("session") or "")
        session = self._app.sessions.named(name) if name else None
        if session is not None:
            is_other = bool(flags) and not _is_as_wanted(session, wanted)
            return session, [f"Session {name} is open already, with other flags."] * is_other
        if name and not hello.get("create"):
            raise Misuse(f"There is no session {name!r}.", hint="See tabmux session list.")
        session = self._app.open(name, wanted if flags else None)
        self._app.browsers.connect_all_in_background()
        return session, list(_notes(session, wanted))

    async def _listen_to_extensions(self, flags: dict[str, Any]) -> None:
        """Let extensions connect, if that is what a client came for."""
        bridge = self._app.bridge
        wanted = flags.get("toolset") == "focus" or flags.keys() & _BRIDGE
        if not wanted or bridge is None:
            return
        await bridge.listen_if_possible()
        port = flags.get("bridge_port")
        if port is not None and bridge.current is not None and bridge.current.port != port:
            raise Misuse(
                f"The daemon that runs listens to extensions on port {bridge.current.port}.",
                hint=f"Restart it with `tabmux daemon restart --bridge-port {port}`, or leave "
                "--bridge-port out.",
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


def _without_bridge(flags: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in flags.items() if name not in _BRIDGE}


def _is_as_wanted(session: Session, wanted: ClientSettings) -> bool:
    seen = [browser.spec for browser in session.browsers.all()]
    has_browsers = all(any(spec.same_as(each) for each in seen) for spec in wanted.browsers)
    return has_browsers and session.settings == wanted.settings


def _notes(session: Session, wanted: ClientSettings) -> Iterator[str]:
    """Say which of a client's wishes came too late."""
    for spec in wanted.browsers:
        known = [b for b in session.browsers.all() if b.spec.same_as(spec)]
        for browser in known:
            if differing := browser.spec.differences(spec):
                yield (
                    f"{', '.join(differing)} of this client has no effect: the browser "
                    f"{browser.spec.label} runs already, and is shared."
                )


def _refuse_other_users(writer: asyncio.StreamWriter) -> None:
    """The folder keeps others out; this holds where somebody has changed its mode."""
    user = peer_uid(writer.get_extra_info("socket").fileno())
    if user not in (os.getuid(), None):
        raise ConnectionError(f"user {user} is not the one that the daemon works for")


class _WithFirstLine:
    """A stream with its first line put back."""

    def __init__(self, first: bytes, rest: asyncio.StreamReader) -> None:
        self._first, self._rest = first, rest

    async def read(self, n: int = -1, /) -> bytes:
        first, self._first = self._first, b""
        return first or await self._rest.read(n)
