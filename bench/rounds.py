"""Measures rows: every server in turn, round after round, so that noise hits all alike."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bench.row import Result, Row
from bench.running_server import RunningServer
from bench.trouble import BenchError


async def measure_all(
    rows: Sequence[Row], servers: Sequence[RunningServer], rounds: int
) -> list[Result]:
    """Measure all rows, those on fresh processes first; the results are in the rows' order."""
    results: dict[str, Result] = {}
    for row in sorted(rows, key=lambda row: not row.fresh):
        sys.stderr.write(f"{row.name} … ")
        sys.stderr.flush()
        results[row.name] = result = await measure(row, servers, row.repetitions(rounds))
        sys.stderr.write(f"{'failed' if result.errors else 'done'}\n")
    return [results[row.name] for row in rows]


async def measure(row: Row, servers: Sequence[RunningServer], repetitions: int) -> Result:
    """Take the samples of one row. A server that fails is left out of the rest of it."""
    result = Result(row)
    able = [server for server in servers if row.measures(server.server.name)]
    for repetition in range(repetitions):
        for server in _rotated(able, repetition):
            if server.server.name not in result.errors:
                await _take(result, server)
    return result


async def _take(result: Result, server: RunningServer) -> None:
    name = server.server.name
    try:
        result.samples.setdefault(name, []).append(await result.row.sample(server))
    except (BenchError, OSError) as error:
        result.errors[name] = str(error) or type(error).__name__


def _rotated(servers: list[RunningServer], by: int) -> list[RunningServer]:
    cut = by % len(servers) if servers else 0
    return servers[cut:] + servers[:cut]
