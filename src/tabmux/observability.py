"""Observability: logs to standard error or a file, and metrics of the calls."""

from __future__ import annotations

import logging
import logging.handlers
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tabmux.content import Reply

MAX_BYTES = 5_000_000
BACKUPS = 3


def start_logging(file: str | None = None, *, verbose: bool = False) -> None:
    """Set up logging for the process."""
    handler: logging.Handler
    if file is None:
        handler = logging.StreamHandler(sys.stderr)
    else:
        handler = logging.handlers.RotatingFileHandler(
            file, maxBytes=MAX_BYTES, backupCount=BACKUPS, encoding="utf-8"
        )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO if verbose else logging.WARNING)


@dataclass
class CountedCall:
    """A call that is being made."""

    tool: str
    began: float = field(default_factory=time.monotonic)
    reply: Reply = field(default_factory=lambda: Reply(code="cancelled"))


@dataclass
class CallMetrics:
    """Calls by tool, failures by tool and code, and the sessions that were opened."""

    sessions: int = 0
    running: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)

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
        self.seconds[tool] = self.seconds.get(tool, 0.0) + time.monotonic() - call.began
        if code is not None:
            self.failures[tool, code] += 1
