"""Object classes: the class of each object; plain objects are told apart by their properties."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabmux.analysis.heap.graph.graph import Graph, Ints, Longs, runs

_CLASS_BY_KIND = {
    "hidden": "(system)",
    "code": "(compiled code)",
    "closure": "Function",
    "regexp": "RegExp",
}
# A shape becomes a class when two objects, and one plain object in a thousand, have it.
_FEWEST_OBJECTS, _OBJECTS_PER_CLASS = 2, 1000
_NAME_LENGTH = 120


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of a heap. A class's place in `names` is its number.

    Attributes:
        names: What to call each class; two classes of one name are declared in different places.
        keys: The same in every snapshot of one page.
        of: The number of each node's class.
    """

    names: list[str]
    keys: list[str]
    of: Ints

    @classmethod
    def classify(
        cls, graph: Graph, plain: PlainObjects, interfaces: Sequence[InterfaceDefinition]
    ) -> Classes:
        """Put every object into a class."""
        class_number = _ClassNumbers()
        number = _classify_by_name(graph, class_number)
        matches = [class_number(name or "Object") for name in plain.matches(interfaces)]
        number[plain.objects] = np.array(matches, np.int32)[plain.shape]
        _split_by_location(graph, number, class_number)
        return cls(list(class_number.names), list(class_number.numbers), number)


@dataclass(frozen=True)
class InterfaceDefinition:
    """A list of properties that enough plain objects have in common."""

    name: str
    properties: frozenset[str]


@dataclass(frozen=True, eq=False)
class PlainObjects:
    """The plain objects of a heap, sorted by their lists of properties.

    Attributes:
        objects: The plain objects that have properties.
        shape: For each of them, its place in `properties`.
        properties: The lists of properties, the one met first in the heap first.
        total: How many plain objects there are, with and without properties.
    """

    objects: Longs
    shape: Longs
    properties: list[tuple[str, ...]]
    total: int

    @classmethod
    def of(cls, graph: Graph) -> PlainObjects:
        """Find the plain objects and what properties each has."""
        plain = graph.nodes.of_kind("object") & graph.named("Object")
        edges = _property_edges(graph, np.flatnonzero(plain))
        source, names = graph.edges.source[edges], graph.edges.name[edges]
        starts, ends = runs(source)
        turn = np.arange(len(edges)) - np.repeat(starts, ends - starts)
        sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(_hash(names, turn))))
        # Hashes wrap around, and so do their differences.
        marks = sums[ends] - sums[starts]
        _, first, shape = np.unique(marks, return_index=True, return_inverse=True)
        rank = np.empty(len(first), np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        bounds = zip(starts[np.sort(first)].tolist(), ends[np.sort(first)].tolist(), strict=True)
        texts = [tuple(graph.strings[i] for i in names[a:b].tolist()) for a, b in bounds]
        return cls(source[starts].astype(np.int64), rank[shape], texts, int(plain.sum()))

    def interfaces(self) -> list[InterfaceDefinition]:
        """Name the shapes that are common enough, the most common first."""
        objects = np.bincount(self.shape, minlength=len(self.properties))
        counts: Counter[str] = Counter()
        properties: dict[str, frozenset[str]] = {}
        for listed, count in zip(self.properties, objects.tolist(), strict=True):
            name, shown = _interface_name(listed)
            counts[name] += count
            properties.setdefault(name, frozenset(shown))
        fewest = max(_FEWEST_OBJECTS, self.total / _OBJECTS_PER_CLASS)
        return [
            InterfaceDefinition(n, properties[n])
            for n, count in counts.most_common()
            if count >= fewest
        ]

    def matches(self, interfaces: Sequence[InterfaceDefinition]) -> list[str | None]:
        """Find for each shape the interface that covers most of its properties."""
        having = defaultdict(list)
        for shape, listed in enumerate(self.properties):
            for name in set(listed):
                having[name].append(shape)
        best: list[InterfaceDefinition | None] = [None] * len(self.properties)
        for interface in interfaces:
            # Only shapes that have its rarest property can have all of them.
            for shape in min((having[name] for name in interface.properties), key=len):
                rival = best[shape]
                if rival and len(rival.properties) >= len(interface.properties):
                    continue
                if interface.properties.issubset(self.properties[shape]):
                    best[shape] = interface
        return [interface.name if interface else None for interface in best]


def property_label(name: str) -> str:
    """Quote a property's name where it would not stand apart from its neighbours."""
    return json.dumps(name, ensure_ascii=False) if re.search("[,'\"{}]", name) else name


class _ClassNumbers:
    """Numbers handed out to classes as they turn up."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}

    def __call__(self, name: str, place: str = "") -> int:
        number = self.numbers.setdefault(f"{place},{name}", len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number


def _classify_by_name(graph: Graph, class_number: _ClassNumbers) -> Ints:
    nodes = graph.nodes
    number = np.empty(len(nodes), np.int32)
    for code, kind in enumerate(nodes.kinds):
        chosen = nodes.kind == code
        if kind in ("object", "native"):
            names = np.flatnonzero(np.bincount(nodes.name[chosen]))
            label = np.zeros(len(graph.strings), np.int32)
            label[names] = [
                class_number(_without_attributes(graph.strings[name])) for name in names.tolist()
            ]
            number[chosen] = label[nodes.name[chosen]]
        elif chosen.any():
            number[chosen] = class_number(_CLASS_BY_KIND.get(kind, f"({kind})"))
    return number


def _without_attributes(name: str) -> str:
    """Reduce the tag of a DOM node to its element, which is what its like share."""
    if not name.startswith(("<", "Detached <")):
        return name
    tag, space, _ = name.removeprefix("Detached ").partition(" ")
    prefix = "Detached " if name.startswith("Detached ") else ""
    return f"{prefix}{tag}>" if space else name


def _split_by_location(graph: Graph, number: Ints, class_number: _ClassNumbers) -> None:
    """Keep apart the objects of classes that share a name but not a place in the source."""
    objects = graph.nodes.of_kind("object")
    rows: Longs = graph.locations[objects[graph.locations[:, 0]]]
    for node, script, line, column in rows.tolist():
        number[node] = class_number(class_number.names[number[node]], f"{script},{line},{column}")


def _property_edges(graph: Graph, nodes: Longs) -> Longs:
    mine = np.zeros(len(graph.nodes), np.bool_)
    mine[nodes] = True
    edges = np.flatnonzero(mine[graph.edges.source] & graph.edges.of_kind("property"))
    own: Longs = edges[graph.edges.name[edges] != graph.index("__proto__")]
    return own


def _hash(names: NDArray[np.int32], turn: Longs) -> NDArray[np.uint64]:
    """Hash a name and its place in a list, so that lists can be told apart by their sums."""
    mixed = names.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + turn.astype(np.uint64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _interface_name(properties: tuple[str, ...]) -> tuple[str, list[str]]:
    """Write the properties one after the other, as long as the line has room."""
    name, shown = "{", list[str]()
    for listed in properties:
        label = property_label(listed)
        if shown and len(name) + len(label) > _NAME_LENGTH:
            break
        name += ", " + label if shown else label
        shown.append(listed)
    return name + "}", shown
