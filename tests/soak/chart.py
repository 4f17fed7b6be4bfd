"""Chart: the samples of a soak as an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tests.soak.samples import Sample

WIDTH, HEIGHT, LEFT, TOP = 900, 130, 70, 26
COLOURS = {"daemon": "#1f6feb", "http": "#bf5b04", "": "#3c7d3c"}
KINDS = {
    "rss_mb": "Memory of the server (MB)",
    "tasks": "Tasks",
    "fds": "Descriptors",
    "temporary_files": "Temporary files",
    "chrome_processes": "Chrome processes",
    "chrome_rss_mb": "Memory of Chrome (MB)",
}


def chart(rows: Sequence[Sample], title: str, faults: Sequence[float] = ()) -> str:
    """Draw one panel for every kind of number; faults are marked below."""
    panels = [_panel(kind, rows, faults, place) for place, kind in enumerate(KINDS)]
    height = TOP + len(KINDS) * (HEIGHT + 34) + 30
    legend = " ".join(
        f'<tspan fill="{colour}">■ {name or "both"}</tspan>' for name, colour in COLOURS.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + LEFT + 20} {height}" '
        'font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="white"/>'
        f'<text x="{LEFT}" y="16" font-weight="bold">{escape(title)}</text>'
        f'<text x="{LEFT}" y="{height - 12}">{legend} '
        '<tspan fill="#c33">| browser killed</tspan></text>'
        f"{''.join(panels)}</svg>\n"
    )


def _panel(kind: str, rows: Sequence[Sample], faults: Sequence[float], place: int) -> str:
    columns = [column for column in rows[0] if column.rpartition(" ")[2] == kind]
    highest = max((row.get(column, 0) for row in rows for column in columns), default=0) or 1
    last = rows[-1]["seconds"] or 1
    top = TOP + place * (HEIGHT + 34) + 14
    parts = [
        f'<text x="{LEFT}" y="{top - 3}">{escape(KINDS[kind])}</text>',
        f'<rect x="{LEFT}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#ccc"/>',
        f'<text x="{LEFT - 6}" y="{top + 10}" text-anchor="end">{highest:.0f}</text>',
        f'<text x="{LEFT - 6}" y="{top + HEIGHT}" text-anchor="end">0</text>',
        f'<text x="{LEFT + WIDTH}" y="{top + HEIGHT + 13}" text-anchor="end">'
        f"{last / 60:.0f} min</text>",
    ]
    for at in faults:
        x = LEFT + WIDTH * at / last
        parts.append(
            f'<path d="M{x:.1f} {top + HEIGHT}v-5" stroke="#c33" stroke-width="1" fill="none"/>'
        )
    for column in columns:
        points = " ".join(
            f"{LEFT + WIDTH * row['seconds'] / last:.1f},"
            f"{top + HEIGHT - HEIGHT * row[column] / highest:.1f}"
            for row in rows
            if column in row
        )
        colour = COLOURS[column.rpartition(" ")[0]]
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.2"/>'
        )
    return "".join(parts)
