"""Browser state: whether it is connected, what went wrong, and how its calls went."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

FIRST_DELAY_SECONDS = 0.25
# How much the newest call counts in the running average of the latency.
WEIGHT = 0.2


class BrowserState(StrEnum):
    """Where a browser stands."""

    PENDING = "pending"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    DISCONNECTED = "disconnected"


class ConnectionEvent(StrEnum):
    """What can happen to it."""

    ATTEMPT = "attempt"
    SUCCESS = "success"
    FAILURE = "failure"
    LOSS = "loss"


TRANSITIONS: dict[tuple[BrowserState, ConnectionEvent], BrowserState] = {
    (BrowserState.PENDING, ConnectionEvent.ATTEMPT): BrowserState.CONNECTING,
    (BrowserState.DISCONNECTED, ConnectionEvent.ATTEMPT): BrowserState.CONNECTING,
    (BrowserState.CONNECTING, ConnectionEvent.SUCCESS): BrowserState.CONNECTED,
    (BrowserState.CONNECTING, ConnectionEvent.FAILURE): BrowserState.DISCONNECTED,
    (BrowserState.CONNECTING, ConnectionEvent.LOSS): BrowserState.DISCONNECTED,
    (BrowserState.CONNECTED, ConnectionEvent.LOSS): BrowserState.DISCONNECTED,
}


@dataclass(frozen=True)
class ConnectionHistory:
    """The state of a browser, with what is remembered of its past."""

    state: BrowserState = BrowserState.PENDING
    last_error: str = ""
    last_attempt: float | None = None
    connections: int = 0

    def after(self, event: ConnectionEvent, now: float, error: str = "") -> ConnectionHistory:
        """Return the history after an event; an event that cannot happen is a bug."""
        state = TRANSITIONS[self.state, event]
        if event is ConnectionEvent.ATTEMPT:
            return replace(self, state=state, last_attempt=now)
        if event is ConnectionEvent.SUCCESS:
            return replace(self, state=state, last_error="", connections=self.connections + 1)
        # A loss counts as an attempt that failed: the calls that follow are answered at once.
        return replace(self, state=state, last_error=error, last_attempt=now)

    def wait(self, now: float, cool_down: float) -> float:
        """Return how many seconds must pass before another attempt may be made."""
        if (
            self.state is not BrowserState.DISCONNECTED
            or self.last_attempt is None
            or not self.last_error
        ):
            return 0.0
        return max(0.0, self.last_attempt + cool_down - now)


@dataclass(frozen=True)
class Health:
    """Counters of the calls on one browser."""

    calls: int = 0
    errors: int = 0
    latency: float = 0.0

    def after(self, seconds: float, *, failed: bool) -> Health:
        """Return the health after one more call."""
        latency = seconds if not self.calls else self.latency + WEIGHT * (seconds - self.latency)
        return replace(
            self, calls=self.calls + 1, errors=self.errors + int(failed), latency=latency
        )

    @property
    def line(self) -> str:
        """Say it in a few words."""
        if not self.calls:
            return "no calls yet"
        plural = "" if self.calls == 1 else "s"
        return f"{self.calls} call{plural}, {self.errors} failed, {self.latency * 1000:.0f} ms"


def attempt_delays(attempts: int, first: float = FIRST_DELAY_SECONDS) -> list[float]:
    """Return the pauses between the tries of one attempt, each twice the one before."""
    return [first * 2**n for n in range(attempts - 1)]
