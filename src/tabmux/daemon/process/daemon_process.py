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
from tabmux.folders import daemon_lock, daemon_log, make_private, runtime_folder
from tabmux.observability import start_logging
from tabmux.settings import Settings

logger = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS = 5.0
# A client that does not find us waits for longer than this.
SOCKET_LOOK_SECONDS = 1.0


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
    make_private(file.parent)
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
    async with running(settings, durable="daemon") as app:
        socket = DaemonSocket(app, LineProtocol(app, stopping.set))
        servers = [await socket.listen(path)]
        logger.info("Listening on %s", path)
        try:
            async with asyncio.TaskGroup() as group:
                waiting = group.create_task(_stop_when_unused(settings, app, socket, stopping))
                listening = group.create_task(_listen_again(socket, path, servers))
                await stopping.wait()
                waiting.cancel()
                listening.cancel()
        finally:
            for server in servers:
                server.close()
            with suppress(FileNotFoundError):
                os.unlink(path)
    logger.info("Stopped.")


async def _listen_again(socket: DaemonSocket, path: Path, servers: list[asyncio.Server]) -> None:
    """Bind the socket anew when it was deleted, as cleaners of temporary folders do.

    Without it nobody would find us, and no other daemon could start: the lock is ours.
    """
    while True:
        await asyncio.sleep(SOCKET_LOOK_SECONDS)
        if _was_deleted(path):
            logger.warning("The socket %s was deleted; it is made anew.", path)
            with suppress(OSError):
                servers.append(await socket.listen(path))


def _was_deleted(path: Path) -> bool:
    # Where the lock has gone, too, the next client starts a daemon of its own.
    return not path.exists() and os.path.exists(daemon_lock())


async def _stop_when_unused(
    settings: Settings, app: App, socket: DaemonSocket, stopping: asyncio.Event
) -> None:
    """End when nobody has needed us for long."""
    last_needed = time.monotonic()
    while True:
        await asyncio.sleep(min(LONGEST_PAUSE_SECONDS, max(settings.idle_exit / 4, 0.1)))
        if socket.connections or app.viewers or app.sessions.all():
            last_needed = time.monotonic()
        elif settings.idle_exit and time.monotonic() - last_needed > settings.idle_exit:
            logger.info("Nobody has needed the daemon for %d s.", settings.idle_exit)
            stopping.set()
