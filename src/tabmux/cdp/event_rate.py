"""Event rate: which sessions log more to the console than anyone could read."""

from __future__ import annotations

from dataclasses import dataclass

# The event that pages can cause without end.
CONSOLE_EVENT = b"Runtime.consoleAPICalled"
# More than this in a window is a flood, until a window with less has passed.
BURST = 250
WINDOW_SECONDS = 0.25
# Where in a message to look for its session.
_TAIL = 100


@dataclass(slots=True)
class _Window:
    """How many events one session has sent lately."""

    ends: float
    count: int = 0
    flooded: bool = False


class EventRates:
    """Counts the events of each session."""

    def __init__(self) -> None:
        self._windows: dict[bytes, _Window] = {}

    def count(self, session: bytes, now: float) -> bool:
        """Count one more message of a session; tells whether it is part of a flood."""
        window = self._windows.get(session)
        if window is None:
            window = self._windows[session] = _Window(now + WINDOW_SECONDS)
        elif now > window.ends:
            late = now > window.ends + WINDOW_SECONDS
            window.flooded = window.count > BURST and not late
            window.ends, window.count = now + WINDOW_SECONDS, 0
        window.count += 1
        return window.flooded or window.count > BURST

    def forget(self, session: bytes) -> None:
        """Stop counting for a session that is gone."""
        self._windows.pop(session, None)


def session_id_of(message: bytes) -> bytes:
    """Return the session's id, with which Chrome ends its messages; empty where it does not."""
    _, found, ident = message[-_TAIL:].rpartition(b'"sessionId":"')
    return ident[:-2] if found else b""
