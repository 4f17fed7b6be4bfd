"""Measures rows: every server in turn, round after round, so that noise hits all alike."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bench.row import Result, Row
from bench.seats import Seat
from bench.trouble import BenchError


async def measure_all(rows: Sequence[Row], seats: Sequence[Seat], rounds: int) -> list[Result]:
    """Measure all rows, those on fresh processes first; the results are in the rows' order."""
    results: dict[str, Result] = {}
    for row in sorted(rows, key=lambda row: not row.fresh):
        sys.stderr.write(f"{row.name} … ")
        sys.stderr.flush()
        results[row.name] = result = await measure(row, seats, row.repetitions(rounds))
        sys.stderr.write(f"{'failed' if result.errors else 'done'}\n")
    return [results[row.name] for row in rows]


async def measure(row: Row, seats: Sequence[Seat], repetitions: int) -> Result:
    """Take the samples of one row. A server that fails is left out of the rest of it."""
    result = Result(row)
    able = [seat for seat in seats if row.measures(seat.server.name)]
    for repetition in range(repetitions):
        for seat in _rotated(able, repetition):
            if seat.server.name not in result.errors:
                await _take(result, seat)
    return result


async def _take(result: Result, seat: Seat) -> None:
    name = seat.server.name
    try:
        result.samples.setdefault(name, []).append(await result.row.sample(seat))
    except (BenchError, OSError) as error:
        result.errors[name] = str(error) or type(error).__name__


def _rotated(seats: list[Seat], by: int) -> list[Seat]:
    cut = by % len(seats) if seats else 0
    return seats[cut:] + seats[:cut]
