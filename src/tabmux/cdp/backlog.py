"""What a page logs faster than anyone could read it: the newest waits, unread, until it is calm."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

# The event that pages can cause without end.
CHATTER = b"Runtime.consoleAPICalled"
# More than this in a window is a flood.
BURST = 2_000
WINDOW_SECONDS = 1.0
KEPT = 1_000
CALM_SECONDS = 0.1
LONGEST_SECONDS = 2.0
# How many are delivered before others have their turn.
PIECE = 100
# Where in a message to look for its session.
_TAIL = 100


@dataclass
class _Session:
    """What one session has said lately."""

    window: float
    count: int = 0
    began: float = 0.0
    last: float = 0.0
    lost: int = 0
    held: deque[bytes] = field(default_factory=lambda: deque(maxlen=KEPT))


class Backlog:
    """Holds back what floods a connection, and keeps the order within a session.

    Args:
        deliver: Takes a message as if it had just come.
        lose: Told of a session's id and how many of its messages were thrown away.
    """

    def __init__(
        self, deliver: Callable[[bytes], None], lose: Callable[[bytes, int], None]
    ) -> None:
        self._deliver, self._lose = deliver, lose
        self._loop = asyncio.get_running_loop()
        self._sessions: dict[bytes, _Session] = {}
        self._flooded: dict[bytes, _Session] = {}

    def __bool__(self) -> bool:
        """Whether anything is held."""
        return bool(self._flooded)

    def takes(self, message: bytes) -> bool:
        """Hold a message back if its session has said too much; tells whether it did."""
        now, key = self._loop.time(), _session(message)
        session = self._sessions.get(key)
        if session is None:
            session = self._sessions[key] = _Session(now)
        if now - session.window > WINDOW_SECONDS:
            session.window, session.count = now, 0
        session.count += 1
        if session.count <= BURST and key not in self._flooded:
            return False
        self._hold(key, session, message, now)
        return True

    def before(self, message: bytes) -> None:
        """Deliver first what a message of the same session must not overtake."""
        if (session := self._flooded.pop(_session(message), None)) is not None:
            self._settle(_session(message), session)
            while session.held:
                self._deliver(session.held.popleft())

    def forget(self, session: bytes) -> None:
        """Throw away what is held of a session that is gone."""
        self._sessions.pop(session, None)
        self._flooded.pop(session, None)

    def _hold(self, key: bytes, session: _Session, message: bytes, now: float) -> None:
        if key not in self._flooded:
            self._flooded[key] = session
            session.began = now
            self._loop.call_later(CALM_SECONDS, self._look, key)
        session.last = now
        session.lost += len(session.held) == KEPT
        session.held.append(message)

    def _look(self, key: bytes) -> None:
        """Deliver what is held once the session is calm, or has been held for long."""
        session, now = self._flooded.get(key), self._loop.time()
        if session is None:
            return
        if now - session.last < CALM_SECONDS and now - session.began < LONGEST_SECONDS:
            self._loop.call_later(CALM_SECONDS, self._look, key)
        else:
            self._settle(key, session)
            self._drain(key, session)

    def _settle(self, key: bytes, session: _Session) -> None:
        lost, session.lost = session.lost, 0
        if lost:
            self._lose(key, lost)

    def _drain(self, key: bytes, session: _Session) -> None:
        if self._flooded.get(key) is not session:
            return  # another message has brought them along
        for _ in range(min(PIECE, len(session.held))):
            self._deliver(session.held.popleft())
        if session.held:
            self._loop.call_soon(self._drain, key, session)
        else:
            del self._flooded[key], self._sessions[key]


def _session(message: bytes) -> bytes:
    """Return the session's id, with which Chrome ends its messages; empty where it does not."""
    _, found, ident = message[-_TAIL:].rpartition(b'"sessionId":"')
    return ident[:-2] if found else b""
