"""The results as JSON, with every sample and everything needed to judge them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.machine import Machine
from bench.row import Result


def write(
    file: Path, machine: Machine, versions: Mapping[str, str], results: Sequence[Result]
) -> None:
    """Write one run to a file."""
    report = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": asdict(machine),
        "versions": dict(versions),
        "rows": [_row(result) for result in results],
    }
    file.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n")


def _row(result: Result) -> dict[str, Any]:
    row = result.row
    return {
        "name": row.name,
        "unit": row.unit,
        "target": row.target,
        "against": row.against.value,
        "medians": {server: result.median(server) for server in result.samples},
        "ratio": result.ratio(),
        "meets_target": result.meets_target(),
        "errors": result.errors,
        "samples": result.samples,
    }
