"""Text report: the metrics of a trace, and the insights that found something."""

from __future__ import annotations

from collections.abc import Iterator

from tabmux.analysis.insights.insight import Insight, element, milliseconds, size
from tabmux.analysis.insights.insight_list import analyse, explain
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.analysis.trace.page_metrics import PageMetrics, rating
from tabmux.analysis.trace.trace import Trace
from tabmux.content import count
from tabmux.page_text import address

SETS = 10


def summary(trace: Trace) -> str:
    """Sum a trace up in a few lines for each insight set."""
    blocks = ["\n".join(_set_lines(part)) for part in trace.sets[:SETS]]
    if trace.throttling:
        blocks.insert(0, f"recorded with {trace.throttling}")
    if len(trace.sets) > SETS:
        last = trace.sets[-1].id
        blocks.append(f"… {count(len(trace.sets) - SETS, 'more set')}, up to {last}")
    return "\n\n".join(blocks)


def insight(trace: Trace, set_id: str, name: str) -> str:
    """Explain one insight of one set, whether or not it found something."""
    found = explain(trace.set(set_id), name)
    lines = [f"{found.name} in {set_id}: {found.finding}"]
    lines += [f"could save up to {found.savings}"] if str(found.savings) else []
    lines += found.details
    told = "\n".join(lines)
    named = map(address, found.resources)
    unnamed = [url for url in dict.fromkeys(named) if url not in told]
    lines += ["resources:", *unnamed] if unnamed else []
    return "\n".join(lines)


def metric_lines(part: InsightSet) -> Iterator[str]:
    """Write a set's metrics, one a line, those that were measured."""
    metrics = part.metrics
    if metrics.fcp is not None:
        yield f"FCP {milliseconds(metrics.fcp)}{_rating_note('FCP', metrics.fcp)}"
    yield from _lcp(metrics)
    yield from _cls(part, metrics)
    yield from _inp(metrics)
    if metrics.long_tasks:
        tasks = count(len(metrics.long_tasks), "long task")
        yield f"TBT {milliseconds(metrics.tbt)}{_rating_note('TBT', metrics.tbt)}, {tasks}"
    if metrics.loaded is not None:
        yield f"load {milliseconds(metrics.loaded)}{_traffic(part)}"


def _set_lines(part: InsightSet) -> Iterator[str]:
    yield f"{part.id} {address(part.url)}".rstrip()
    yield from metric_lines(part)
    noteworthy = [found for found in analyse(part) if found.noteworthy]
    if noteworthy:
        yield "insights:"
    for found in noteworthy:
        yield _insight_line(found)


def _insight_line(found: Insight) -> str:
    return f"- {found.name}: {found.finding}"


def _rating_note(metric: str, value: float) -> str:
    verdict = rating(metric, value)
    return "" if verdict == "good" else f" ({verdict})"


def _lcp(metrics: PageMetrics) -> Iterator[str]:
    lcp = metrics.lcp
    if lcp is None:
        return
    parts = " + ".join(f"{section.name} {section.ms:.0f}" for section in lcp.parts)
    what = element(lcp.node_name, lcp.node)
    yield f"LCP {milliseconds(lcp.ms)}{_rating_note('LCP', lcp.ms)}" + (
        f" = {parts}; {what}" if parts else f"; {what}"
    )


def _cls(part: InsightSet, metrics: PageMetrics) -> Iterator[str]:
    worst = metrics.worst_cluster
    if worst is None:
        if metrics.fcp is not None:
            yield "CLS 0"
        return
    at = milliseconds(part.at(worst.shifts[0].ts))
    shifts = count(len(worst.shifts), "shift")
    others = len(metrics.clusters) - 1
    more = f", {count(others, 'smaller cluster')}" if others else ""
    yield f"CLS {metrics.cls:.3f}{_rating_note('CLS', metrics.cls)}, {shifts} at {at}{more}"


def _inp(metrics: PageMetrics) -> Iterator[str]:
    inp = metrics.inp
    if inp is None:
        return
    parts = (
        f"input delay {inp.input_delay:.0f} + processing {inp.processing:.0f} "
        f"+ presentation delay {inp.presentation:.0f}"
    )
    on = f" on [node {inp.node}]" if inp.node else ""
    yield f"INP {milliseconds(inp.ms)}{_rating_note('INP', inp.ms)} = {parts}; {inp.type}{on}"


def _traffic(part: InsightSet) -> str:
    sent = sum(request.encoded for request in part.requests)
    return f", {count(len(part.requests), 'request')}, {size(sent)}" if part.requests else ""
