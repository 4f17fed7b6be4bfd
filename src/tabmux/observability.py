"""Observability: logs to standard error or a file, metrics of the calls, and a watchdog."""

from __future__ import annotations

import asyncio
import logging
import logging.handlers
import os
import sys
import threading
import time
import traceback
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import TextIOWrapper
from itertools import accumulate

from tabmux.content import Reply
from tabmux.errors import Misuse
from tabmux.secrets.filled_values import RedactingFormatter

logger = logging.getLogger(__name__)

MAX_BYTES = 5_000_000
BACKUPS = 3
STALL_SECONDS = 5.0
# The bounds that OpenTelemetry's conventions give for mcp.server.operation.duration, in seconds.
BUCKETS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)


def start_logging(file: str | None = None, *, verbose: bool = False) -> None:
    """Set up logging for the process."""
    handler: logging.Handler
    if file is None:
        handler = logging.StreamHandler(sys.stderr)
    else:
        try:
            handler = PrivateLogFile(
                file, maxBytes=MAX_BYTES, backupCount=BACKUPS, encoding="utf-8"
            )
        except OSError as error:
            raise Misuse(
                f"Could not write the log {file}: {error.strerror}.", hint="Check --log-file."
            ) from error
    handler.setFormatter(RedactingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO if verbose else logging.WARNING)


class PrivateLogFile(logging.handlers.RotatingFileHandler):
    """A log file that is made for its owner alone: logs name pages."""

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, opener=_open_private)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@dataclass
class CountedCall:
    """A call that is being made."""

    tool: str
    began: float = field(default_factory=time.monotonic)
    reply: Reply = field(default_factory=lambda: Reply(code="cancelled"))


@dataclass
class DurationHistogram:
    """How many calls took how long, by the bounds that OpenTelemetry names for MCP."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    sum: float = 0.0

    def add(self, seconds: float) -> None:
        """Count a call."""
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.sum += seconds

    def cumulative(self) -> list[tuple[str, int]]:
        """Return how many calls took at most so long, for each bound."""
        bounds = [*(f"{bound:g}" for bound in BUCKETS), "+Inf"]
        return list(zip(bounds, accumulate(self.counts), strict=True))


@dataclass
class CallMetrics:
    """Calls by tool, failures by tool and code, and the sessions that were opened."""

    sessions: int = 0
    running: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    # By tool and error code, which is empty for calls that went well.
    durations: dict[tuple[str, str], DurationHistogram] = field(default_factory=dict)

    @contextmanager
    def call(self, tool: str) -> Iterator[CountedCall]:
        """Count a call; the block sets its reply, or was cancelled."""
        call = CountedCall(tool)
        self.running += 1
        try:
            yield call
        finally:
            self.running -= 1
            self._count(call)

    def _count(self, call: CountedCall) -> None:
        code = call.reply.code
        # A client must not be able to add rows without end.
        tool = "unknown" if code == "unknown_tool" else call.tool
        self.calls[tool] += 1
        seconds = time.monotonic() - call.began
        self.seconds[tool] = self.seconds.get(tool, 0.0) + seconds
        self.durations.setdefault((tool, code or ""), DurationHistogram()).add(seconds)
        if code is not None:
            self.failures[tool, code] += 1


@contextmanager
def watchdog(seconds: float = STALL_SECONDS) -> Iterator[None]:
    """Have a thread log where the event loop stands when it has not moved for so long."""
    watch = _LoopWatch(seconds)
    thread = threading.Thread(target=watch.look_until_ended, name="watchdog", daemon=True)
    watch.note_sign_of_life()
    thread.start()
    try:
        yield
    finally:
        watch.end()
        thread.join()


class _LoopWatch:
    """Signs of life of the running loop, which a thread looks for."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._pause = seconds, seconds / 5
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        self._alive = time.monotonic()
        self._ended = threading.Event()
        self._timer: asyncio.TimerHandle | None = None

    def note_sign_of_life(self) -> None:
        self._alive = time.monotonic()
        self._timer = self._loop.call_later(self._pause, self.note_sign_of_life)

    def end(self) -> None:
        self._ended.set()
        if self._timer is not None:
            self._timer.cancel()

    def look_until_ended(self) -> None:
        looked, reported = time.monotonic(), 0.0
        while not self._ended.wait(self._pause):
            now, alive = time.monotonic(), self._alive
            # A thread that comes late itself: the process was stopped, or the machine slept.
            slept = now - looked > self._seconds
            looked = now
            if slept:
                self._alive = now
            elif now - alive > self._seconds and reported != alive:
                reported = alive
                self._report(now - alive)

    def _report(self, seconds: float) -> None:
        frame = sys._current_frames().get(self._thread)
        stack = "".join(traceback.format_stack(frame)) if frame is not None else ""
        logger.error("The event loop has stood still for %.0f s:\n%s", seconds, stack)
