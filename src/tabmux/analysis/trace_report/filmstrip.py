"""Filmstrip: screenshots of a trace, with the metrics reached at each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from tabmux.analysis.trace.handlers.paints import TraceScreenshot
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.analysis.trace.trace import Trace

FRAMES_PER_SET = 12
# The clocks of the screen and of the page differ by up to two frames.
SLACK_MS = 33
PAINTS = frozenset(("FCP", "LCP"))


@dataclass(frozen=True, slots=True)
class FilmstripFrame:
    """A screenshot, with the metrics that were reached while it was on the screen.

    `ms` counts from the start of its set; `data` is a JPEG in base64.
    """

    set_id: str
    ms: float
    data: str
    marks: tuple[str, ...] = ()


def filmstrip(trace: Trace, limit: int = FRAMES_PER_SET) -> list[FilmstripFrame]:
    """Pick up to `limit` frames of each set: the first, the last, the marked, and some between."""
    return [frame for part in trace.sets for frame in _frames_of_set(trace, part, limit)]


def marks(part: InsightSet) -> dict[str, float]:
    """Name the moments worth marking, in milliseconds since the set began."""
    metrics = part.metrics
    found = {
        "FCP": metrics.fcp,
        "LCP": metrics.lcp.ms if metrics.lcp else None,
        "load": metrics.loaded,
    }
    return {name: ms for name, ms in found.items() if ms is not None}


def _frames_of_set(trace: Trace, part: InsightSet, limit: int) -> list[FilmstripFrame]:
    shots = [shot for shot in trace.screenshots if part.start <= shot.ts <= part.end]
    frames = _add_marks(part, [_frame(part, shot) for shot in shots])
    return _thin_out(frames, limit)


def _frame(part: InsightSet, shot: TraceScreenshot) -> FilmstripFrame:
    return FilmstripFrame(part.id, part.at(shot.ts), shot.data)


def _add_marks(part: InsightSet, frames: list[FilmstripFrame]) -> list[FilmstripFrame]:
    if not frames:
        return []
    marked = list(frames)
    for name, ms in marks(part).items():
        i = _painted(frames, ms) if name in PAINTS else _on_screen(frames, ms)
        marked[i] = replace(marked[i], marks=(*marked[i].marks, name))
    return marked


def _painted(frames: list[FilmstripFrame], ms: float) -> int:
    """Return the first frame that shows what was painted: the one of the paint, or the next."""
    nearest = min(range(len(frames)), key=lambda i: abs(frames[i].ms - ms))
    if abs(frames[nearest].ms - ms) <= SLACK_MS:
        return nearest
    later = (i for i, frame in enumerate(frames) if frame.ms >= ms)
    return next(later, len(frames) - 1)


def _on_screen(frames: list[FilmstripFrame], ms: float) -> int:
    """Return the frame that was on the screen at a moment."""
    shown = [i for i, frame in enumerate(frames) if frame.ms <= ms]
    return shown[-1] if shown else 0


def _thin_out(frames: list[FilmstripFrame], limit: int) -> list[FilmstripFrame]:
    """Keep the frames that matter, then those that fill the widest gaps."""
    if len(frames) <= limit:
        return frames
    kept = {0, len(frames) - 1} | {i for i, frame in enumerate(frames) if frame.marks}
    while len(kept) < limit:
        order = sorted(kept)
        gaps = [(frames[b].ms - frames[a].ms, a, b) for a, b in pairwise(order)]
        _, a, b = max(gap for gap in gaps if gap[2] - gap[1] > 1)
        kept.add((a + b) // 2)
    return [frames[i] for i in sorted(kept)]
