"""Serves MCP in this process: start, serve, stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Coroutine
from typing import Any

import uvloop

from tabmux import __version__
from tabmux.config import Settings
from tabmux.daemon.app import running
from tabmux.mcp.stdio import serve_stdio
from tabmux.observe.logs import start_logging

logger = logging.getLogger(__name__)


def serve(settings: Settings) -> int:
    """Serve until the client leaves or a signal comes; returns the exit code."""
    start_logging(settings.log_file, verbose=settings.verbose)
    try:
        uvloop.run(_until_stopped(_serve(settings)))
    except KeyboardInterrupt:
        return 130
    return 0


async def _serve(settings: Settings) -> None:
    async with running(settings) as desk:
        if settings.stdio:
            await serve_stdio(desk, version=__version__)
            return
        from tabmux.daemon.http import serve_desk

        await serve_desk(desk, settings)


async def _until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Run the server, and take it down in order when a signal asks for it."""
    loop = asyncio.get_running_loop()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(work)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, task.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await task
    logger.info("Stopped.")
    sys.stderr.flush()
