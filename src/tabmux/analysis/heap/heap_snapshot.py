"""Heap snapshot: a graph with sizes, distances, names and classes, computed when needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from tabmux.analysis.heap.graph.attribution import context_owners, shallow_sizes
from tabmux.analysis.heap.graph.detachedness import propagate_detachedness
from tabmux.analysis.heap.graph.dominator_tree import (
    DominatorTree,
    essential_edges,
    immediate_dominators,
)
from tabmux.analysis.heap.graph.graph import Graph, Ints, Longs
from tabmux.analysis.heap.graph.reachability import Ephemerons, distances
from tabmux.analysis.heap.graph.snapshot_file import SnapshotFile, decode_graph, read_snapshot_file
from tabmux.analysis.heap.object_classes import Classes, InterfaceDefinition, PlainObjects
from tabmux.analysis.heap.object_names import ObjectNames
from tabmux.errors import Misuse


class UnknownObject(Misuse):
    """The snapshot holds no object with this id."""

    code = "unknown_heap_object"


@dataclass(frozen=True, eq=False)
class HeapSnapshot:
    """A heap to ask questions of; a node is the position of an object in its columns."""

    graph: Graph

    @classmethod
    def read(cls, path: Path) -> HeapSnapshot:
        """Read a snapshot file."""
        return cls.of(read_snapshot_file(path))

    @classmethod
    def of(cls, profile: SnapshotFile) -> HeapSnapshot:
        """Take the parts of a snapshot file."""
        return cls(propagate_detachedness(decode_graph(profile)))

    def node(self, object_id: int) -> int:
        """Find the object with this id."""
        found = np.flatnonzero(self.graph.nodes.id == object_id)
        if not found.size:
            raise UnknownObject(
                f"The heap snapshot holds no object @{object_id}.",
                hint="Ids come from get_heapsnapshot_class_nodes or query_heapsnapshot_objects, "
                "and belong to one snapshot file.",
            )
        return int(found[0])

    @cached_property
    def size(self) -> Longs:
        """The bytes each object takes by itself."""
        return shallow_sizes(self.graph)

    @cached_property
    def retained(self) -> Longs:
        """The bytes that would be freed with each object."""
        return self.dominator_tree.sums(self.size)

    @cached_property
    def total(self) -> int:
        """The bytes of the whole heap, and of what the page holds outside it."""
        return int(self.retained[self.graph.root]) + self.graph.native_bytes

    @cached_property
    def distance(self) -> Ints:
        """How many references away each object is."""
        return distances(self.graph, self._ephemerons)

    @cached_property
    def dominator_tree(self) -> DominatorTree:
        """The tree of dominators."""
        graph = self.graph
        keeps = essential_edges(graph, self._ephemerons)
        source, target = graph.edges.source[keeps], graph.edges.target[keeps]
        return DominatorTree.of(
            immediate_dominators(len(graph.nodes), graph.root, source, target), graph.root
        )

    @cached_property
    def names(self) -> ObjectNames:
        """What to call objects and references."""
        return ObjectNames(self.graph)

    @cached_property
    def plain_objects(self) -> PlainObjects:
        """The plain objects by their properties."""
        return PlainObjects.of(self.graph)

    @cached_property
    def interfaces(self) -> list[InterfaceDefinition]:
        """The shapes of plain objects that pass for classes."""
        return self.plain_objects.interfaces()

    @cached_property
    def classes(self) -> Classes:
        """The class of each object."""
        return Classes.classify(self.graph, self.plain_objects, self.interfaces)

    @cached_property
    def context(self) -> Ints:
        """The native context each object belongs to."""
        return context_owners(self.graph)

    @cached_property
    def _ephemerons(self) -> Ephemerons:
        return Ephemerons.of(self.graph)
