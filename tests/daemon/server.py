"""The real server over HTTP, in a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.mcp.raw_clients import SECONDS


@asynccontextmanager
async def process(home: dict[str, str], *flags: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the real server."""
    command = (sys.executable, "-m", "tabmux", "serve", "--http", "--port", "0", *flags)
    pipe = asyncio.subprocess.PIPE
    started = await asyncio.create_subprocess_exec(*command, env=home, stdout=pipe, stderr=pipe)
    try:
        yield started
    finally:
        if started.returncode is None:
            started.terminate()
        async with asyncio.timeout(SECONDS * 3):
            await started.communicate()
