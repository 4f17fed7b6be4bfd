"""A tabmux daemon of the bench's own, in a folder of its own."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bench.processes import end_group
from bench.servers import TABMUX, Server
from bench.trouble import BenchError
from tabmux.folders import daemon_socket

TABMUX_COMMAND = (sys.executable, "-m", "tabmux")
COMMAND_SECONDS = 30.0
CONTROL_SECONDS = 30.0
START_LOOKS, LOOK_SECONDS = 600, 0.05
# A socket's path must fit into 108 bytes, whatever TMPDIR says.
SCRATCH_PLACE = "/tmp" if Path("/tmp").is_dir() else None
LOG_LINE = re.compile(r"\d{4}-\d\d-\d\d ")


@dataclass(frozen=True)
class Daemon:
    """A running daemon.

    Args:
        relay: How a client joins it over stdio.
        browser: The address of the Chromium it is connected to.
    """

    relay: Server
    browser: str
    socket: Path
    pid: int
    scratch: Path

    async def control(self, line: str) -> list[str]:
        """Say one control line; returns the lines of the answer."""
        return await control(self.socket, line)

    def last_failure(self) -> str:
        """The end of the last traceback in the log, if there is one."""
        text = "".join(log.read_text(errors="replace") for log in self.scratch.rglob("daemon.log"))
        _, found, trace = text.rpartition("Traceback ")
        lines = [line.strip() for line in trace.splitlines() if not LOG_LINE.match(line)]
        return " / ".join(lines[-5:])[-500:] if found else ""

    async def run(self, *arguments: str) -> float:
        """Run a tabmux command; returns the seconds from its start to its end."""
        return (await command(arguments, self.relay.surroundings(self.scratch)))[0]


@asynccontextmanager
async def open_daemon(
    browser: str, scratch: Path, source: Path | None = None
) -> AsyncIterator[Daemon]:
    """Start a daemon for a Chromium; it is gone afterwards, whatever happened.

    Args:
        browser: The address of the Chromium.
        scratch: Its home.
        source: The folder of another version's package, if it is to be that one.
    """
    flags = ("--browser-url", "{url}")
    environment = {**TABMUX.environment, "HOME": str(scratch)}
    if source is not None:
        environment["PYTHONPATH"] = str(source)
    relay = replace(TABMUX, command=(*TABMUX_COMMAND, *flags), environment=environment)
    surroundings = relay.surroundings(scratch)
    socket = Path(daemon_socket(str(scratch)))
    # The command that a relay starts when none runs, but as a child, so that it cannot get lost.
    process = await asyncio.create_subprocess_exec(
        *(*TABMUX_COMMAND, "daemon", "run", "--browser-url", browser),
        env=surroundings,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        await _ready(socket, process)
        yield Daemon(relay, browser, socket, process.pid, scratch)
    finally:
        # Whichever listens there: a relay whose daemon died may have started another one.
        try:
            await command(("daemon", "stop"), surroundings)
        finally:
            await end_group(process.pid, process.wait)


async def command(arguments: tuple[str, ...], environment: Mapping[str, str]) -> tuple[float, str]:
    """Run `tabmux …` to its end; returns the seconds it took and what it printed."""
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(*TABMUX_COMMAND, *arguments),
        env=dict(environment),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    shown = f"tabmux {' '.join(arguments)}"
    try:
        async with asyncio.timeout(COMMAND_SECONDS):
            output, errors = await process.communicate()
    except TimeoutError as error:
        raise BenchError(f"{shown} did not end within {COMMAND_SECONDS:g} s") from error
    finally:
        if process.returncode is None:
            await end_group(process.pid, process.wait)
    seconds = time.perf_counter() - began
    if process.returncode != 0:
        raise BenchError(f"{shown} failed: {(errors or output).decode()[-300:]}")
    return seconds, output.decode()


async def control(socket: Path, line: str) -> list[str]:
    """Say one control line on a connection of its own."""
    try:
        async with asyncio.timeout(CONTROL_SECONDS):
            reader, writer = await asyncio.open_unix_connection(socket)
            try:
                writer.write(line.encode() + b"\n")
                answer = await reader.readuntil(b"\n\n")
            finally:
                writer.close()
    except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
        raise BenchError(f"the daemon did not answer {line!r}: {error!r}") from error
    lines = answer.decode().strip().splitlines()
    if not lines or lines[0].startswith("error "):
        raise BenchError(f"{line!r}: {lines}")
    return lines


def words(line: str) -> dict[str, str]:
    """The key=value words of a line."""
    return {key: value for key, _, value in (word.partition("=") for word in line.split(" "))}


async def _ready(socket: Path, process: asyncio.subprocess.Process) -> None:
    for _ in range(START_LOOKS):
        if process.returncode is not None:
            raise BenchError(f"the daemon ended at once with code {process.returncode}")
        if await asyncio.to_thread(socket.exists):
            status = words((await control(socket, "status"))[0])
            if status["pid"] == str(process.pid):
                return
        await asyncio.sleep(LOOK_SECONDS)
    raise BenchError(f"the daemon was not ready within {START_LOOKS * LOOK_SECONDS:g} s")
