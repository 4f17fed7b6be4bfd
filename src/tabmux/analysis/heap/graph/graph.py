"""Heap graph: the objects of a snapshot and the references between them, as arrays."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Codes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

_UNKNOWN_KIND = 255
"""The code of a kind that this snapshot does not know."""
NO_VALUE = np.iinfo(np.int64).min
"""Stands where there is no number."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """Every object, as parallel columns; a node is its position in them."""

    kinds: tuple[str, ...]
    kind: Codes
    name: Ints
    id: Longs
    size: Longs
    detachedness: Codes

    def __len__(self) -> int:
        return len(self.kind)

    def of_kind(self, *kinds: str) -> Mask:
        """Mark the nodes of these kinds."""
        return _any_of(self.kind, [_kind_code(self.kinds, kind) for kind in kinds])


@dataclass(frozen=True, eq=False)
class Edges:
    """Every reference, grouped by the node it leaves; node v owns first[v] to first[v + 1]."""

    kinds: tuple[str, ...]
    kind: Codes
    name: Ints
    target: Ints
    first: Longs

    def of_kind(self, *kinds: str) -> Mask:
        """Mark the edges of these kinds."""
        return _any_of(self.kind, [_kind_code(self.kinds, kind) for kind in kinds])

    def leaving(self, node: int) -> range:
        """Name the edges of one node."""
        return range(int(self.first[node]), int(self.first[node + 1]))

    @cached_property
    def source(self) -> Ints:
        """The node each edge leaves."""
        return np.repeat(np.arange(len(self.first) - 1, dtype=np.int32), np.diff(self.first))

    @cached_property
    def weak(self) -> Mask:
        """Whether an edge keeps nothing alive."""
        return self.of_kind("weak")

    @cached_property
    def has_text_name(self) -> Mask:
        """Whether an edge's name is a string rather than an index."""
        return ~self.of_kind("element", "hidden")


@dataclass(frozen=True, eq=False)
class ScopeTables:
    """Which variables each scope of a script declares and reads, as V8 wrote them.

    Attributes:
        scopes: Rows of script node, scope id, depth, and how many variables and uses are its own.
        variables: The names of the variables, scope by scope.
        uses: Rows of declaring scope id and the variable's place in it, scope by scope.
    """

    scopes: Longs
    variables: Longs
    uses: Longs


@dataclass(frozen=True, eq=False)
class Graph:
    """A heap snapshot in memory.

    Attributes:
        locations: Rows of node, script id, line and column.
        native_bytes: Memory outside the heap that no node accounts for.
    """

    strings: list[str]
    nodes: Nodes
    edges: Edges
    root: int
    native_bytes: int
    locations: Longs
    scopes: ScopeTables

    def index(self, text: str) -> int:
        """Find a string's place in the string table, or -1."""
        try:
            return self.strings.index(text)
        except ValueError:
            return -1

    def named(self, *names: str) -> Mask:
        """Mark the nodes with one of these names."""
        return _any_of(self.nodes.name, [self.index(name) for name in names])

    def name_starts_with(self, *prefixes: str) -> Mask:
        """Mark the nodes whose names begin with one of these."""
        fits = np.array([text.startswith(prefixes) for text in self.strings], np.bool_)
        return fits[self.nodes.name]

    def follow(self, name: str) -> Ints:
        """Follow each node's internal reference of this name; -1 where there is none."""
        edges = self.edges
        found = np.flatnonzero((edges.name == self.index(name)) & edges.of_kind("internal"))
        targets = np.full(len(self.nodes), -1, np.int32)
        # Backwards, so that the first of several references of one name is the one that stays.
        targets[edges.source[found[::-1]]] = edges.target[found[::-1]]
        return targets

    @cached_property
    def retainers(self) -> tuple[Longs, Ints]:
        """The edges grouped by the node they lead to: bounds, then edges."""
        target = self.edges.target
        keys = (target.astype(np.int64) << 32) | np.arange(len(target))
        keys.sort()
        counts = np.bincount(target, minlength=len(self.nodes))
        return offsets(counts), (keys & 0xFFFFFFFF).astype(np.int32)

    def retaining_edges(self, node: int) -> Ints:
        """Name the edges that lead to one node."""
        bounds, edges = self.retainers
        return edges[bounds[node] : bounds[node + 1]]


def integer_values(graph: Graph, name: str) -> Longs:
    """Read the integer behind each node's internal reference of this name."""
    texts = _value_strings(graph, name, "int")
    number = np.full(len(graph.strings) + 1, NO_VALUE, np.int64)
    for index in np.flatnonzero(np.bincount(texts[texts >= 0])).tolist():
        text = graph.strings[index]
        number[index] = int(text) if re.fullmatch(r"-?\d{1,18}", text) else NO_VALUE
    return number[texts]


def boolean_values(graph: Graph, name: str) -> Mask:
    """Read the truth behind each node's internal reference of this name."""
    texts, true = _value_strings(graph, name, "bool"), graph.index("true")
    return np.equal(texts, true) & (texts >= 0)


def elements(array: Codes | Mask | Ints | Longs) -> memoryview[int]:
    """Give access to single elements, three times as fast as the array's own."""
    return array.data


def runs(values: Longs | Ints) -> tuple[Longs, Longs]:
    """Find where each run of equal values begins, and where it ends."""
    changes = np.flatnonzero(values[1:] != values[:-1]) + 1
    bounds = np.concatenate(([0], changes, [len(values)])) if len(values) else np.zeros(1, np.int64)
    return bounds[:-1], bounds[1:]


def offsets(counts: Longs) -> Longs:
    """Turn the sizes of consecutive groups into the bounds between them."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)))


def _kind_code(kinds: tuple[str, ...], kind: str) -> int:
    return kinds.index(kind) if kind in kinds else _UNKNOWN_KIND


def _any_of(array: Codes | Ints, values: Iterable[int]) -> Mask:
    """Mark the elements that equal one of a few values."""
    found = np.zeros(len(array), np.bool_)
    for value in values:
        found |= array == value
    return found


def _value_strings(graph: Graph, name: str, kind: str) -> Longs:
    """Find the string that spells each node's value; -1 where there is none."""
    nodes = graph.nodes
    holder = graph.follow(name)
    if not np.any(holder >= 0):
        return np.full(len(nodes), -1, np.int64)
    fits = np.append(nodes.of_kind("number") & graph.named(kind), np.False_)
    value = np.append(graph.follow("value"), np.int32(-1))[holder]
    spelled = fits[holder] & (value >= 0)
    return np.where(spelled, nodes.name[value], -1).astype(np.int64)
