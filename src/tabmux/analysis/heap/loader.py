"""Loader: reads a heap snapshot, or says that numpy is missing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tabmux.errors import Misuse

if TYPE_CHECKING:
    from tabmux.analysis.heap.heap_report import HeapReport


def load(path: str | Path) -> HeapReport:
    """Read a heap snapshot file, ready to answer questions about it.

    numpy is an optional extra, so nothing that needs it is imported before a snapshot is.
    """
    try:
        from tabmux.analysis.heap.heap_report import HeapReport
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise Misuse(
            "Heap snapshots cannot be analysed: numpy is not installed.",
            hint="Run `pip install tabmux[memory]` where tabmux runs, then restart it.",
            code="missing_extra",
        ) from missing
    return HeapReport.of(Path(path))
