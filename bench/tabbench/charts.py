"""Charts: bars as SVG, a server a colour, a number of agents a group."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from bench.tabbench.summary import COLUMNS, MORE_IS_BETTER, summarise

COLOURS = ("#0f766e", "#b45309", "#1d4ed8", "#7e22ce", "#be123c", "#4d7c0f")
WIDTH, BAR, GAP, LEFT, TOP = 720, 16, 14, 190, 44
SHOWN = ("success", "p50", "p95", "calls", "received", "memory")
_STYLE = "text{font:12px system-ui,sans-serif;fill:#1f2933}.h{font-size:14px;font-weight:600}"


def write_charts(runs: Sequence[Mapping[str, Any]], folder: Path) -> list[Path]:
    """Write a chart for each of the chief columns; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        (str(run["server"]), int(run["agents"]), row)
        for run, row in zip(runs, summarise(runs), strict=True)
    ]
    files = []
    for column in SHOWN:
        file = folder / f"tabbench-{column}.svg"
        bars = [(server, agents, row[column]) for server, agents, row in rows]
        file.write_text(chart(column, bars), encoding="utf-8")
        files.append(file)
    return files


def chart(column: str, bars: Sequence[tuple[str, int, float]]) -> str:
    """Draw one chart.

    Args:
        column: What is shown.
        bars: Server, agents and value.
    """
    servers = list(dict.fromkeys(server for server, _, _ in bars))
    known = [value for _, _, value in bars if not math.isnan(value)]
    most = max(known, default=1.0) or 1.0
    parts, y = [], TOP
    for agents in sorted({agents for _, agents, _ in bars}):
        parts.append(
            f'<text x="10" y="{y + 12}" class="h">{agents} agent{"s" * (agents > 1)}</text>'
        )
        for server, _, value in (bar for bar in bars if bar[1] == agents):
            parts.append(
                _bar(server, value, most, y, COLOURS[servers.index(server) % len(COLOURS)])
            )
            y += BAR + 4
        y += GAP
    better = "more" if column in MORE_IS_BETTER else "less"
    title = escape(f"{COLUMNS[column]} ({better} is better)")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 6}" width="{WIDTH}" '
        f'height="{y + 6}" role="img" aria-label="{title}"><style>{_STYLE}</style>'
        f'<rect width="{WIDTH}" height="{y + 6}" rx="8" fill="#f5f7fa"/>'
        f'<text x="10" y="24" class="h">{title}</text>{"".join(parts)}</svg>\n'
    )


def _bar(server: str, value: float, most: float, y: int, colour: str) -> str:
    length = 0 if math.isnan(value) else round((WIDTH - LEFT - 90) * value / most)
    said = "none" if math.isnan(value) else f"{value:,.2f}" if value < 100 else f"{value:,.0f}"
    return (
        f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(server)}</text>'
        f'<rect x="{LEFT}" y="{y}" width="{max(length, 1)}" height="{BAR}" fill="{colour}"/>'
        f'<text x="{LEFT + length + 6}" y="{y + 12}">{said}</text>'
    )
