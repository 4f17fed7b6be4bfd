"""Heap report: every question about a heap snapshot, answered as rows and lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tabmux.analysis.heap.comparison import ClassDiff, HeapComparison, compare
from tabmux.analysis.heap.dead_fields import (
    DeadFieldContext,
    DeadFieldContexts,
    dead_field_contexts,
)
from tabmux.analysis.heap.duplicate_strings import DuplicateString, duplicate_strings
from tabmux.analysis.heap.filters import filter_mask
from tabmux.analysis.heap.graph.graph import Ints, Longs
from tabmux.analysis.heap.graph.reachability import SYSTEM_DISTANCE, UNREACHED
from tabmux.analysis.heap.heap_objects import (
    EdgeRow,
    ObjectDetails,
    ObjectRow,
    details,
    dominator_chain,
    find_objects,
    references,
    retainers,
)
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.heap_summary import HeapSummary, aggregate_classes, class_nodes, summary
from tabmux.analysis.heap.query_options import (
    DEFAULT_LIMITS,
    DEFAULT_VIEW,
    EVERY_SIZE,
    EdgeOrder,
    ObjectQuery,
    PathLimits,
    SizeRange,
    TableView,
)
from tabmux.analysis.heap.retaining_paths import RetainingPaths, retaining_paths
from tabmux.content import count

_NO_SCOPE_IDS = "Dead fields cannot be found: the snapshot was taken without numeric values."
_IDS_DIFFER = """\
Ids do not match between these snapshots, so classes are compared by count alone.
Take both of the same page, without closing it in between, to see which objects changed."""
_OBJECT_HEADER = "nodeId,nodeName,type,distance,selfSize,retainedSize"
_EDGE_HEADER = "name,type,nodeId,nodeName,selfSize,retainedSize"
_CHAIN_HEADER = "nodeId,nodeName,selfSize,retainedSize"
_CLASS_HEADER = "id,className,count,selfSize,retainedSize"
_CONTEXT_HEADER = "nodeId,nodeName,selfSize,retainedSize,attributedSize"
_STRING_HEADER = "value,count,selfSize,retainedSize,truncated,nodeIds"
_DIFF_HEADER = "index,className,addedCount,removedCount,countDelta,addedSize,removedSize,sizeDelta"
# Enough ids to look closer at; all of them would drown the answer.
_SHOWN_IDS = 5


@dataclass(frozen=True, eq=False)
class HeapReport:
    """A heap snapshot that answers in text. Object ids are those the answers show."""

    heap: HeapSnapshot

    @classmethod
    def of(cls, path: Path) -> HeapReport:
        """Read a snapshot file."""
        return cls(HeapSnapshot.read(path))

    def summary(self, view: TableView = DEFAULT_VIEW) -> str:
        """Sum the heap up: its size by use, its native contexts, what closures keep."""
        return "\n".join(_summary_lines(summary(self.heap), view))

    def details(
        self,
        filter_name: str | None = None,
        object_id: int | None = None,
        view: TableView = DEFAULT_VIEW,
    ) -> str:
        """List the classes, of all objects or of those a filter picks."""
        counted = aggregate_classes(self.heap, filter_mask(self.heap, filter_name, object_id))
        rows = [
            _csv_row(r.id, view.name(r.name), r.count, r.self_size, r.retained_size)
            for r in view.pick(counted.rows)
        ]
        total = f"{count(counted.object_count, 'object')}, {count(counted.self_size, 'byte')}"
        return _table([total], _CLASS_HEADER, rows, len(counted.rows), view)

    def class_nodes(
        self,
        class_id: int,
        filter_name: str | None = None,
        object_id: int | None = None,
        view: TableView = DEFAULT_VIEW,
    ) -> str:
        """List the objects of one class."""
        picked = filter_mask(self.heap, filter_name, object_id)
        return self._objects(class_nodes(self.heap, class_id, picked), view)

    def object_details(self, object_id: int, view: TableView = DEFAULT_VIEW) -> str:
        """Describe one object."""
        shown = details(self.heap, self.heap.node(object_id))
        return "\n".join(_detail_lines(shown, view))

    def retainers(self, object_id: int, view: TableView = DEFAULT_VIEW) -> str:
        """List what refers to an object, nearest to the roots first."""
        edges = retainers(self.heap, self.heap.node(object_id))
        return self._edges(edges, self.heap.graph.edges.source, view)

    def references(
        self,
        object_id: int,
        order: EdgeOrder = "retainedSize",
        retained: SizeRange = EVERY_SIZE,
        primitives: bool = False,
        view: TableView = DEFAULT_VIEW,
    ) -> str:
        """List what an object refers to."""
        node = self.heap.node(object_id)
        edges = references(self.heap, node, order, retained, primitives)
        return self._edges(edges, self.heap.graph.edges.target, view)

    def retaining_paths(
        self, object_id: int, limits: PathLimits = DEFAULT_LIMITS, view: TableView = DEFAULT_VIEW
    ) -> str:
        """Show the ways from an object to the roots."""
        paths = retaining_paths(self.heap, self.heap.node(object_id), limits)
        return "\n".join(_path_lines(self.heap, paths, view))

    def dominators(self, object_id: int, view: TableView = DEFAULT_VIEW) -> str:
        """List whose release would free an object, from itself up to the root."""
        chain = dominator_chain(self.heap, self.heap.node(object_id))
        shown = [ObjectRow.of(self.heap, node) for node in view.pick(chain)]
        rows = [
            _csv_row(each.id, view.name(each.name), each.self_size, each.retained_size)
            for each in shown
        ]
        return _table([], _CHAIN_HEADER, rows, len(chain), view)

    def duplicate_strings(self, view: TableView = DEFAULT_VIEW) -> str:
        """List the texts that are in memory more than once."""
        shown = view.pick(self._duplicates)
        rows = [_string_row(self.heap, each, view) for each in shown]
        return _table([], _STRING_HEADER, rows, len(self._duplicates), view)

    def query(self, query: ObjectQuery, view: TableView = DEFAULT_VIEW) -> str:
        """List the objects that fit a description."""
        return self._objects(find_objects(self.heap, query), view)

    def contexts(
        self,
        score: SizeRange = EVERY_SIZE,
        scope_info: int | None = None,
        view: TableView = DEFAULT_VIEW,
    ) -> str:
        """List the closure contexts that hold variables no closure can read any more."""
        if not self._dead_fields.has_scope_ids:
            return _NO_SCOPE_IDS
        found = self._dead_fields.select(score, scope_info)
        lines = (
            [f"{count(len(found), 'context holds', 'contexts hold')} dead fields."] if found else []
        )
        for context in view.pick(found):
            lines += _dead_field_lines(context, view)
        lines += [view.caption(len(found))] if found else ["No context holds dead fields."]
        for script, number in self._dead_fields.unknown_scripts:
            contexts = count(number, "context")
            lines.append(f"not analysed, scopes unknown: {view.name(script)}, {contexts}")
        return "\n".join(lines)

    def comparison(
        self, base: HeapReport, class_index: int | None = None, view: TableView = DEFAULT_VIEW
    ) -> str:
        """Show what changed since an earlier snapshot: by class, or the objects of one class."""
        compared = compare(base.heap, self.heap)
        notes = [] if compared.ids_match else [_IDS_DIFFER]
        if class_index is not None:
            return _changed_objects(compared, class_index, notes, view)
        first = view.page * view.size
        shown = enumerate(view.pick(compared.diffs), first)
        rows = [_diff_row(index, diff, view) for index, diff in shown]
        notes.append(_diff_totals(compared.diffs))
        return _table(notes, _DIFF_HEADER, rows, len(compared.diffs), view)

    @cached_property
    def _duplicates(self) -> list[DuplicateString]:
        return duplicate_strings(self.heap)

    @cached_property
    def _dead_fields(self) -> DeadFieldContexts:
        return dead_field_contexts(self.heap)

    def _objects(self, nodes: Longs, view: TableView) -> str:
        shown = [ObjectRow.of(self.heap, node) for node in view.numbers(nodes)]
        rows = [_object_row(each, view) for each in shown]
        return _table([], _OBJECT_HEADER, rows, len(nodes), view)

    def _edges(self, edges: Longs, far: Ints, view: TableView) -> str:
        shown = [EdgeRow.of(self.heap, edge, int(far[edge])) for edge in view.numbers(edges)]
        rows = [_edge_row(each, view) for each in shown]
        return _table([], _EDGE_HEADER, rows, len(edges), view)


def _table(notes: list[str], header: str, rows: list[str], total: int, view: TableView) -> str:
    return "\n".join([*notes, header, *rows, view.caption(total)])


def _changed_objects(
    compared: HeapComparison, index: int, notes: list[str], view: TableView
) -> str:
    diff = compared.diff(index)
    signed = [("+", compared.current, node) for node in diff.added.tolist()]
    signed += [("-", compared.base, node) for node in diff.removed.tolist()]
    rows = [
        f"{sign} @{heap.graph.nodes.id[node]} {view.name(heap.names.node(node))}, "
        f"{count(int(heap.size[node]), 'byte')}"
        for sign, heap, node in view.pick(signed)
    ]
    title = f"{view.name(diff.name)}: {_diff_totals([diff])}"
    return "\n".join([*notes, title, *rows, view.caption(len(signed))])


def _csv_row(*fields: object) -> str:
    """Join fields by commas, quoting those that contain one."""
    return ",".join(_field(str(field)) for field in fields)


def _object_row(shown: ObjectRow, view: TableView) -> str:
    distance = _distance(shown.distance)
    sizes = shown.self_size, shown.retained_size
    return _csv_row(shown.id, view.name(shown.name), shown.kind, distance, *sizes)


def _edge_row(edge: EdgeRow, view: TableView) -> str:
    far = edge.object
    name, far_name = view.name(edge.name), view.name(far.name)
    return _csv_row(name, edge.kind, far.id, far_name, far.self_size, far.retained_size)


def _detail_lines(details: ObjectDetails, view: TableView) -> Iterator[str]:
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


def _summary_lines(summary: HeapSummary, view: TableView) -> Iterator[str]:
    uses, scopes = summary.statistics, summary.scopes
    objects, edges = summary.node_count, summary.edge_count
    yield f"{count(objects, 'object')}, {count(edges, 'reference')}; all sizes in bytes"
    yield f"total: {uses.total}"
    yield (
        f"V8 heap: {uses.v8} (code {uses.code}, strings {uses.strings}, "
        f"arrays {uses.arrays}, system {uses.system})"
    )
    yield f"native: {uses.native} (typed arrays {uses.typed_arrays})"
    yield f"largest object id: {summary.largest_id}"
    yield f"native contexts: {len(summary.contexts)}"
    yield _CONTEXT_HEADER
    for each in view.pick(summary.contexts):
        sizes = each.self_size, each.retained_size, each.attributed_size
        yield _csv_row(each.id, view.name(each.name), *sizes)
    yield f"shared by several contexts: {summary.shared_size}"
    yield f"used by none: {summary.unattributed_size}"
    yield (
        f"only in memory because of {count(scopes.context_count, 'closure scope')}: "
        f"{scopes.size} in {count(scopes.object_count, 'object')}, "
        f"of {scopes.other_size + scopes.size}"
    )


def _path_lines(heap: HeapSnapshot, paths: RetainingPaths, view: TableView) -> Iterator[str]:
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


def _string_row(heap: HeapSnapshot, duplicate: DuplicateString, view: TableView) -> str:
    ids = [f"@{i}" for i in heap.graph.nodes.id[duplicate.nodes[:_SHOWN_IDS]]]
    if (more := len(duplicate.nodes) - _SHOWN_IDS) > 0:
        ids.append(f"+{more}")
    sizes = duplicate.self_size, duplicate.retained_size
    text, cut = view.name(duplicate.value), "yes" if duplicate.truncated else "no"
    return _csv_row(text, len(duplicate.nodes), *sizes, cut, " ".join(ids))


def _dead_field_lines(context: DeadFieldContext, view: TableView) -> Iterator[str]:
    info = context.info
    place = f"{view.name(info.script_name)}:{info.start}-{info.end}"
    function = f"{view.name(info.name)} in " if info.name else ""
    yield (
        f"@{context.id} context of {function}{place}, scope @{info.id}: "
        f"{len(context.dead)} of {count(context.field_count, 'field')} dead, "
        f"{count(context.score, 'byte')}"
    )
    for dead in context.dead:
        value = f"@{dead.value.id} {view.name(dead.value.name)}"
        yield f"  {view.name(dead.name)}: {value}, {count(dead.value.retained_size, 'byte')}"


def _diff_row(index: int, diff: ClassDiff, view: TableView) -> str:
    counts = diff.added_count, diff.removed_count, f"{diff.count_delta:+}"
    sizes = diff.added_size, diff.removed_size, f"{diff.size_delta:+}"
    return _csv_row(index, view.name(diff.name), *counts, *sizes)


def _diff_totals(diffs: Sequence[ClassDiff]) -> str:
    added, removed = sum(d.added_count for d in diffs), sum(d.removed_count for d in diffs)
    grown, shrunk = sum(d.added_size for d in diffs), sum(d.removed_size for d in diffs)
    return (
        f"{count(added, 'object')} new ({count(grown, 'byte')}), "
        f"{removed} gone ({count(shrunk, 'byte')}); "
        f"count {added - removed:+}, size {grown - shrunk:+}"
    )


def _field(text: str) -> str:
    if "," not in text and '"' not in text:
        return text
    return '"' + text.replace('"', '""') + '"'


def _distance(distance: int) -> str:
    if distance == UNREACHED:
        return "none"
    return f"system {distance - SYSTEM_DISTANCE}" if distance >= SYSTEM_DISTANCE else str(distance)
