"""The results as a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from bench.row import Against, Result

NOTHING = "–"


def render(results: Sequence[Result], servers: Sequence[str]) -> str:
    """A table with one line a row, then what went wrong."""
    lines = [["row", "unit", *servers, "ratio", "target", ""]]
    lines += [_line(result, servers) for result in results]
    return "\n".join(grid(lines) + _errors(results)) + "\n"


def grid(lines: Sequence[Sequence[str]]) -> list[str]:
    """Lines of cells, the first of them the heading, in columns."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = [_aligned(line, widths) for line in lines]
    text.insert(1, "  ".join("─" * width for width in widths).rstrip())
    return text


def number(value: float) -> str:
    """A number with as many digits as can be meant."""
    if value != int(value) and abs(value) < 100:
        return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"
    return f"{value:,.0f}"


def _line(result: Result, servers: Sequence[str]) -> list[str]:
    numbers = [_cell(result, server) for server in servers]
    ratio = result.ratio()
    shown = NOTHING if ratio is None else f"{ratio:.2f}"
    return [result.row.name, result.row.unit, *numbers, shown, _target(result), _verdict(result)]


def _cell(result: Result, server: str) -> str:
    if server in result.errors:
        return "failed"
    value = result.median(server)
    return NOTHING if value is None else number(value)


def _target(result: Result) -> str:
    row = result.row
    if row.target is None:
        return NOTHING
    if row.against is Against.LIMIT:
        return f"≤ {row.target:g} {row.unit}"
    return f"≤ {row.target:.2f}" + (" of cdm" if row.against is Against.CDM else "")


def _verdict(result: Result) -> str:
    met = result.meets_target()
    return "" if met is None else "ok" if met else "miss"


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell.ljust(width) if position < 2 or position == len(line) - 2 else cell.rjust(width)
        for position, (cell, width) in enumerate(zip(line, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


def _errors(results: Sequence[Result]) -> list[str]:
    lines = [
        f"{result.row.name}, {server}: {error}"
        for result in results
        for server, error in result.errors.items()
    ]
    return ["", "Could not be measured:", *lines] if lines else []
