"""Dead fields: variables that contexts keep alive although no closure can read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.closures.live_closures import ReadableContexts, readable_contexts
from tabmux.analysis.heap.closures.scopes import HeapScope, ScopeInfo, ScopeInfos, scopes_by_script
from tabmux.analysis.heap.filters import is_context
from tabmux.analysis.heap.heap_objects import ObjectRow
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.query_options import EVERY_SIZE, SizeRange


@dataclass(frozen=True)
class DeadField:
    """A captured variable nobody can read, and its value."""

    name: str
    value: ObjectRow


@dataclass(frozen=True)
class DeadFieldContext:
    """A context that holds dead fields.

    Attributes:
        score: What the dead fields retain, together. Fields that share what they retain count
            it twice, so this ranks contexts rather than promising bytes.
    """

    id: int
    info: ScopeInfo
    field_count: int
    score: int
    dead: tuple[DeadField, ...]


@dataclass(frozen=True)
class DeadFieldContexts:
    """The contexts with dead fields, the heaviest first, and the scripts nothing is known of.

    Attributes:
        possible: Whether the snapshot holds the numbers of scopes, without which none is found.
    """

    has_scope_ids: bool
    found: tuple[DeadFieldContext, ...]
    unknown_scripts: tuple[tuple[str, int], ...]

    def select(
        self, score: SizeRange = EVERY_SIZE, info: int | None = None
    ) -> tuple[DeadFieldContext, ...]:
        """Pick those with a score in a range, or of one scope."""
        return tuple(
            context
            for context in self.found
            if score.least <= context.score <= score.most
            and (info is None or context.info.id == info)
        )


def dead_field_contexts(heap: HeapSnapshot) -> DeadFieldContexts:
    """Find the dead fields of every context."""
    graph = heap.graph
    scripts, readable = scopes_by_script(graph), readable_contexts(graph)
    infos = ScopeInfos(heap)
    described = graph.follow("scope_info")
    found, unknown = list[DeadFieldContext](), Counter[str]()
    for node in np.flatnonzero(is_context(graph) & (described >= 0)).tolist():
        info = infos.describe(int(described[node]))
        if info is None:
            continue
        if info.script not in scripts:
            unknown[info.script_name] += 1
        elif scope := scripts[info.script].get(info.scope_id):
            found += _dead_fields_of(heap, node, info, scope, readable)
    found.sort(key=lambda context: (-context.score, context.id))
    return DeadFieldContexts(infos.has_scope_ids, tuple(found), tuple(unknown.most_common()))


def _dead_fields_of(
    heap: HeapSnapshot, node: int, info: ScopeInfo, scope: HeapScope, readable: ReadableContexts
) -> Iterator[DeadFieldContext]:
    fields = [edge for edge in heap.graph.edges.leaving(node) if _is_field(heap, edge)]
    dead = [
        DeadField(name, ObjectRow.of(heap, int(heap.graph.edges.target[edge])))
        for edge in fields
        if (name := heap.names.edge(edge)) in scope.variables
        and not _is_read(scope, name, info.script, node, readable)
    ]
    if dead:
        dead.sort(key=lambda each: -each.value.retained_size)
        score = sum(each.value.retained_size for each in dead)
        yield DeadFieldContext(
            int(heap.graph.nodes.id[node]), info, len(fields), score, tuple(dead)
        )


def _is_field(heap: HeapSnapshot, edge: int) -> bool:
    edges = heap.graph.edges
    return edges.kinds[int(edges.kind[edge])] == "context"


def _is_read(
    scope: HeapScope, name: str, script: int, context: int, readable: ReadableContexts
) -> bool:
    """Whether a closure that can reach the context runs code that reads the variable."""
    for reader in scope.readers.get(name, ()):
        at: HeapScope | None = reader
        while at:
            if context in readable.get((script, at.id), ()):
                return True
            at = at.outer
    return False
