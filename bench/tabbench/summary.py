"""Summary: one row for each server and number of agents, from the raw results."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

COLUMNS: Mapping[str, str] = {
    "success": "tasks done, judged by the page, %",
    "p50": "seconds of a task that all servers do, median",
    "p95": "seconds of a task, 95th percentile",
    "call_p50": "milliseconds of a call, median",
    "call_p95": "milliseconds of a call, 95th percentile",
    "calls": "calls of such a task, mean",
    "sent": "characters sent for it, mean",
    "received": "characters received for it, mean",
    "memory": "resident memory of all servers without Chromium, MB",
    "strangers": "replies about another agent's page",
    "neighbours": "replies that also name another agent's page",
}
# For success more is better, for all others less.
MORE_IS_BETTER = ("success",)


def summarise(runs: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
    """Return the row of each run.

    Time, calls and characters count where a task was done, and of tasks that every server has done
    with as many agents: who gives up early is not quick, nor slow who also does what takes long.
    """
    return [_row(run, _done_by_all(runs, run["agents"])) for run in runs]


def _done_by_all(runs: Sequence[Mapping[str, Any]], agents: int) -> set[str]:
    done = [
        {each["task"] for each in run["results"] if each["done"]}
        for run in runs
        if run["agents"] == agents
    ]
    return set.intersection(*done)


def _row(run: Mapping[str, Any], tasks: Collection[str]) -> dict[str, float]:
    results: Sequence[Mapping[str, Any]] = run["results"]
    successes = sum(bool(each["done"]) for each in results)
    done = [each for each in results if each["done"] and each["task"] in tasks]
    seconds = [each["seconds"] for each in done]
    calls = [one * 1000 for each in done for one in each["call_seconds"]]
    return {
        "success": 100 * successes / len(results) if results else 0.0,
        "p50": percentile(seconds, 50),
        "p95": percentile(seconds, 95),
        "call_p50": percentile(calls, 50),
        "call_p95": percentile(calls, 95),
        "calls": _mean([each["calls"] for each in done]),
        "sent": _mean([each["sent"] for each in done]),
        "received": _mean([each["received"] for each in done]),
        "memory": run["memory"] / 1e6,
        "strangers": sum(each["strangers"] for each in results),
        "neighbours": sum(each["neighbours"] for each in results),
    }


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of all values lies; not a number without any."""
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share / 100 * len(ordered)) - 1)]


def table(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the lines of a Markdown table."""
    names = list(COLUMNS)
    lines = [f"| server | agents | {' | '.join(names)} |", "| --- " * (len(names) + 2) + "|"]
    for run, row in zip(runs, summarise(runs), strict=True):
        cells = [_number(row[name]) for name in names]
        lines.append(
            f"| {run['server']} {run['version']} | {run['agents']} | {' | '.join(cells)} |"
        )
    return lines


def failures(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each task that a server did not always do."""
    lines = []
    for run in runs:
        tasks: dict[str, list[Mapping[str, Any]]] = {}
        for each in run["results"]:
            tasks.setdefault(each["task"], []).append(each)
        for name, all_of in sorted(tasks.items()):
            missed = [each for each in all_of if not each["done"]]
            if missed:
                share = f"{len(all_of) - len(missed)} of {len(all_of)}"
                who = f"{run['server']}, {run['agents']} agents"
                lines.append(f"{who}, {name}: {share}; {missed[0]['trouble']}")
    return lines


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def _number(value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"
