"""Heap snapshot files, as the tools that ask about them need them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from tabmux.analysis.heap.sizes import EVERY_SIZE, SizeRange
from tabmux.analysis.heap.view import View
from tabmux.content import Reply
from tabmux.tools import archive
from tabmux.tools.worker import Worker

ANALYSE_SECONDS = 180.0
SUFFIX = ".heapsnapshot"

Index = Annotated[int, Field(ge=0)]


async def ask(worker: Worker, path: Path, question: str, view: View, *args: Any) -> Reply:
    """Put a question to a snapshot, in the worker."""
    return Reply(await worker.run(archive.ask, path, question, view, *args))


def size_range(text: str | None) -> SizeRange:
    """Read a range of bytes; every size when there is none."""
    return EVERY_SIZE if text is None else SizeRange.parse(text)
