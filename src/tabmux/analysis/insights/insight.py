"""Insight: what one finds in an insight set, and how it writes numbers and elements."""

from __future__ import annotations

from dataclasses import dataclass

# Chrome names an element with all its classes.
NAME_SHOWN = 120


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


def milliseconds(ms: float) -> str:
    """Write a duration: whole milliseconds, tenths below ten."""
    return f"{ms:.1f} ms" if 0 < ms < 9.95 else f"{ms:.0f} ms"


def size(count: float) -> str:
    """Write a number of bytes in decimal units, as browsers do."""
    for unit, scale in (("MB", 1e6), ("kB", 1e3)):
        if count >= scale * 0.9995:
            return f"{count / scale:.1f}".removesuffix(".0") + f" {unit}"
    return f"{count:.0f} B"


def duration(seconds: float) -> str:
    """Write a lifetime in the largest unit that fits it."""
    for unit, scale in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= scale:
            return f"{seconds / scale:.1f}".removesuffix(".0") + f" {unit}"
    return f"{seconds:.0f} s"


def element(name: str, node: int) -> str:
    """Name an element, with the id by which its uid can be found."""
    shown = name if len(name) <= NAME_SHOWN else f"{name[:NAME_SHOWN]}…"
    return f"{shown} [node {node}]" if node else shown
