"""A real Redis or Valkey on loopback, for the length of a block."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from tests.ports import free_port

PROGRAM = shutil.which("valkey-server") or shutil.which("redis-server")
needs_redis = pytest.mark.skipif(
    PROGRAM is None, reason="neither valkey-server nor redis-server is installed (scripts/redis)"
)
START_SECONDS = 10.0


@dataclass
class RedisServer:
    """A server that a test may stop, kill and start again."""

    port: int
    arguments: tuple[str, ...] = ()
    process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    async def start(self) -> None:
        assert PROGRAM is not None
        flags = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", *self.arguments]
        folder = tempfile.gettempdir()
        self.process = await asyncio.create_subprocess_exec(
            PROGRAM, *flags, stdout=asyncio.subprocess.DEVNULL, cwd=folder
        )
        async with asyncio.timeout(START_SECONDS):
            while not await self._answers():
                await asyncio.sleep(0.02)

    async def kill(self) -> None:
        """End it at once; it has kept nothing."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()

    def pause(self) -> None:
        """Let it answer nobody, as if the network were cut."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it answer again."""
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    async def _answers(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        return True


@contextlib.asynccontextmanager
async def redis_server(*arguments: str) -> AsyncIterator[RedisServer]:
    """Run a server."""
    server = RedisServer(free_port(), arguments)
    await server.start()
    try:
        yield server
    finally:
        await server.kill()
