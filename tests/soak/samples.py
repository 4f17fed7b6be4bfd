"""Samples: what servers hold at a moment, and how it grows over the run."""

from __future__ import annotations

import itertools
import math
import os
import re
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from tests.soak.servers import SoakedServer

Sample = dict[str, float]
AGENTS_FOLDER = "agents"
# Neighbouring samples hang together, so the noise is that of averages over some minutes.
BLOCKS = 12
# Student's t for 10 degrees of freedom, 99 %.
SURE = 3.17
# Below this an hour's growth is of no concern, however sure it is.
NEGLIGIBLE = {"rss_mb": 2.0, "fds": 1.0, "tasks": 1.0, "threads": 1.0, "temporary_files": 2.0}


async def sample(servers: Sequence[SoakedServer], temporary: Path, began: float) -> Sample:
    """Look at all servers once."""
    row: Sample = {"seconds": round(time.monotonic() - began, 1)}
    for server in servers:
        status = await server.status()
        first = dict(re.findall(r"(\w+)=(\d+)", status.partition("\n")[0]))
        row |= {
            f"{server.name} rss_mb": server.process.memory_info().rss / 1e6,
            f"{server.name} fds": server.process.num_fds(),
            f"{server.name} threads": server.process.num_threads(),
        }
        if first:
            row[f"{server.name} tasks"] = float(first["tasks"])
            row[f"{server.name} sessions"] = float(first["sessions"])
        resident = [_resident(process) for process in server.browsers()]
        row[f"{server.name} chrome_processes"] = len(resident)
        row[f"{server.name} chrome_rss_mb"] = sum(resident) / 1e6
    row["temporary_files"] = _files(temporary)
    return row


def growth(seconds: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Return the growth an hour, and how far off it may be (99 %)."""
    times, means = _blocks(seconds), _blocks(values)
    middle, level = statistics.fmean(times), statistics.fmean(means)
    spread = sum((at - middle) ** 2 for at in times)
    pairs = list(zip(times, means, strict=True))
    slope = sum((at - middle) * (value - level) for at, value in pairs) / spread
    rest = sum((value - level - slope * (at - middle)) ** 2 for at, value in pairs)
    error = math.sqrt(rest / (len(times) - 2) / spread)
    return slope * 3600, SURE * error * 3600


def verdict(rows: Sequence[Sample], warm_up: float) -> tuple[list[str], bool]:
    """Say of every number that tabmux itself is responsible for whether it grows."""
    kept = [row for row in rows if row["seconds"] >= warm_up]
    if len(kept) < 3 * BLOCKS:
        return ["Too few samples after the warm-up for a verdict."], False
    lines, fine = [], True
    for column in kept[0]:
        kind = column.rpartition(" ")[2]
        if kind not in NEGLIGIBLE or any(column not in row for row in kept):
            continue
        slope, error = _growth_of(column, kept)
        halves = [_growth_of(column, half) for half in _halves(kept)]
        # What leaks does so all the time; memory that was once needed at the same time is kept.
        steady = all(each > NEGLIGIBLE[kind] for each, _ in halves)
        grows = slope > error and slope > NEGLIGIBLE[kind] and steady
        fine = fine and not grows
        word = "GROWS" if grows else "zero within noise" if abs(slope) <= error else "no growth"
        last, sure = halves[-1]
        lines.append(
            f"{column}: {slope:+.2f} ± {error:.2f} an hour, "
            f"in the second half {last:+.2f} ± {sure:.2f}: {word}"
        )
    return lines, fine


def _growth_of(column: str, rows: Sequence[Sample]) -> tuple[float, float]:
    return growth([row["seconds"] for row in rows], [row[column] for row in rows])


def _halves(rows: Sequence[Sample]) -> tuple[Sequence[Sample], Sequence[Sample]]:
    middle = len(rows) // 2
    return rows[:middle], rows[middle:]


def _blocks(values: Sequence[float]) -> list[float]:
    """Average over blocks of equal length."""
    edges = [round(number * len(values) / BLOCKS) for number in range(BLOCKS + 1)]
    return [statistics.fmean(values[start:end]) for start, end in itertools.pairwise(edges)]


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _files(folder: Path) -> int:
    """Count files outside of profiles, which are Chrome's own matter, and those of agents."""
    count = 0
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if "profile" not in name and name != AGENTS_FOLDER]
        count += len(files) + len(folders)
    return count
