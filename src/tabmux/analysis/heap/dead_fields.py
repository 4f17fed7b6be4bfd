"""Dead fields: variables that contexts keep alive although no closure can read them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.closure_scopes import (
    SCRIPT_ROOT,
    HeapScope,
    ScopeInfo,
    ScopeInfos,
    scopes_by_script,
)
from tabmux.analysis.heap.filters import is_context
from tabmux.analysis.heap.graph.graph import NO_VALUE, Graph, Ints, Longs, Mask, integer_values
from tabmux.analysis.heap.heap_objects import ObjectRow
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.query_options import EVERY_SIZE, SizeRange

_GENERATORS = (
    "JS_GENERATOR_OBJECT_TYPE",
    "JS_ASYNC_FUNCTION_OBJECT_TYPE",
    "JS_ASYNC_GENERATOR_OBJECT_TYPE",
)
_FINISHED = -1
ReadableContexts = dict[tuple[int, int], set[int]]


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
        has_scope_ids: Whether the snapshot holds ids of scopes, without which none is found.
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


def readable_contexts(graph: Graph) -> ReadableContexts:
    """Say, for each function by script and scope id, which contexts its closures can read."""
    references = _ClosureReferences.of(graph)
    readable: ReadableContexts = defaultdict(set)
    for shared, context in references.closures():
        script, scope_id = int(references.script[shared]), int(references.scope_id[shared])
        if script < 0 or scope_id == NO_VALUE:
            continue
        contexts = readable[script, scope_id]
        # What lies behind a context already listed is listed too.
        while references.is_context[context] and context not in contexts:
            contexts.add(context)
            context = int(references.previous[context])
    return readable


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


@dataclass(frozen=True, eq=False)
class _ClosureReferences:
    """The references that tie closures to their code and scopes. Index -1 means none."""

    graph: Graph
    shared: Ints
    context: Ints
    script: Ints
    previous: Ints
    scope_id: Longs
    is_context: Mask

    @classmethod
    def of(cls, graph: Graph) -> _ClosureReferences:
        return cls(
            graph,
            shared=graph.follow("shared"),
            context=graph.follow("context"),
            script=graph.follow("script"),
            previous=graph.follow("previous"),
            scope_id=integer_values(graph, "scope_id"),
            is_context=np.append(is_context(graph), np.False_),
        )

    def closures(self) -> Iterator[tuple[int, int]]:
        """List function and context of all that may still run."""
        function = np.append(self.graph.follow("function"), np.int32(-1))
        running, finished = self._generators(function)
        closures = np.flatnonzero(self.graph.nodes.of_kind("closure"))
        closures = closures[~np.isin(closures, function[finished])]
        yield from self._functions_with_contexts(self.shared[closures], closures)
        yield from self._functions_with_contexts(self.shared[function[running]], running)

    def _functions_with_contexts(self, shared: Ints, owners: Longs) -> Iterator[tuple[int, int]]:
        contexts = self.context[owners]
        complete = (shared >= 0) & (contexts >= 0)
        yield from zip(shared[complete].tolist(), contexts[complete].tolist(), strict=True)

    def _generators(self, function: Ints) -> tuple[Longs, Longs]:
        """Find suspended generators, and modules that have run to their end."""
        graph = self.graph
        shape = graph.follow("map")
        kind = graph.follow("instance_type_name")[shape]
        generator = graph.nodes.of_kind("object") & (shape >= 0) & (kind >= 0)
        generator &= graph.named(*_GENERATORS)[kind]
        is_closure = np.append(graph.nodes.of_kind("closure"), np.False_)
        state = integer_values(graph, "continuation")
        nodes = np.flatnonzero(generator & (state != NO_VALUE) & is_closure[function[:-1]])
        ended = state[nodes] == _FINISHED
        module = self.scope_id[self.shared[function[nodes]]] == SCRIPT_ROOT
        return nodes[~ended], nodes[ended & module]
