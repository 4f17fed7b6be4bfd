"""Chrome process: a browser on a pair of pipes, from its start to its end, and its last words."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import signal
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager, suppress

from tabmux.cdp.transports import PipeTransport
from tabmux.errors import BrowserGone, BrowserTrouble, SystemLimit

logger = logging.getLogger(__name__)

STOP_SECONDS = 5.0
LOOK_SECONDS = 0.02
# For a process that has ended to be noticed, and its words to be read.
LAST_WORDS_SECONDS = 1.0
MOST_WORDS = 1_000


@asynccontextmanager
async def started(
    program: str, arguments: list[str], environment: Mapping[str, str]
) -> AsyncIterator[PipeTransport]:
    """Start a browser for the length of the block; one that goes at once is quoted in the error.

    Args:
        program: The browser.
        arguments: Its command line.
        environment: What is added to our own.
    """
    pid, reading, writing, errors = _spawn(program, arguments, environment)
    with _LastWords(errors) as words:
        transport = PipeTransport(reading, writing)
        try:
            yield transport
        except BrowserGone as gone:
            await words.complete()
            raise BrowserTrouble(
                f"{program} ended as it started: {words.text or gone.message}",
                hint="Start it by hand to see what it needs.",
            ) from gone
        finally:
            transport.close()
            await _wait_for_end(pid)


class _LastWords:
    """What the browser writes to standard error, of which the end is kept."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._kept = descriptor, b""
        self._ended = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        os.set_blocking(descriptor, False)

    def __enter__(self) -> _LastWords:
        self._loop.add_reader(self._descriptor, self._read)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)

    @property
    def text(self) -> str:
        """The last lines, in one."""
        return " ".join(self._kept.decode(errors="replace").split())

    async def complete(self) -> None:
        """Wait until it has said everything."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_SECONDS):
                await self._ended.wait()

    def _read(self) -> None:
        with suppress(BlockingIOError, InterruptedError):
            piece = os.read(self._descriptor, 1 << 16)
            self._kept = (self._kept + piece)[-MOST_WORDS:]
            if not piece:
                self._loop.remove_reader(self._descriptor)
                self._ended.set()


def _spawn(
    program: str, arguments: list[str], environment: Mapping[str, str]
) -> tuple[int, int, int, int]:
    """Start it; returns its id, and our ends: its messages, our commands, its errors."""
    with ExitStack() as children, ExitStack() as ours:
        try:
            child_in, writing = _pipe(children, ours)
            reading, child_out = _pipe(ours, children)
            errors, child_errors = _pipe(ours, children)
            pid = os.posix_spawn(
                program,
                [program, *arguments],
                {**os.environ, **environment},
                # Chrome reads commands from descriptor 3 and writes to 4.
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, child_in, 3),
                    (os.POSIX_SPAWN_DUP2, child_out, 4),
                    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_DUP2, child_errors, 2),
                ],
                setpgroup=0,
            )
        except OSError as error:
            text = f"Could not start {program}"
            raise SystemLimit.of(error, text) or BrowserTrouble(f"{text}: {error}") from error
        ours.pop_all()
        return pid, reading, writing, errors


def _pipe(read_end: ExitStack, write_end: ExitStack) -> tuple[int, int]:
    """Make a pipe whose ends are closed with their stacks."""
    with ExitStack() as raw:
        first = os.pipe()
        for descriptor in first:
            raw.callback(os.close, descriptor)
        moved = []
        # Out of the way, so that placing one at 3 or 4 cannot overwrite another.
        for descriptor, stack in zip(first, (read_end, write_end), strict=True):
            moved.append(fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 20))
            stack.callback(os.close, moved[-1])
        return moved[0], moved[1]


async def _wait_for_end(pid: int) -> None:
    """Wait until the browser is gone; it gets a few seconds, then a signal."""
    deadline = time.monotonic() + STOP_SECONDS
    while not _is_reaped(pid):
        if time.monotonic() > deadline or _is_stopped(pid):
            logger.warning("The browser did not stop by itself; killing it.")
            break
        await asyncio.sleep(LOOK_SECONDS)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    while not _is_reaped(pid):  # noqa: ASYNC110  # nobody tells when a process has ended
        await asyncio.sleep(LOOK_SECONDS)


def _is_stopped(pid: int) -> bool:
    """Whether a signal has stopped it: then it will not end by itself, however long one waits."""
    import psutil  # only where a browser takes its time to end

    with suppress(psutil.Error):
        return bool(psutil.Process(pid).status() == psutil.STATUS_STOPPED)
    return False


def _is_reaped(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return True
