"""HTML report: a trace as one page that needs nothing else to be read."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib import resources
from string import Template

from tabmux.analysis.insights.insight import Insight, milliseconds
from tabmux.analysis.insights.insight_list import analyse
from tabmux.analysis.trace.call_frames import short_url
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.analysis.trace.page_metrics import rating
from tabmux.analysis.trace.trace import Trace
from tabmux.analysis.trace_report.filmstrip import FilmstripFrame, filmstrip, marks
from tabmux.content import count
from tabmux.page_text import address

REQUESTS = 60
SETS = 20
# What is drawn beyond the load, so that late tasks and shifts are in the picture.
MARGIN = 1.1
MARKS_LEGEND = (
    "FCP: the first text or image is painted. LCP: the largest one is. "
    "load: the document and what it names have been loaded."
)
BARS = {"request": "request", "blocking": "request that blocks rendering", "task": "long task"}


def html(trace: Trace) -> str:
    """Draw metrics, filmstrip, timeline and insights of every set."""
    template = resources.files("tabmux.analysis.trace_report").joinpath("report.html")
    page = Template(template.read_text(encoding="utf-8"))
    url = address(next((part.url for part in trace.sets if part.url), ""))
    seconds = (trace.end - trace.start) / 1e6
    intro = f"{seconds:.1f} s recorded, {count(len(trace.sets), 'insight set')}"
    frames = filmstrip(trace)
    return page.substitute(
        title=escape(f"Trace of {url}" if url else "Trace"),
        intro=escape(f"{intro}, {trace.throttling}" if trace.throttling else intro),
        body="\n".join(_section(part, frames) for part in trace.sets[:SETS]),
    )


def _section(part: InsightSet, frames: Iterable[FilmstripFrame]) -> str:
    ours = [frame for frame in frames if frame.set_id == part.id]
    return "\n".join(
        (
            f"<h2>{escape(part.id)} {escape(address(part.url))}</h2>",
            f'<div class="tiles">{"".join(_tiles(part))}</div>',
            _titled("Filmstrip", _strip(ours), ours),
            _titled("Timeline", _timeline(part), part.requests or part.metrics.long_tasks),
            "<h3>Insights</h3>",
            *(_insight(found) for found in _ranked(part)),
        )
    )


def _titled(title: str, content: str, shown: object) -> str:
    return f"<h3>{title}</h3>\n{content}" if shown else ""


def _tiles(part: InsightSet) -> Iterable[str]:
    metrics = part.metrics
    values = {
        "TTFB": metrics.ttfb,
        "FCP": metrics.fcp,
        "LCP": metrics.lcp.ms if metrics.lcp else None,
        "CLS": metrics.cls,
        "INP": metrics.inp.ms if metrics.inp else None,
        "TBT": metrics.tbt,
    }
    for name, value in values.items():
        if value is not None:
            shown = f"{value:.3f}" if name == "CLS" else milliseconds(value)
            yield f'<div class="tile {rating(name, value)}">{name}<b>{shown}</b></div>'


def _strip(frames: Iterable[FilmstripFrame]) -> str:
    legend = (
        f"Time since the page set off; a mark is on the first picture that shows it. {MARKS_LEGEND}"
    )
    pictures = "".join(map(_picture, frames))
    return f'<p class="legend">{legend}</p>\n<div class="strip">{pictures}</div>'


def _picture(frame: FilmstripFrame) -> str:
    reached = "".join(f" <mark>{escape(name)}</mark>" for name in frame.marks)
    marked = ' class="marked"' if frame.marks else ""
    return (
        f'<figure{marked}><img alt="" src="data:image/jpeg;base64,{escape(frame.data)}">'
        f"{milliseconds(frame.ms)}{reached}</figure>"
    )


def _timeline(part: InsightSet) -> str:
    shown = part.requests[:REQUESTS]
    length = _length(part, shown)
    tasks = "".join(
        _bar("task", part.at(task.start), task.ms, length)
        for task in part.metrics.long_tasks
        if part.at(task.start) < length
    )
    rows = [f'<div class="lane">{tasks}<span>long tasks</span></div>'] if tasks else []
    rows += [_row(part, request, length) for request in shown]
    scale = f'<div class="scale">{_scale(part, length)}</div>'
    return f'{_bars_legend()}\n<div class="lanes">{"".join(rows)}{scale}</div>'


def _bars_legend() -> str:
    swatches = "".join(f'<span><i class="{kind}"></i> {what}</span>' for kind, what in BARS.items())
    return f'<p class="legend">{swatches}</p>'


def _length(part: InsightSet, shown: Iterable[TraceRequest]) -> float:
    """Choose how many milliseconds to draw: the load, and late tasks as far as they fit."""
    load = max([*marks(part).values(), *(part.at(request.ended) for request in shown)], default=0)
    last = max((part.at(task.end) for task in part.metrics.long_tasks), default=0)
    return MARGIN * (max(load, min(last, 3 * load)) if load else last) or 1


def _row(part: InsightSet, request: TraceRequest, length: float) -> str:
    kind = "blocking" if request.blocks else "request"
    label = f"{short_url(request.url)} {milliseconds(request.ms)}"
    bar = _bar(kind, part.at(request.started), request.ms, length)
    url = escape(address(request.url))
    return f'<div class="lane" title="{url}">{bar}<span>{escape(label)}</span></div>'


def _bar(kind: str, start: float, ms: float, length: float) -> str:
    left = 100 * start / length
    width = min(100 * ms / length, 100 - left)
    return f'<i class="{kind}" style="left:{left:.2f}%;width:{width:.2f}%"></i>'


def _scale(part: InsightSet, length: float) -> str:
    return "".join(_moment(name, ms, length) for name, ms in marks(part).items())


def _moment(name: str, ms: float, length: float) -> str:
    # In the right half the label stands to the left of its line, so that it stays in the picture.
    late = ' class="late"' if ms > length / 2 else ""
    at = f"left:{100 * ms / length:.2f}%"
    return f'<div{late} style="{at}"><mark>{name} {milliseconds(ms)}</mark></div>'


def _ranked(part: InsightSet) -> list[Insight]:
    return sorted(analyse(part), key=lambda found: not found.noteworthy)


def _insight(found: Insight) -> str:
    quiet = "" if found.noteworthy else ' class="quiet"'
    lines = [f"could save up to {found.savings}"] if str(found.savings) else []
    lines += found.details
    head = f"<summary{quiet}><b>{found.name}</b>{escape(found.finding)}</summary>"
    body = f"<pre>{escape(chr(10).join(lines))}</pre>" if lines else ""
    return f"<details>{head}{body}</details>"
