"""Daemon process: one per user, found by its lock, ended in order."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tabmux.daemon.app import App, running
from tabmux.daemon.process import server_loop
from tabmux.daemon.process.daemon_socket import DaemonSocket, private_folder
from tabmux.daemon.process.line_protocol import LineProtocol
from tabmux.folders import daemon_lock, daemon_log, runtime_folder
from tabmux.observability import start_logging
from tabmux.settings import Settings

logger = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS = 5.0


def run(settings: Settings) -> int:
    """Be the daemon, unless another one is; returns the exit code."""
    folder = private_folder(Path(runtime_folder()))
    log = settings.log_file or _log_file()
    start_logging(log, verbose=True)
    with _locked(Path(daemon_lock()), log) as locked:
        if not locked:
            return 0
        server_loop.run(_serve(settings, folder))
    return 0


def _log_file() -> str:
    file = Path(daemon_log())
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileNotFoundError):
        file.chmod(0o600)
    return str(file)


@contextmanager
def _locked(path: Path, log: str) -> Iterator[bool]:
    """Hold the lock for the block; it falls with the process, however that ends.

    The file says who holds the lock and where it logs, also when nobody answers any more.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.truncate(descriptor, 0)
        os.write(descriptor, os.fsencode(f"{os.getpid()}\n{os.path.abspath(log)}\n"))
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)


async def _serve(settings: Settings, folder: Path) -> None:
    path = folder / "daemon.sock"
    stopping = asyncio.Event()
    async with running(settings) as app:
        socket = DaemonSocket(app, LineProtocol(app, stopping.set))
        server = await socket.listen(path)
        logger.info("Listening on %s", path)
        try:
            async with asyncio.TaskGroup() as group:
                waiting = group.create_task(_stop_when_unused(settings, app, socket, stopping))
                await stopping.wait()
                waiting.cancel()
        finally:
            server.close()
            with suppress(FileNotFoundError):
                os.unlink(path)
    logger.info("Stopped.")


async def _stop_when_unused(
    settings: Settings, app: App, socket: DaemonSocket, stopping: asyncio.Event
) -> None:
    """End when nobody has needed us for long."""
    last_needed = time.monotonic()
    while True:
        await asyncio.sleep(min(LONGEST_PAUSE_SECONDS, max(settings.idle_exit / 4, 0.1)))
        if socket.connections or app.sessions.all():
            last_needed = time.monotonic()
        elif settings.idle_exit and time.monotonic() - last_needed > settings.idle_exit:
            logger.info("Nobody has needed the daemon for %d s.", settings.idle_exit)
            stopping.set()
