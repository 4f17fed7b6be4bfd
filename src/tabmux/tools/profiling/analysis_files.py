"""Analysis of files: traces and heap snapshots inside the analysis process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tabmux.analysis.heap.query_options import TableView
from tabmux.errors import Misuse

# The analysis is imported where it is used: the server names these functions to the process,
# and only that runs them. That of heap snapshots needs numpy, which is an optional extra.
if TYPE_CHECKING:
    from tabmux.analysis.heap.heap_report import HeapReport
    from tabmux.analysis.trace.trace import Trace
    from tabmux.analysis.trace_report.filmstrip import FilmstripFrame

T = TypeVar("T")

TRACES = 6
# A comparison needs two; each takes about five times the size of its file.
HEAPS = 2


class FileCache(Generic[T]):
    """The files of one kind that were used last.

    Args:
        read: Reads a file.
        room: How many are kept.
    """

    def __init__(self, read: Callable[[Path], T], room: int) -> None:
        self._read, self._room = read, room
        self._kept: dict[Path, tuple[tuple[int, int], T]] = {}

    def get(self, path: Path) -> T:
        """Return what is in a file; it is read anew only when it has changed."""
        kept = self._kept.pop(path, None)
        stamp = _stamp(path)
        if kept is None or stamp not in (kept[0], None):
            kept = None  # what is out of date makes room before the new is read
            while len(self._kept) >= self._room:
                del self._kept[next(iter(self._kept))]
            kept = (stamp or (0, 0), self._read(path))
        self._kept[path] = kept
        return kept[1]

    def drop(self, path: Path) -> bool:
        """Forget a file; tells whether it was there."""
        return self._kept.pop(path, None) is not None


def summary(path: Path) -> str:
    """Sum a trace up."""
    from tabmux.analysis.trace_report import text_report

    return text_report.summary(_traces.get(path))


def is_mute(path: Path) -> bool:
    """Tell whether a trace lacks everything that the page's own thread did."""
    return _traces.get(path).main_thread_missing


def insight(path: Path, set_id: str, name: str) -> str:
    """Explain one insight of a trace."""
    from tabmux.analysis.trace_report import text_report

    return text_report.insight(_traces.get(path), set_id, name)


def filmstrip(path: Path, limit: int) -> list[FilmstripFrame]:
    """Pick screenshots of a trace."""
    from tabmux.analysis.trace_report import filmstrip

    return filmstrip.filmstrip(_traces.get(path), limit)


def html(path: Path) -> str:
    """Draw a trace as a page."""
    from tabmux.analysis.trace_report import html_report

    return html_report.html(_traces.get(path))


def ask(path: Path, question: str, view: TableView, *args: Any) -> str:
    """Put a question of the heap report to a snapshot."""
    return str(getattr(_heaps.get(path), question)(*args, view=view))


def compare(base: Path, current: Path, class_index: int | None, view: TableView) -> str:
    """Say what changed between two snapshots."""
    before = _heaps.get(base)
    return _heaps.get(current).comparison(before, class_index, view)


def close(path: Path) -> None:
    """Free the memory of a snapshot."""
    if not _heaps.drop(path):
        raise Misuse(f"The heap snapshot {path} is not loaded.", hint="Nothing is to be done.")


def _read_trace(path: Path) -> Trace:
    from tabmux.analysis.trace.trace import read_trace

    return read_trace(path)


def _read_heap(path: Path) -> HeapReport:
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
    return HeapReport.of(path)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_mtime_ns, found.st_size


# This module lives in the analysis process; the server only knows the names of its functions.
_traces = FileCache(_read_trace, TRACES)
_heaps = FileCache(_read_heap, HEAPS)
