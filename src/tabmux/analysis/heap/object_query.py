"""Object query: finds objects by name, property, type, size and detachedness."""

from __future__ import annotations

import re

import numpy as np

from tabmux.analysis.heap.graph.detachedness import DETACHED
from tabmux.analysis.heap.graph.graph import Longs, Mask
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.object_names import property_list
from tabmux.analysis.heap.query_options import ObjectOrder, ObjectQuery, SizeRange
from tabmux.errors import BadArguments


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
    return _sorted(heap, np.flatnonzero(fits), query.order)


def _within(values: Longs, sizes: SizeRange) -> Mask:
    return (values >= sizes.least) & (values <= sizes.most)


def _has_type(heap: HeapSnapshot, node_type: str) -> Mask:
    kinds = heap.graph.nodes.kinds
    if node_type.lower() not in kinds:
        raise BadArguments(
            f"There are no objects of type {node_type!r}.",
            hint=f"The types are {', '.join(kinds)}.",
        )
    return heap.graph.nodes.of_kind(node_type.lower())


def _pattern(text: str) -> re.Pattern[str]:
    """Read a regular expression; what is none is taken as plain text."""
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error:
        return re.compile(re.escape(text), re.IGNORECASE)


def _has_property(heap: HeapSnapshot, pattern: re.Pattern[str]) -> Mask:
    edges = heap.graph.edges
    texts = np.array([bool(pattern.search(text)) for text in heap.graph.strings], np.bool_)
    fits = edges.has_text_name.copy()
    fits[fits] = texts[edges.name[fits]]
    indexes = edges.name[~edges.has_text_name]
    values, place = np.unique(indexes, return_inverse=True)
    matches = np.array([bool(pattern.search(str(value))) for value in values.tolist()], np.bool_)
    fits[~edges.has_text_name] = matches[place] if values.size else False
    having = np.zeros(len(heap.graph.nodes), np.bool_)
    having[edges.source[fits]] = True
    return having


def _name_matches(heap: HeapSnapshot, pattern: re.Pattern[str], among: Mask) -> Mask:
    """Search in names as they are shown: of each name once, of each joined string by itself."""
    names, plain_objects = heap.graph.nodes.name, heap.plain_objects
    texts = np.array([bool(pattern.search(text)) for text in heap.graph.strings], np.bool_)
    fits = texts[names]
    classes = np.array([bool(pattern.search(name)) for name in heap.classes.names], np.bool_)
    fits |= classes[heap.classes.of]
    plain = np.array(
        [bool(pattern.search(property_list(p))) for p in plain_objects.properties], np.bool_
    )
    fits[plain_objects.objects] |= plain[plain_objects.shape]
    joined = np.flatnonzero(among & heap.names.is_concatenated)
    fits[joined] = [bool(pattern.search(heap.names.text(node))) for node in joined.tolist()]
    return fits


def _sorted(heap: HeapSnapshot, nodes: Longs, order: ObjectOrder) -> Longs:
    weights = {"retainedSize": -heap.retained, "selfSize": -heap.size, "id": heap.graph.nodes.id}
    if order not in weights:
        raise BadArguments(
            f"Objects cannot be sorted by {order!r}.", hint="Use retainedSize, selfSize or id."
        )
    return nodes[np.argsort(weights[order][nodes], kind="stable")]
