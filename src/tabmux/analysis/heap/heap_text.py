"""Heap text: objects, references and other findings as rows and lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tabmux.analysis.heap.comparison import ClassDiff
from tabmux.analysis.heap.dead_fields import DeadFieldContext
from tabmux.analysis.heap.duplicate_strings import DuplicateString
from tabmux.analysis.heap.graph.reachability import SYSTEM_DISTANCE, UNREACHED
from tabmux.analysis.heap.heap_objects import EdgeRow, ObjectDetails, ObjectRow
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.heap_summary import HeapSummary
from tabmux.analysis.heap.query_options import TableView
from tabmux.analysis.heap.retaining_paths import RetainingPaths

OBJECT_HEADER = "nodeId,nodeName,type,distance,selfSize,retainedSize"
EDGE_HEADER = "name,type,nodeId,nodeName,selfSize,retainedSize"
CHAIN_HEADER = "nodeId,nodeName,selfSize,retainedSize"
CLASS_HEADER = "id,className,count,selfSize,retainedSize"
CONTEXT_HEADER = "nodeId,nodeName,selfSize,retainedSize,attributedSize"
STRING_HEADER = "value,count,selfSize,retainedSize,truncated,nodeIds"
DIFF_HEADER = "index,className,addedCount,removedCount,countDelta,addedSize,removedSize,sizeDelta"

# Enough ids to look closer at; all of them would drown the answer.
_SHOWN_IDS = 5


def csv_row(*fields: object) -> str:
    """Join fields by commas, quoting those that contain one."""
    return ",".join(_field(str(field)) for field in fields)


def object_row(shown: ObjectRow, view: TableView) -> str:
    """Write an object on one line."""
    distance = _distance(shown.distance)
    sizes = shown.self_size, shown.retained_size
    return csv_row(shown.id, view.name(shown.name), shown.kind, distance, *sizes)


def edge_row(edge: EdgeRow, view: TableView) -> str:
    """Write a reference on one line."""
    far = edge.object
    name, far_name = view.name(edge.name), view.name(far.name)
    return csv_row(name, edge.kind, far.id, far_name, far.self_size, far.retained_size)


def chain_row(shown: ObjectRow, view: TableView) -> str:
    """Write a dominator on one line."""
    return csv_row(shown.id, view.name(shown.name), shown.self_size, shown.retained_size)


def detail_lines(details: ObjectDetails, view: TableView) -> Iterator[str]:
    """Write one object on several lines."""
    shown = details.object
    yield f"@{shown.id} {view.name(shown.name)}"
    yield f"class: {view.name(details.class_name)}"
    yield f"type: {shown.kind}"
    yield f"detachedness: {details.detachedness}"
    yield f"selfSize: {shown.self_size}"
    yield f"retainedSize: {shown.retained_size}"
    yield f"distance: {_distance(shown.distance)}"
    yield f"edges: {details.edge_count}"
    yield f"retainers: {details.retainer_count}"


def summary_lines(summary: HeapSummary, view: TableView) -> Iterator[str]:
    """Write the summary, in bytes."""
    uses, scopes = summary.statistics, summary.scopes
    yield f"{summary.node_count} objects, {summary.edge_count} references; all sizes in bytes"
    yield f"total: {uses.total}"
    yield (
        f"V8 heap: {uses.v8} (code {uses.code}, strings {uses.strings}, "
        f"arrays {uses.arrays}, system {uses.system})"
    )
    yield f"native: {uses.native} (typed arrays {uses.typed_arrays})"
    yield f"largest object id: {summary.largest_id}"
    yield f"native contexts: {len(summary.contexts)}"
    yield CONTEXT_HEADER
    for each in view.pick(summary.contexts):
        sizes = each.self_size, each.retained_size, each.attributed_size
        yield csv_row(each.id, view.name(each.name), *sizes)
    yield f"shared by several contexts: {summary.shared_size}"
    yield f"used by none: {summary.unattributed_size}"
    yield (
        f"only in memory because {scopes.context_count} closure scopes are: "
        f"{scopes.size} in {scopes.object_count} objects, of {scopes.other_size + scopes.size}"
    )


def path_lines(heap: HeapSnapshot, paths: RetainingPaths, view: TableView) -> Iterator[str]:
    """Write the ways to the roots, each holder below what it holds."""
    graph = heap.graph
    for step in paths.steps:
        name, edge = view.name(heap.names.node(step.node)), view.name(heap.names.edge(step.edge))
        kind = graph.edges.kinds[graph.edges.kind[step.edge]]
        held = f"@{graph.nodes.id[step.node]} {name} by {kind} {edge}, distance {step.distance}"
        yield "  " * step.depth + held
    if not paths.steps:
        yield "No way from the roots was found."
    if paths.limits_reached:
        yield f"There is more: cut off at the limit of {', '.join(sorted(paths.limits_reached))}."


def string_row(heap: HeapSnapshot, duplicate: DuplicateString, view: TableView) -> str:
    """Write a repeated string on one line."""
    ids = [f"@{i}" for i in heap.graph.nodes.id[duplicate.nodes[:_SHOWN_IDS]]]
    if (more := len(duplicate.nodes) - _SHOWN_IDS) > 0:
        ids.append(f"+{more}")
    sizes = duplicate.self_size, duplicate.retained_size
    text, cut = view.name(duplicate.value), "yes" if duplicate.truncated else "no"
    return csv_row(text, len(duplicate.nodes), *sizes, cut, " ".join(ids))


def dead_field_lines(context: DeadFieldContext, view: TableView) -> Iterator[str]:
    """Write a context and its dead fields."""
    info = context.info
    place = f"{view.name(info.script_name)}:{info.start}-{info.end}"
    function = f"{view.name(info.name)} in " if info.name else ""
    yield (
        f"@{context.id} context of {function}{place}, scope @{info.id}: "
        f"{len(context.dead)} of {context.field_count} fields dead, {context.score} bytes"
    )
    for dead in context.dead:
        value = f"@{dead.value.id} {view.name(dead.value.name)}"
        yield f"  {view.name(dead.name)}: {value}, {dead.value.retained_size} bytes"


def diff_row(index: int, diff: ClassDiff, view: TableView) -> str:
    """Write a changed class on one line."""
    counts = diff.added_count, diff.removed_count, f"{diff.count_delta:+}"
    sizes = diff.added_size, diff.removed_size, f"{diff.size_delta:+}"
    return csv_row(index, view.name(diff.name), *counts, *sizes)


def diff_totals(diffs: Iterable[ClassDiff]) -> str:
    """Sum up changes in a line."""
    listed = list(diffs)
    added, removed = sum(c.added_count for c in listed), sum(c.removed_count for c in listed)
    grown, shrunk = sum(c.added_size for c in listed), sum(c.removed_size for c in listed)
    return (
        f"{added} objects new ({grown} bytes), {removed} gone ({shrunk} bytes): "
        f"{added - removed:+} objects, {grown - shrunk:+} bytes"
    )


def _field(text: str) -> str:
    if "," not in text and '"' not in text:
        return text
    return '"' + text.replace('"', '""') + '"'


def _distance(distance: int) -> str:
    if distance == UNREACHED:
        return "none"
    return f"system {distance - SYSTEM_DISTANCE}" if distance >= SYSTEM_DISTANCE else str(distance)
