"""One object: what it is, and what keeps it alive."""

from __future__ import annotations

from dataclasses import dataclass

from tabmux.analysis.heap.graph.arrays import elements
from tabmux.analysis.heap.graph.detachedness import STATES
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot


@dataclass(frozen=True)
class ObjectRow:
    """An object on one line."""

    id: int
    name: str
    kind: str
    distance: int
    self_size: int
    retained_size: int

    @classmethod
    def of(cls, heap: HeapSnapshot, node: int) -> ObjectRow:
        """Describe a node."""
        nodes = heap.graph.nodes
        return cls(
            id=int(nodes.id[node]),
            name=heap.names.node(node),
            kind=nodes.kinds[nodes.kind[node]],
            distance=int(heap.distance[node]),
            self_size=int(heap.size[node]),
            retained_size=int(heap.retained[node]),
        )


@dataclass(frozen=True)
class ObjectDetails:
    """All there is to say of one object."""

    object: ObjectRow
    class_name: str
    detachedness: str
    edge_count: int
    retainer_count: int


def details(heap: HeapSnapshot, node: int) -> ObjectDetails:
    """Describe one object."""
    return ObjectDetails(
        object=ObjectRow.of(heap, node),
        class_name=heap.classes.names[heap.classes.of[node]],
        detachedness=STATES[min(heap.graph.nodes.detachedness[node], len(STATES) - 1)],
        edge_count=len(heap.graph.edges.leaving(node)),
        retainer_count=len(heap.graph.retaining(node)),
    )


def dominator_chain(heap: HeapSnapshot, node: int) -> list[int]:
    """List the object and whoever keeps it, up to the root."""
    parent, chain = elements(heap.tree.parent), [node]
    while (above := parent[chain[-1]]) != chain[-1]:
        chain.append(above)
    return chain
