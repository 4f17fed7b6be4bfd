"""`python -m bench.document`: writes measured runs into docs/benchmark-results.md, with charts."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from bench.table import NOTHING, number

DOCS = Path(__file__).parents[1] / "docs"
WIDTH, LEFT, BAR, GAP = 760, 130, 13, 12
COLOURS = ("#1f6feb", "#bf5b04", "#3c7d3c")
HEAD = """# Benchmark results

Written by `python -m bench.document` from runs of one machine; [how they are made](benchmarks.md).
Ratios carry over to other machines, milliseconds do not.
"""

Report = Mapping[str, Any]


def page(reports: Mapping[str, Report]) -> str:
    """Return the document: for every run what it was made on, its chart and its table."""
    parts = [HEAD]
    for name, report in reports.items():
        parts += [f"## {name.capitalize()}\n", about(report), f"![{name}]({picture(name)})\n"]
        parts.append(table(report["rows"]))
    return "\n".join(parts)


def picture(name: str) -> str:
    """Return the path of a run's chart, as the document names it."""
    return f"pictures/bench-{name}.svg"


def about(report: Report) -> str:
    """Return when, with what and where a run was made."""
    machine = report["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    return (
        f"{report['time'][:10]}; {versions}; {machine['processor']}, {machine['cores']} cores, "
        f"{machine['busy_percent']:.0f} % busy before the run.\n"
    )


def table(rows: Sequence[Report]) -> str:
    """Return the medians of all rows, and how far tabmux is from the next best."""
    columns = _columns(rows)
    lines = [["row", "unit", *columns, "ratio", "target"], ["---"] * (len(columns) + 4)]
    for row in rows:
        ratio = NOTHING if row["ratio"] is None else f"{row['ratio']:.2f}"
        target = NOTHING if row["target"] is None else f"≤ {row['target']:g}"
        mark = "" if row["meets_target"] is not False else " (missed)"
        values = [_number(row["medians"].get(column)) for column in columns]
        lines.append([row["name"], row["unit"], *values, ratio, f"{target}{mark}"])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def chart(rows: Sequence[Report]) -> str:
    """Draw the times of all rows as bars, each beside the longest of its row."""
    timed = [row for row in rows if row["unit"] in ("ms", "s")]
    columns = _columns(timed)
    height = len(columns) * BAR + GAP
    parts = [_bars(row, columns, 30 + place * height) for place, row in enumerate(timed)]
    legend = " ".join(
        f'<tspan fill="{colour}">■ {escape(name)}</tspan>'
        for name, colour in zip(columns, COLOURS, strict=False)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {LEFT + WIDTH + 90} {40 + len(timed) * height}" '
        'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
        f'<text x="{LEFT}" y="18">{legend}</text>{"".join(parts)}</svg>\n'
    )


def _bars(row: Report, columns: Sequence[str], top: int) -> str:
    values = [row["medians"].get(column) for column in columns]
    longest = max((value for value in values if value), default=1)
    parts = [f'<text x="{LEFT - 8}" y="{top + 11}" text-anchor="end">{escape(row["name"])}</text>']
    for place, (value, colour) in enumerate(zip(values, COLOURS, strict=False)):
        if value is not None:
            y, width = top + place * BAR, max(1.0, WIDTH * value / longest)
            parts.append(
                f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR - 2}" fill="{colour}"/>'
                f'<text x="{LEFT + width + 4:.1f}" y="{y + 10}" font-size="10">'
                f"{number(value)} {row['unit']}</text>"
            )
    return "".join(parts)


def _columns(rows: Sequence[Report]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row["medians"]))


def _number(value: float | None) -> str:
    return NOTHING if value is None else number(value)


def document(arguments: Sequence[str]) -> int:
    """Write the document and its pictures, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.document", description=__doc__)
    parser.add_argument("runs", nargs="+", help="NAME=FILE.json, as written with --json")
    parser.add_argument("--docs", type=Path, default=DOCS, help="the folder to write to")
    given = parser.parse_args(arguments)
    named = (run.partition("=") for run in given.runs)
    reports = {name: json.loads(Path(file).read_text()) for name, _, file in named}
    for name, report in reports.items():
        place = given.docs / picture(name)
        place.parent.mkdir(exist_ok=True)
        place.write_text(chart(report["rows"]))
    (given.docs / "benchmark-results.md").write_text(page(reports))
    sys.stdout.write(f"wrote {given.docs / 'benchmark-results.md'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(document(sys.argv[1:]))
