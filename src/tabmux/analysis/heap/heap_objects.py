"""Heap objects: finds them, and describes one with its dominators, references and retainers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.graph.detachedness import DETACHED, STATES
from tabmux.analysis.heap.graph.graph import Ints, Longs, Mask, elements
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.object_names import property_list
from tabmux.analysis.heap.query_options import (
    EVERY_SIZE,
    EdgeOrder,
    ObjectOrder,
    ObjectQuery,
    SizeRange,
)
from tabmux.errors import BadArguments
from tabmux.patterns import TextPattern, is_unsupported

_PRIMITIVES = ("undefined", "null", "true", "false")


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


@dataclass(frozen=True)
class EdgeRow:
    """A reference on one line, with the object at its far end."""

    name: str
    kind: str
    object: ObjectRow

    @classmethod
    def of(cls, heap: HeapSnapshot, edge: int, far: int) -> EdgeRow:
        """Describe an edge."""
        edges = heap.graph.edges
        return cls(heap.names.edge(edge), edges.kinds[edges.kind[edge]], ObjectRow.of(heap, far))


def find_objects(heap: HeapSnapshot, query: ObjectQuery) -> Longs:
    """List the objects that fit, in the order asked for."""
    fits = _within(heap.retained, query.retained_size) & _within(heap.size, query.self_size)
    if query.detached is not None:
        fits &= (heap.graph.nodes.detachedness == DETACHED) == query.detached
    if query.node_type is not None:
        fits &= _has_type(heap, query.node_type)
    if query.property_name:
        fits &= _has_property(heap, _pattern(query.property_name))
    if query.class_name:
        fits &= _name_matches(heap, _pattern(query.class_name), fits)
    return _sort_objects(heap, np.flatnonzero(fits), query.order)


def details(heap: HeapSnapshot, node: int) -> ObjectDetails:
    """Describe one object."""
    return ObjectDetails(
        object=ObjectRow.of(heap, node),
        class_name=heap.classes.names[heap.classes.of[node]],
        detachedness=STATES[min(heap.graph.nodes.detachedness[node], len(STATES) - 1)],
        edge_count=len(heap.graph.edges.leaving(node)),
        retainer_count=len(heap.graph.retaining_edges(node)),
    )


def dominator_chain(heap: HeapSnapshot, node: int) -> list[int]:
    """List the object and whoever keeps it, up to the root."""
    parent, chain = elements(heap.dominator_tree.parent), [node]
    while (above := parent[chain[-1]]) != chain[-1]:
        chain.append(above)
    return chain


def retainers(heap: HeapSnapshot, node: int) -> Longs:
    """List the edges that hold an object, those nearest to the roots first."""
    edges = heap.graph.edges
    held = heap.graph.retaining_edges(node).astype(np.int64)
    source = edges.source[held]
    keeps = ~edges.weak[held] & (source != heap.graph.root)
    held, source = held[keeps], source[keeps]
    # A negative distance means that no path leads there: as far away as can be.
    far = heap.distance[source].astype(np.uint32)
    order = np.lexsort((-heap.retained[source], far))
    return np.take(held, order)


def references(
    heap: HeapSnapshot,
    node: int,
    order: EdgeOrder = "retainedSize",
    retained: SizeRange = EVERY_SIZE,
    primitives: bool = False,
) -> Longs:
    """List the edges that leave an object.

    Args:
        heap: The heap.
        node: The object.
        order: What to sort by: the heaviest first, or by name.
        retained: Only edges to objects that retain so much.
        primitives: Also edges to numbers, undefined, null, true and false.
    """
    edges = np.array(heap.graph.edges.leaving(node), np.int64)
    target = heap.graph.edges.target[edges]
    fits = _within(heap.retained[target], retained)
    if not primitives:
        fits &= ~_primitive(heap, target)
    return _sort_references(heap, edges[fits], order)


def _has_type(heap: HeapSnapshot, node_type: str) -> Mask:
    kinds = heap.graph.nodes.kinds
    if node_type.lower() not in kinds:
        raise BadArguments(
            f"There are no objects of type {node_type!r}.",
            hint=f"The types are {', '.join(kinds)}.",
        )
    return heap.graph.nodes.of_kind(node_type.lower())


def _pattern(text: str) -> TextPattern:
    """Read a regular expression; what is none is taken as plain text."""
    try:
        return TextPattern(text, ignore_case=True)
    except BadArguments:
        if is_unsupported(text):
            raise
        return TextPattern(text, ignore_case=True, plain=True)


def _has_property(heap: HeapSnapshot, pattern: TextPattern) -> Mask:
    edges = heap.graph.edges
    texts = np.array([pattern.is_in(text) for text in heap.graph.strings], np.bool_)
    fits = edges.has_text_name.copy()
    fits[fits] = texts[edges.name[fits]]
    indexes = edges.name[~edges.has_text_name]
    values, place = np.unique(indexes, return_inverse=True)
    matches = np.array([pattern.is_in(str(value)) for value in values.tolist()], np.bool_)
    fits[~edges.has_text_name] = matches[place] if values.size else False
    having = np.zeros(len(heap.graph.nodes), np.bool_)
    having[edges.source[fits]] = True
    return having


def _name_matches(heap: HeapSnapshot, pattern: TextPattern, among: Mask) -> Mask:
    """Search in names as they are shown: of each name once, of each joined string by itself."""
    names, plain_objects = heap.graph.nodes.name, heap.plain_objects
    texts = np.array([pattern.is_in(text) for text in heap.graph.strings], np.bool_)
    fits = texts[names]
    classes = np.array([pattern.is_in(name) for name in heap.classes.names], np.bool_)
    fits |= classes[heap.classes.of]
    plain = np.array([pattern.is_in(property_list(p)) for p in plain_objects.properties], np.bool_)
    fits[plain_objects.objects] |= plain[plain_objects.shape]
    joined = np.flatnonzero(among & heap.names.is_concatenated)
    fits[joined] = [pattern.is_in(heap.names.text(node)) for node in joined.tolist()]
    return fits


def _sort_objects(heap: HeapSnapshot, nodes: Longs, order: ObjectOrder) -> Longs:
    weights = {"retainedSize": -heap.retained, "selfSize": -heap.size, "id": heap.graph.nodes.id}
    if order not in weights:
        raise BadArguments(
            f"Objects cannot be sorted by {order!r}.", hint="Use retainedSize, selfSize or id."
        )
    return nodes[np.argsort(weights[order][nodes], kind="stable")]


def _within(values: Longs, sizes: SizeRange) -> Mask:
    return (values >= sizes.least) & (values <= sizes.most)


def _primitive(heap: HeapSnapshot, nodes: Ints) -> Mask:
    graph = heap.graph
    constants = graph.nodes.of_kind("native") & graph.named(*_PRIMITIVES)
    primitive: Mask = (graph.nodes.of_kind("number") | constants)[nodes]
    return primitive


def _sort_references(heap: HeapSnapshot, edges: Longs, order: EdgeOrder) -> Longs:
    target = heap.graph.edges.target[edges]
    weights = {
        "retainedSize": -heap.retained[target],
        "selfSize": -heap.size[target],
        "name": np.zeros(len(edges), np.int64),
    }
    if order not in weights:
        raise BadArguments(
            f"References cannot be sorted by {order!r}.", hint="Use retainedSize, selfSize or name."
        )
    return np.take(edges, np.lexsort((*_name_keys(heap, edges), weights[order])))


def _name_keys(heap: HeapSnapshot, edges: Longs) -> tuple[Longs, Mask, Mask]:
    """Sort names before indexes, indexes by value, and the prototype behind everything."""
    graph = heap.graph
    rank = graph.edges.name[edges].astype(np.int64)
    texts = np.flatnonzero(graph.edges.has_text_name[edges])
    names = sorted({*rank[texts].tolist()}, key=graph.strings.__getitem__)
    place = {name: position for position, name in enumerate(names)}
    proto = np.zeros(len(edges), np.bool_)
    proto[texts] = rank[texts] == graph.index("__proto__")
    rank[texts] = [place[name] for name in rank[texts].tolist()]
    return rank, ~graph.edges.has_text_name[edges], proto
