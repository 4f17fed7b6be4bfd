"""Watched server: a tabmux that notes when its event loop worked for long at a stretch.

`python -m bench.watched_server FILE ARGUMENT…` is `tabmux ARGUMENT…`. Each stretch is a line of
JSON in the file. Time is that of the processor: a busy machine makes no stretch longer.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from types import FrameType
from typing import Any

import uvloop

BEAT_SECONDS = 0.005
LONG_SECONDS = 0.02
LOOK_SECONDS = 0.002
# How much is told of where the loop was.
DEPTH, PLACES = 4, 6


class LoopWatch:
    """Beats in a loop, and a thread that looks where it stands while no beat comes."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("a", encoding="utf-8")
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        self._beat = time.monotonic()
        self._worked = time.thread_time()
        self._stacks: list[str] = []
        threading.Thread(target=self._look, daemon=True).start()
        self._loop.call_later(BEAT_SECONDS, self._note)

    def _note(self) -> None:
        now, worked = time.monotonic(), time.thread_time()
        seconds, stacks, self._stacks = worked - self._worked, self._stacks, []
        if seconds >= LONG_SECONDS:
            line = {"at": now, "seconds": seconds, "places": Counter(stacks).most_common(PLACES)}
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
        self._beat, self._worked = time.monotonic(), time.thread_time()
        self._loop.call_later(BEAT_SECONDS, self._note)

    def _look(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            frame = sys._current_frames().get(self._thread)
            if frame is not None and time.monotonic() - self._beat > LONG_SECONDS:
                self._stacks.append(_place(frame))


def _place(frame: FrameType) -> str:
    calls = traceback.extract_stack(frame)[-DEPTH:]
    return " → ".join(f"{Path(each.filename).name}:{each.lineno} {each.name}" for each in calls)


def main() -> None:
    """Run tabmux with a watch in its loop."""
    file, sys.argv = Path(sys.argv[1]), ["tabmux", *sys.argv[2:]]
    run = uvloop.run

    def watched(work: Coroutine[Any, Any, None]) -> None:
        async def beside() -> None:
            watch = LoopWatch(file)
            await work
            del watch

        run(beside())

    uvloop.run = watched  # type: ignore[assignment]
    from tabmux.__main__ import main as tabmux

    tabmux()


if __name__ == "__main__":
    main()
