"""Past runs: what the live view shows out of the record."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabmux.daemon.ui import view_state
from tabmux.daemon.ui.outbox import Outbox, compact
from tabmux.folders import record_folder
from tabmux.record.call_entry import CallEntry
from tabmux.record.run_files import RunSummary, read_run, runs

if TYPE_CHECKING:
    from tabmux.daemon.app import App

Json = dict[str, Any]
MOST_RUNS = 200
MOST_ENTRIES = 2_000
# What a person who has just come sees of each session that is open.
RECENT_ENTRIES = 50
RECENT_RUNS = 20
RECENT_BYTES = 256 << 10


class PastRuns:
    """Reads runs for one viewer, in threads, one after the other: others need threads, too."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._turn = asyncio.Lock()

    @property
    def folder(self) -> Path:
        """Where the runs of the server are."""
        writer = self._app.run_writer
        return writer.folder if writer is not None else Path(record_folder())

    async def tell_recent(self, outbox: Outbox) -> None:
        """Tell what the sessions that are open have done last."""
        names = {session.visible_name for session in self._app.sessions.all()}
        async with self._turn:
            text = await asyncio.to_thread(_recent, self.folder, names)
        outbox.tell_text(text)

    async def tell_runs(self, outbox: Outbox) -> None:
        """Tell which runs there are."""
        async with self._turn:
            text = await asyncio.to_thread(_runs, self.folder)
        outbox.tell_text(text)

    async def tell_run(self, outbox: Outbox, run: str) -> None:
        """Tell the calls of one run."""
        async with self._turn:
            text = await asyncio.to_thread(_run, self.folder, run)
        outbox.tell_text(text)


# These return the message as it is sent: to write some megabytes of JSON takes long, too.


def _recent(folder: Path, names: set[str]) -> str:
    found: list[CallEntry] = []
    for run in runs(folder)[:RECENT_RUNS]:
        if run.session in names:
            found += deque(read_run(folder, run.run, RECENT_BYTES), maxlen=RECENT_ENTRIES)
    entries = [view_state.entry(each) for each in sorted(found, key=lambda each: each.time)]
    return compact({"type": "history", "entries": entries})


def _runs(folder: Path) -> str:
    found = runs(folder)[:MOST_RUNS]
    return compact({"type": "runs", "runs": [_summary(each) for each in found]})


def _run(folder: Path, run: str) -> str:
    found = read_run(folder, run)
    entries = [view_state.entry(each) for each in itertools.islice(found, MOST_ENTRIES)]
    more = next(found, None) is not None
    return compact({"type": "run", "run": run, "entries": entries, "more": more})


def _summary(run: RunSummary) -> Json:
    return {
        "run": run.run,
        "session": view_state.shown(run.session, view_state.LONGEST_TITLE),
        "client": view_state.shown(run.client, view_state.LONGEST_TITLE),
        "started": run.started,
        "changed": run.changed,
        "bytes": run.bytes,
    }
