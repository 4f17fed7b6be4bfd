"""Record: takes the entries of all calls, tells who listens, and has them written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, Protocol

from tabmux.concurrency import Listeners
from tabmux.record.call_entry import CallEntry

Kept = Literal["off", "calls", "pictures"]


class EntryWriter(Protocol):
    """Writes entries somewhere, later."""

    def begin(self, session: str, client: str, time: float) -> str:
        """Begin a run; returns its name."""

    def write(self, entry: CallEntry) -> None:
        """Write an entry."""

    def is_full(self, run: str) -> bool:
        """Whether a run is so long that another one should continue it."""

    def save_picture(self, picture: bytes) -> str:
        """Save a picture; returns its hash."""

    def end(self, run: str) -> None:
        """No more entries come for a run."""


class SessionRun:
    """The run of one session: begun with its first call, ended with the session.

    Args:
        record: What it is a part of.
        kept: What is written down of it.
    """

    def __init__(self, record: Record, kept: Kept) -> None:
        self._record, self.kept = record, kept
        self.name = ""
        self.calls = 0

    def place(self, session: str, client: str, time: float) -> tuple[str, int]:
        """Return the name of the run, which begins with its first call, and the next number."""
        return self._record.place(self, session, client, time)

    def add(self, entry: CallEntry) -> CallEntry:
        """Take an entry; returns it with its place in the run."""
        if not entry.number:
            name, number = self.place(entry.session, entry.client, entry.time)
            entry = replace(entry, run=name, number=number)
        self._record.take(self, entry)
        return entry

    def end(self) -> None:
        """The session has ended."""
        self._record.end(self)


class Record:
    """The record of a server.

    Args:
        writer: What writes it; none where nothing is written.
    """

    def __init__(self, writer: EntryWriter | None = None) -> None:
        self._writer = writer
        self._listeners = Listeners[[CallEntry]]()

    def wants(self, kept: Kept) -> bool:
        """Whether anybody reads the entries of a session: a file, or who listens."""
        return len(self._listeners) > 0 or (self._writer is not None and kept != "off")

    def wants_pictures(self, kept: Kept) -> bool:
        """Whether a picture of the page is kept after each action of a session."""
        return self._writer is not None and kept == "pictures"

    def on_entry(self, listener: Callable[[CallEntry], object]) -> Callable[[], None]:
        """Call `listener` with the entry of every call that has ended; returns how to stop."""
        return self._listeners.add(listener)

    def open_run(self, kept: Kept) -> SessionRun:
        """Return the run of a new session."""
        return SessionRun(self, kept)

    def save_picture(self, picture: bytes) -> str:
        """Keep a picture, once; returns its hash."""
        return self._writer.save_picture(picture) if self._writer is not None else ""

    def place(self, run: SessionRun, session: str, client: str, time: float) -> tuple[str, int]:
        """Return the name of a run and the number of its next call."""
        writer = self._writer if run.kept != "off" else None
        if writer is not None and run.name and writer.is_full(run.name):
            self.end(run)
        if writer is not None and not run.name:
            run.name = writer.begin(session, client, time)
        run.calls += 1
        return run.name, run.calls

    def take(self, run: SessionRun, entry: CallEntry) -> None:
        """Tell who listens of an entry, and have it written."""
        if self._writer is not None and run.kept != "off":
            self._writer.write(entry)
        self._listeners(entry)

    def end(self, run: SessionRun) -> None:
        """Have the end of a run written."""
        if self._writer is not None and run.name:
            self._writer.end(run.name)
        run.name, run.calls = "", 0
