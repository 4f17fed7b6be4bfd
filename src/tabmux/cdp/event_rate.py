"""Which sessions say more than anyone could read."""

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
class _Gauge:
    """How much one session has said lately."""

    ends: float
    count: int = 0
    over: bool = False


class EventRates:
    """Counts what each session says."""

    def __init__(self) -> None:
        self._gauges: dict[bytes, _Gauge] = {}

    def carry(self, session: bytes, now: float) -> bool:
        """Count one more message of a session; tells whether it is part of a flood."""
        gauge = self._gauges.get(session)
        if gauge is None:
            gauge = self._gauges[session] = _Gauge(now + WINDOW_SECONDS)
        elif now > gauge.ends:
            late = now > gauge.ends + WINDOW_SECONDS
            gauge.over = gauge.count > BURST and not late
            gauge.ends, gauge.count = now + WINDOW_SECONDS, 0
        gauge.count += 1
        return gauge.over or gauge.count > BURST

    def forget(self, session: bytes) -> None:
        """Stop counting for a session that is gone."""
        self._gauges.pop(session, None)


def session_id_of(message: bytes) -> bytes:
    """Return the session's id, with which Chrome ends its messages; empty where it does not."""
    _, found, ident = message[-_TAIL:].rpartition(b'"sessionId":"')
    return ident[:-2] if found else b""
