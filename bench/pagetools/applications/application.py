"""Application: one real application, started by its script, and gone afterwards."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.packages import cache
from bench.processes import end_group
from bench.trouble import BenchError

SCRIPTS = Path(__file__).parent
START_SECONDS = 150.0
INSTALL_SECONDS = 900.0
Step = Mapping[str, Any]


@dataclass(frozen=True)
class ApplicationTask:
    """Something a user wants, how it can be done, and what proves that it is.

    Attributes:
        start: The path where it begins.
        steps: `press` a text (`within` an entry), or `submit` values with a `button`.
        proof: Text that is to be seen (`shows`, `lacks`), here or `at` a path.
    """

    goal: str
    start: str
    steps: Sequence[Step]
    proof: Mapping[str, str]

    @property
    def is_first_half(self) -> bool:
        """Whether it may be tried while the derivation is changed."""
        return _is_even(self.goal)


@dataclass(frozen=True)
class GoldPage:
    """What a page must, may and must not offer, written down from its picture.

    Attributes:
        tools: Each a pattern of names, patterns of parameters, and whether it must be there.
    """

    name: str
    path: str
    tools: Sequence[Mapping[str, Any]] = ()

    @property
    def is_first_half(self) -> bool:
        """Whether it may be looked at while the derivation is changed."""
        return _is_even(self.name)


def _is_even(text: str) -> bool:
    """Which half something is in, by nothing that could be chosen."""
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True)
class Application:
    """What is known of an application."""

    name: str
    language: str
    ready: str
    login: Mapping[str, Any] = field(default_factory=dict)
    tasks: Sequence[ApplicationTask] = ()
    pages: Sequence[GoldPage] = ()

    @property
    def script(self) -> Path:
        """What installs and starts it."""
        return SCRIPTS / f"{self.name}.sh"

    @property
    def folder(self) -> Path:
        """Where it is installed."""
        return cache() / "applications" / self.name

    @property
    def is_installed(self) -> bool:
        """Whether its data have been made."""
        return (self.folder / "seed").is_dir()


def applications() -> list[Application]:
    """Return all that are described, in the order of their names."""
    return [_application(file) for file in sorted(SCRIPTS.glob("*.json"))]


def _application(file: Path) -> Application:
    about = json.loads(file.read_text())
    return Application(
        file.stem,
        about["language"],
        about["ready"],
        about.get("login", {}),
        [ApplicationTask(**each) for each in about.get("tasks", ())],
        [GoldPage(**each) for each in about.get("pages", ())],
    )


async def install(application: Application) -> None:
    """Install an application and fill it with data."""
    application.folder.mkdir(parents=True, exist_ok=True)
    process = await _script(application, "install", {})
    try:
        async with asyncio.timeout(INSTALL_SECONDS):
            output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            await end_group(process.pid, process.wait)
        if process.returncode != 0:
            # Half of the data would be taken for all of them.
            shutil.rmtree(application.folder / "seed", ignore_errors=True)
    if process.returncode:
        raise BenchError(f"{application.name} was not installed: {output.decode()[-400:]}")


@asynccontextmanager
async def open_application(application: Application) -> AsyncIterator[str]:
    """Start an application with fresh data; returns its origin."""
    with tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True) as state:
        port = _free_port()
        process = await _script(
            application, "serve", {"STATE": state, "PORT": str(port)}, asyncio.subprocess.DEVNULL
        )
        try:
            await _until_ready(process, port, application)
            yield f"http://127.0.0.1:{port}"
        finally:
            await end_group(process.pid, process.wait)


async def _script(
    application: Application,
    verb: str,
    surroundings: Mapping[str, str],
    output: int = asyncio.subprocess.PIPE,
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *("bash", str(application.script), verb),
        env={**os.environ, "FOLDER": str(application.folder), **surroundings},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=output,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )


async def _until_ready(
    process: asyncio.subprocess.Process, port: int, application: Application
) -> None:
    request = f"GET {application.ready} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    try:
        async with asyncio.timeout(START_SECONDS):
            while process.returncode is None:
                if await _answers(port, request):
                    return
                await asyncio.sleep(0.2)
    except TimeoutError:
        pass
    raise BenchError(f"{application.name} did not start.")


async def _answers(port: int, request: bytes) -> bool:
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.write(request)
    try:
        return (await reader.read(12)).endswith((b" 200", b" 302"))
    except OSError:
        return False
    finally:
        writer.close()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
