"""Heap report: every question about a heap snapshot, answered as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tabmux.analysis.heap import heap_text
from tabmux.analysis.heap.comparison import HeapComparison, compare
from tabmux.analysis.heap.dead_fields import DeadFieldContexts, dead_field_contexts
from tabmux.analysis.heap.duplicate_strings import DuplicateString, duplicate_strings
from tabmux.analysis.heap.filters import filter_mask
from tabmux.analysis.heap.graph.graph import Ints, Longs
from tabmux.analysis.heap.heap_objects import (
    EdgeRow,
    ObjectRow,
    details,
    dominator_chain,
    find_objects,
    references,
    retainers,
)
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.heap_summary import aggregate_classes, class_nodes, summary
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
from tabmux.analysis.heap.retaining_paths import retaining_paths

_NO_SCOPE_IDS = "Dead fields cannot be found: the snapshot was taken without numeric values."
_IDS_DIFFER = """\
Ids do not match between these snapshots, so classes are compared by count alone.
Take both of the same page, without closing it in between, to see which objects changed."""


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
        return "\n".join(heap_text.summary_lines(summary(self.heap), view))

    def details(
        self,
        filter_name: str | None = None,
        object_id: int | None = None,
        view: TableView = DEFAULT_VIEW,
    ) -> str:
        """List the classes, of all objects or of those a filter picks."""
        counted = aggregate_classes(self.heap, filter_mask(self.heap, filter_name, object_id))
        rows = [
            heap_text.csv_row(r.id, view.name(r.name), r.count, r.self_size, r.retained_size)
            for r in view.pick(counted.rows)
        ]
        total = f"{counted.object_count} objects, {counted.self_size} bytes"
        return _table([total], heap_text.CLASS_HEADER, rows, len(counted.rows), view)

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
        return "\n".join(heap_text.detail_lines(shown, view))

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
        return "\n".join(heap_text.path_lines(self.heap, paths, view))

    def dominators(self, object_id: int, view: TableView = DEFAULT_VIEW) -> str:
        """List whose release would free an object, from itself up to the root."""
        chain = dominator_chain(self.heap, self.heap.node(object_id))
        shown = [ObjectRow.of(self.heap, node) for node in view.pick(chain)]
        rows = [heap_text.chain_row(each, view) for each in shown]
        return _table([], heap_text.CHAIN_HEADER, rows, len(chain), view)

    def duplicate_strings(self, view: TableView = DEFAULT_VIEW) -> str:
        """List the texts that are in memory more than once."""
        shown = view.pick(self._duplicates)
        rows = [heap_text.string_row(self.heap, each, view) for each in shown]
        return _table([], heap_text.STRING_HEADER, rows, len(self._duplicates), view)

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
        lines = [f"{len(found)} contexts hold dead fields"] if found else []
        for context in view.pick(found):
            lines += heap_text.dead_field_lines(context, view)
        lines += [view.caption(len(found))] if found else ["No context holds dead fields."]
        for script, count in self._dead_fields.unknown_scripts:
            lines.append(f"not analysed, scopes unknown: {view.name(script)}, {count} contexts")
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
        rows = [heap_text.diff_row(index, diff, view) for index, diff in shown]
        notes.append(heap_text.diff_totals(compared.diffs))
        return _table(notes, heap_text.DIFF_HEADER, rows, len(compared.diffs), view)

    @cached_property
    def _duplicates(self) -> list[DuplicateString]:
        return duplicate_strings(self.heap)

    @cached_property
    def _dead_fields(self) -> DeadFieldContexts:
        return dead_field_contexts(self.heap)

    def _objects(self, nodes: Longs, view: TableView) -> str:
        shown = [ObjectRow.of(self.heap, node) for node in view.numbers(nodes)]
        rows = [heap_text.object_row(each, view) for each in shown]
        return _table([], heap_text.OBJECT_HEADER, rows, len(nodes), view)

    def _edges(self, edges: Longs, far: Ints, view: TableView) -> str:
        shown = [EdgeRow.of(self.heap, edge, int(far[edge])) for edge in view.numbers(edges)]
        rows = [heap_text.edge_row(each, view) for each in shown]
        return _table([], heap_text.EDGE_HEADER, rows, len(edges), view)


def _table(notes: list[str], header: str, rows: Iterable[str], total: int, view: TableView) -> str:
    return "\n".join([*notes, header, *rows, view.caption(total)])


def _changed_objects(
    compared: HeapComparison, index: int, notes: list[str], view: TableView
) -> str:
    diff = compared.diff(index)
    signed = [("+", compared.current, node) for node in diff.added.tolist()]
    signed += [("-", compared.base, node) for node in diff.removed.tolist()]
    rows = [
        f"{sign} @{heap.graph.nodes.id[node]} {view.name(heap.names.node(node))}, "
        f"{heap.size[node]} bytes"
        for sign, heap, node in view.pick(signed)
    ]
    title = f"{view.name(diff.name)}: {heap_text.diff_totals([diff])}"
    return "\n".join([*notes, title, *rows, view.caption(len(signed))])
