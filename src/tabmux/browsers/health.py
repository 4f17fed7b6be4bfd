"""How a browser is doing, as a value."""

from __future__ import annotations

from dataclasses import dataclass, replace

# How much the newest call counts in the running average of the latency.
WEIGHT = 0.2


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
