"""Insight: what one of them has to say about one insight set."""

from __future__ import annotations

from dataclasses import dataclass

from tabmux.analysis.insights.units import milliseconds, size


@dataclass(frozen=True, slots=True)
class Savings:
    """What a remedy could save at most, measured in this trace and not simulated."""

    ms: float = 0
    bytes: float = 0

    def __str__(self) -> str:
        parts = [milliseconds(self.ms)] if self.ms else []
        parts += [size(self.bytes)] if self.bytes else []
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Insight:
    """A finding, and what it rests on.

    Attributes:
        name: The insight's name, as performance_analyze_insight takes it.
        finding: One line that says it all.
        noteworthy: Whether there is something to improve.
        details: One line for each thing found, the worst first.
        savings: What could be gained, where the trace shows it.
        resources: URLs of the requests and scripts concerned.
        nodes: Chrome's ids of the elements concerned (backend node ids).
    """

    name: str
    finding: str
    noteworthy: bool = False
    details: tuple[str, ...] = ()
    savings: Savings = Savings()
    resources: tuple[str, ...] = ()
    nodes: tuple[int, ...] = ()
