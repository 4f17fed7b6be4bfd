"""A heap snapshot with all that follows from it, each part worked out when first needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from tabmux.analysis.heap.arrays import Ints, Longs
from tabmux.analysis.heap.assembly import assemble
from tabmux.analysis.heap.classes import Classes
from tabmux.analysis.heap.detachment import settle
from tabmux.analysis.heap.distances import distances
from tabmux.analysis.heap.dominators import dominators
from tabmux.analysis.heap.ephemerons import Ephemerons
from tabmux.analysis.heap.essence import essential
from tabmux.analysis.heap.faults import UnknownObject
from tabmux.analysis.heap.graph import Graph
from tabmux.analysis.heap.names import Names
from tabmux.analysis.heap.ownership import context_owners, own_sizes
from tabmux.analysis.heap.reading import Profile, read
from tabmux.analysis.heap.shapes import Interface, Shapes
from tabmux.analysis.heap.tree import Tree


@dataclass(frozen=True, eq=False)
class Heap:
    """A heap to ask questions of; a node is the position of an object in its columns."""

    graph: Graph

    @classmethod
    def read(cls, path: Path) -> Heap:
        """Read a snapshot file."""
        return cls.of(read(path))

    @classmethod
    def of(cls, profile: Profile) -> Heap:
        """Take the parts of a snapshot file."""
        return cls(settle(assemble(profile)))

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
        return own_sizes(self.graph)

    @cached_property
    def retained(self) -> Longs:
        """The bytes that would be freed with each object."""
        return self.tree.sums(self.size)

    @cached_property
    def total(self) -> int:
        """The bytes of the whole heap, and of what the page holds outside it."""
        return int(self.retained[self.graph.root]) + self.graph.native_bytes

    @cached_property
    def distance(self) -> Ints:
        """How many references away each object is."""
        return distances(self.graph, self._ephemerons)

    @cached_property
    def tree(self) -> Tree:
        """The tree of dominators."""
        graph = self.graph
        keeps = essential(graph, self._ephemerons)
        source, target = graph.edges.source[keeps], graph.edges.target[keeps]
        return Tree.of(dominators(len(graph.nodes), graph.root, source, target), graph.root)

    @cached_property
    def names(self) -> Names:
        """What to call objects and references."""
        return Names(self.graph)

    @cached_property
    def shapes(self) -> Shapes:
        """The plain objects by their properties."""
        return Shapes.of(self.graph)

    @cached_property
    def interfaces(self) -> list[Interface]:
        """The shapes of plain objects that pass for classes."""
        return self.shapes.interfaces()

    @cached_property
    def classes(self) -> Classes:
        """The class of each object."""
        return Classes.sort(self.graph, self.shapes, self.interfaces)

    @cached_property
    def context(self) -> Ints:
        """The native context each object belongs to."""
        return context_owners(self.graph)

    @cached_property
    def _ephemerons(self) -> Ephemerons:
        return Ephemerons.of(self.graph)
