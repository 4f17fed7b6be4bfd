"""Heap snapshot files, as the tools that ask about them need them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from tabmux.analysis.heap.query_options import EVERY_SIZE, SizeRange, TableView
from tabmux.content import Reply
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.profiling import analysis_files

ANALYSE_SECONDS = 180.0
SUFFIX = ".heapsnapshot"

Index = Annotated[int, Field(ge=0)]


async def ask(
    worker: AnalysisProcess, path: Path, question: str, view: TableView, *args: Any
) -> Reply:
    """Put a question to a snapshot, in the worker."""
    return Reply(await worker.run(analysis_files.ask, path, question, view, *args))


def size_range(text: str | None) -> SizeRange:
    """Read a range of bytes; every size when there is none."""
    return EVERY_SIZE if text is None else SizeRange.parse(text)
