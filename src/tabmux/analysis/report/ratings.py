"""How good a metric is, by the bounds that web developers know."""

from __future__ import annotations

# Up to the first is good, above the second is poor.
BOUNDS = {
    "TTFB": (800, 1800),
    "FCP": (1800, 3000),
    "LCP": (2500, 4000),
    "CLS": (0.1, 0.25),
    "INP": (200, 500),
    "TBT": (200, 600),
}


def rating(metric: str, value: float) -> str:
    """Rate a value as good, fair or poor."""
    good, poor = BOUNDS[metric]
    if value <= good:
        return "good"
    return "fair" if value <= poor else "poor"
