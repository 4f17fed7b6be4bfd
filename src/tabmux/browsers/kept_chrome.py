"""Kept Chrome: a browser that tabmux starts, leaves running, and finds again by its profile."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tabmux.browsers.profiles import holder_process, refuse_if_in_use
from tabmux.cdp.discovery import ACTIVE_PORT, read_active_port
from tabmux.cdp.transports import Transport
from tabmux.errors import BrowserTrouble, SystemLimit
from tabmux.folders import log_folder, make_private

logger = logging.getLogger(__name__)

START_SECONDS = 30.0
STOP_SECONDS = 5.0
LOOK_SECONDS = 0.02
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW


async def reach(
    program: str, arguments: Sequence[str], profile: Path, environment: Mapping[str, str]
) -> Transport:
    """Connect to the browser that runs on a profile, or start one there.

    Args:
        program: The browser.
        arguments: Its command line, with the profile.
        profile: The folder by which it is found again.
        environment: What is added to our own.
    """
    if holder_process(profile) is not None:
        with suppress(BrowserTrouble):
            return await _connected(profile)
    refuse_if_in_use(profile)
    with suppress(FileNotFoundError):
        (profile / ACTIVE_PORT).unlink()
    pid = _spawn(program, arguments, environment)
    try:
        async with asyncio.timeout(START_SECONDS):
            return await _started(program, profile, pid)
    except TimeoutError as error:
        _send(pid, signal.SIGKILL)
        raise BrowserTrouble(f"{program} did not start within {START_SECONDS:g} s.") from error


async def end(profile: Path) -> None:
    """End the browser that runs on a profile; it gets a few seconds, then a signal."""
    pid = holder_process(profile)
    if pid is None:
        return
    _send(pid, signal.SIGTERM)
    with suppress(TimeoutError):
        async with asyncio.timeout(STOP_SECONDS):
            await _gone(pid)
            return
    logger.warning("The browser did not stop by itself; killing it.")
    _send(pid, signal.SIGKILL)
    with suppress(TimeoutError):
        async with asyncio.timeout(STOP_SECONDS):
            await _gone(pid)


async def _connected(profile: Path) -> Transport:
    # Loaded here for the sake of servers that do without.
    from tabmux.cdp.websocket_transport import connect_websocket

    return await connect_websocket(await asyncio.to_thread(read_active_port, profile))


async def _started(program: str, profile: Path, pid: int) -> Transport:
    while not _has_ended(pid):
        with suppress(BrowserTrouble):
            return await _connected(profile)
        await asyncio.sleep(LOOK_SECONDS)
    raise BrowserTrouble(
        f"{program} ended as it started.", hint=f"{_log()} has what it said; or start it by hand."
    )


def _spawn(program: str, arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Start it in a session of its own, which does not depend on any pipe of ours."""
    output = _log()
    make_private(output.parent)
    try:
        return os.posix_spawn(
            program,
            [program, *arguments],
            {**os.environ, **environment},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, str(output), _APPEND, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
            setsid=True,
        )
    except OSError as error:
        text = f"Could not start {program}"
        raise SystemLimit.of(error, text) or BrowserTrouble(f"{text}: {error}") from error


def _log() -> Path:
    return Path(log_folder()) / "kept-browser.log"


async def _gone(pid: int) -> None:
    while not _has_ended(pid):  # noqa: ASYNC110  # nobody tells when a process has ended
        await asyncio.sleep(LOOK_SECONDS)


def _has_ended(pid: int) -> bool:
    """Whether a process has ended, a child of ours or of a server before."""
    with suppress(ChildProcessError):
        return os.waitpid(pid, os.WNOHANG)[0] != 0
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
