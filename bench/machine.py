"""Facts about the machine, without which numbers mean little."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path

import psutil

BUSY_LOAD = 0.75
BUSY_PERCENT = 25.0


@dataclass(frozen=True)
class Machine:
    """The machine before the run."""

    system: str
    processor: str
    cores: int
    memory_gb: float
    load: tuple[float, float, float]
    busy_percent: float
    python: str
    commit: str

    @property
    def warning(self) -> str:
        """Why the numbers should not be trusted, or nothing."""
        if self.load[0] <= BUSY_LOAD * self.cores and self.busy_percent <= BUSY_PERCENT:
            return ""
        return (
            f"warning: the machine is busy (load {self.load[0]:.2f}, "
            f"{self.busy_percent:.0f} % of {self.cores} cores); read ratios, not milliseconds"
        )


def look() -> Machine:
    """Take the facts; looks at the processors for a second."""
    return Machine(
        system=platform.platform(),
        processor=_processor(),
        cores=os.cpu_count() or 1,
        memory_gb=round(psutil.virtual_memory().total / 1e9, 1),
        load=os.getloadavg(),
        busy_percent=psutil.cpu_percent(interval=1.0),
        python=platform.python_version(),
        commit=_output("git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"),
    )


def chromium_version(path: str) -> str:
    """What a Chromium says it is."""
    return _output(path, "--version")


def node_version() -> str:
    """What runs the peers."""
    return _output("node", "--version")


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if not information.exists():
        return platform.processor()
    for line in information.read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _output(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
