"""Units: how insights write numbers and name elements."""

from __future__ import annotations


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
    return f"{name} [node {node}]" if node else name


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a number of things."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"
