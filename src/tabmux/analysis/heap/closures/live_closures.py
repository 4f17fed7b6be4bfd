"""Live closures: which are still there, and which contexts each can read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.closures.scopes import SCRIPT_ROOT
from tabmux.analysis.heap.filters import is_context
from tabmux.analysis.heap.graph.arrays import Ints, Longs, Mask
from tabmux.analysis.heap.graph.graph import NO_VALUE, Graph, integer_values

_GENERATORS = (
    "JS_GENERATOR_OBJECT_TYPE",
    "JS_ASYNC_FUNCTION_OBJECT_TYPE",
    "JS_ASYNC_GENERATOR_OBJECT_TYPE",
)
_FINISHED = -1

ReadableContexts = dict[tuple[int, int], set[int]]


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
