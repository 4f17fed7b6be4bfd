"""Analysis process: where traces and heap snapshots are analysed, so that no session waits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from tabmux.errors import TabmuxError
from tabmux.temporary_folder import OF_THIS_PROCESS

# Most servers never analyse anything: what starts processes is imported by the first that does.
if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

P = ParamSpec("P")
R = TypeVar("R")

# The sessions' own calls come first where the processor is short.
NICENESS = 5


class AnalysisFailed(TabmuxError):
    """The process that analyses files ended before it was done."""

    code = "analysis_failed"


class AnalysisProcess:
    """Works on one file at a time, in a process that starts when it is first needed.

    What it runs must be a function at the top of a module, and its values must be picklable.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._process: int | None = None
        self._folder: Path | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.close)

    @property
    def folder(self) -> Path:
        """Where files are kept that nobody asked to keep; it goes when the server goes."""
        if self._folder is None:
            self._folder = OF_THIS_PROCESS.make("analysis")
        return self._folder

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a function over there; a call that is given up takes its process with it."""
        async with self._turn:
            try:
                pool = await self._started()
                return await asyncio.wrap_future(pool.submit(function, *args, **kwargs))
            except asyncio.CancelledError:
                self._end()
                raise
            except BrokenExecutor as error:
                self._end()
                raise AnalysisFailed(
                    "The process that analyses files ended unexpectedly, perhaps out of memory.",
                    hint="Try again with a smaller file.",
                ) from error

    def close(self) -> None:
        """End the process and delete what it was kept for."""
        self._end()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    async def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            # A fork would copy the server's sockets and threads into the process.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, context, initializer=_settle_in)
        if self._process is None:
            self._process = await asyncio.wrap_future(self._pool.submit(os.getpid))
        return self._pool

    def _end(self) -> None:
        pool, process = self._pool, self._process
        self._pool = self._process = None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


def _settle_in() -> None:
    os.nice(NICENESS)
    # The terminal's interrupt reaches every process; the server decides when this one ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    """A server that is killed cannot take its processes along; they watch it instead."""
    import multiprocessing.connection

    server = multiprocessing.parent_process()
    if server is not None:
        multiprocessing.connection.wait([server.sentinel])
        os._exit(0)
