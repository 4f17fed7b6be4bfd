"""The results as JSON, and everything needed to judge them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.machine import Machine
from bench.row import Result


def heading(machine: Machine, versions: Mapping[str, str]) -> str:
    """What was measured, and on what."""
    load = ", ".join(f"{value:.2f}" for value in machine.load)
    lines = [
        ", ".join(f"{name} {version}" for name, version in versions.items()),
        f"{machine.processor}, {machine.cores} cores, load {load}, "
        f"{machine.busy_percent:.0f} % busy",
        machine.warning,
    ]
    return "\n".join(filter(None, lines))


def write(
    file: Path,
    machine: Machine,
    versions: Mapping[str, str],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """Write one run to a file."""
    report = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": asdict(machine),
        "versions": dict(versions),
        "rows": list(rows),
    }
    file.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n")


def row(result: Result) -> dict[str, Any]:
    """One row as JSON."""
    about = result.row
    return {
        "name": about.name,
        "unit": about.unit,
        "target": about.target,
        "against": about.against.value,
        "medians": {server: result.median(server) for server in result.samples},
        "ratio": result.ratio(),
        "meets_target": result.meets_target(),
        "errors": result.errors,
        "samples": result.samples,
    }
