"""Chrome process: started on a pipe, and ended with everything it left behind."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabmux.browsers.executable import find_executable
from tabmux.browsers.profiles import refuse_if_in_use
from tabmux.cdp.transports import PipeTransport
from tabmux.errors import BrowserTrouble

logger = logging.getLogger(__name__)

STOP_SECONDS = 5.0

# Quiet and predictable, but still the browser its user knows: no feature of a page is disabled.
_ARGUMENTS = (
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--hide-crash-restore-bubble",
    "--password-store=basic",
    "--use-mock-keychain",
)
_HEADLESS_ARGUMENTS = ("--headless=new", "--mute-audio", "--hide-scrollbars")


@dataclass(frozen=True)
class LaunchOptions:
    """How to start a browser."""

    headless: bool = False
    channel: str | None = None
    executable_path: str | None = None
    user_data_dir: Path | None = None
    viewport: tuple[int, int] | None = None
    proxy: str | None = None
    extensions: bool = False
    arguments: Sequence[str] = ()


@contextlib.asynccontextmanager
async def chrome_process(options: LaunchOptions) -> AsyncIterator[PipeTransport]:
    """Start a browser; it and its temporary profile are gone when the block ends."""
    program = find_executable(options.channel, options.executable_path)
    if options.user_data_dir is not None:
        refuse_if_in_use(options.user_data_dir)
    profile = options.user_data_dir or Path(tempfile.mkdtemp(prefix="tabmux-profile-"))
    try:
        transport, pid = _spawn(program, _arguments(options, profile))
        try:
            yield transport
        finally:
            transport.close()
            await _wait_for_end(pid)
    finally:
        if options.user_data_dir is None:
            await asyncio.to_thread(shutil.rmtree, profile, ignore_errors=True)


def _arguments(options: LaunchOptions, profile: Path) -> list[str]:
    arguments = [*_ARGUMENTS, f"--user-data-dir={profile}"]
    if options.headless:
        arguments += _HEADLESS_ARGUMENTS
    if options.viewport is not None:
        arguments.append("--window-size={},{}".format(*options.viewport))
    if options.extensions:
        # Lets the pipe, which nobody but us can reach, install extensions from folders.
        arguments.append("--enable-unsafe-extension-debugging")
    if options.proxy is not None:
        arguments.append(f"--proxy-server={options.proxy}")
    if sys.platform == "linux" and os.geteuid() == 0:
        logger.warning("Running as root: the browser starts with --no-sandbox.")
        arguments.append("--no-sandbox")
    return [*arguments, *options.arguments, "about:blank"]


def _spawn(program: str, arguments: list[str]) -> tuple[PipeTransport, int]:
    # Chrome reads commands from descriptor 3 and writes to 4. Ours are moved out of the way
    # first, so that placing one there cannot overwrite the other.
    child_in, our_out = (_move_up(fd) for fd in os.pipe())
    our_in, child_out = (_move_up(fd) for fd in os.pipe())
    try:
        pid = os.posix_spawn(
            program,
            [program, *arguments],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, child_in, 3),
                (os.POSIX_SPAWN_DUP2, child_out, 4),
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
            setpgroup=0,
        )
    except OSError as error:
        for fd in (our_in, our_out):
            os.close(fd)
        raise BrowserTrouble(f"Could not start {program}: {error}") from error
    finally:
        for fd in (child_in, child_out):
            os.close(fd)
    return PipeTransport(our_in, our_out), pid


def _move_up(fd: int) -> int:
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 20)
    os.close(fd)
    return moved


async def _wait_for_end(pid: int) -> None:
    """Wait until the browser is gone; it gets a few seconds, then a signal."""
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await _wait_until_reaped(pid)
    except TimeoutError:
        logger.warning("The browser did not stop by itself; killing it.")
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    await _wait_until_reaped(pid)


async def _wait_until_reaped(pid: int) -> None:
    while True:
        try:
            done, _ = os.waitpid(pid, os.WNOHANG)  # noqa: ASYNC222  # WNOHANG does not block
        except ChildProcessError:
            return
        if done:
            return
        await asyncio.sleep(0.02)
