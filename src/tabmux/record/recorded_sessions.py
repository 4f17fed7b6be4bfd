"""Recorded sessions: the run of each session, which ends after the last of its calls is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast

from tabmux.record.record import Kept, Record, SessionRun


class EndingSession(Protocol):
    """What is asked of a session."""

    handle: str
    settings: Any
    ended: bool

    def on_closed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the session ends."""


def kept(session: EndingSession) -> Kept:
    """Return what is written down of a session."""
    return cast(Kept, session.settings.record)


class RecordedSession:
    """The run of one session.

    A session may have ended before its last reply is out, and an entry is made after the reply: the
    run ends, and what was typed is forgotten, when no call is under way any more.

    Args:
        session: Whose it is.
        run: What its entries are added to.
        ended: Called once the run has ended.
    """

    def __init__(
        self, session: EndingSession, run: SessionRun, ended: Callable[[], object]
    ) -> None:
        self.run = run
        self._session, self._ended = session, ended
        self._calls = 0
        self._is_over = False
        session.on_closed(self._end_if_over)

    def lives(self) -> bool:
        """Whether entries may come; what was typed is kept out of them for so long."""
        return not self._is_over

    def begin(self) -> None:
        """A call begins."""
        self._calls += 1

    def done(self) -> None:
        """A call has ended, and its entry is kept."""
        self._calls -= 1
        self._end_if_over()

    def _end_if_over(self) -> None:
        if self._session.ended and not self._calls and not self._is_over:
            self._is_over = True
            self.run.end()
            self._ended()


class RecordedSessions:
    """The runs of all sessions.

    Args:
        record: What they are a part of.
        ended: Called when a run has ended.
    """

    def __init__(self, record: Record, ended: Callable[[], object]) -> None:
        self._record, self._ended = record, ended
        self._known: dict[str, RecordedSession] = {}

    def of(self, session: EndingSession) -> RecordedSession:
        """Return what is recorded of a session."""
        found = self._known.get(session.handle)
        if found is None:
            run = self._record.open_run(kept(session))
            found = RecordedSession(session, run, lambda: self._forget(session.handle))
            self._known[session.handle] = found
        return found

    def _forget(self, handle: str) -> None:
        self._known.pop(handle, None)
        self._ended()
