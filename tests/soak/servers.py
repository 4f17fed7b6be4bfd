"""Servers of the soak: a daemon on its socket and a server over HTTP, each with a browser."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from tabmux.folders import daemon_socket
from tabmux.tools.pipeline import catalog

_TOOLS = ",".join(f"+{group}" for group in catalog.GROUPS)
# Sessions that nobody uses go soon, so that what they leave is seen within an hour.
_FLAGS = (
    "--launch", "--isolated", "--headless", "--tools", _TOOLS, "--session-idle", "60",
    "--session-grace", "20", "--cool-down", "1", "--idle-exit", "0",
)  # fmt: skip
START_SECONDS = 60.0


@dataclass(frozen=True)
class SoakedServer:
    """A server under test; its place is a socket or an address."""

    name: str
    process: psutil.Process
    place: str

    def browsers(self) -> list[psutil.Process]:
        """Return the processes below it."""
        return self.process.children(recursive=True)

    def browser(self) -> psutil.Process | None:
        """Return the browser that it started, if one runs now."""
        found = [p for p in self.process.children() if "--type=" not in " ".join(_command(p))]
        return found[0] if found else None

    async def status(self, line: str = "status") -> str:
        """Ask the daemon; the server over HTTP has no such line."""
        if not self.place.startswith("/"):
            return ""
        async with asyncio.timeout(START_SECONDS):
            reader, writer = await asyncio.open_unix_connection(self.place)
            writer.write(line.encode() + b"\n")
            answer = await reader.readuntil(b"\n\n")
            writer.close()
        return answer.decode()


@asynccontextmanager
async def daemon(home: Path, environment: Mapping[str, str]) -> AsyncIterator[SoakedServer]:
    """Run a daemon."""
    async with _process("daemon", home, environment, "daemon", "run") as process:
        socket = Path(daemon_socket(str(home)))
        async with asyncio.timeout(START_SECONDS):
            while not await _listens(socket):
                await asyncio.sleep(0.05)
        yield SoakedServer("daemon", psutil.Process(process.pid), str(socket))


async def _listens(socket: Path) -> bool:
    """Whether it takes connections; its file is there some time before that."""
    try:
        _, writer = await asyncio.open_unix_connection(socket)
    except OSError:
        return False
    writer.close()
    return True


@asynccontextmanager
async def http_server(home: Path, environment: Mapping[str, str]) -> AsyncIterator[SoakedServer]:
    """Run a server over HTTP."""
    arguments = ("serve", "--http", "--port", "0", "--no-auth")
    async with _process("http", home, environment, *arguments) as process:
        assert process.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            while not (found := re.search(rb"http://\S+:\d+", await process.stdout.readline())):
                assert process.returncode is None
        yield SoakedServer("http", psutil.Process(process.pid), found[0].decode())


@asynccontextmanager
async def _process(
    name: str, home: Path, environment: Mapping[str, str], *arguments: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    home.mkdir()
    with (home.parent / f"{name}.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tabmux", *arguments, *_FLAGS,
            env={**os.environ, **environment, "HOME": str(home)},
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=log,
        )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        async with asyncio.timeout(START_SECONDS):
            await process.communicate()


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
