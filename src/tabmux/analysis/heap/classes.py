"""The class of each object, as far as a snapshot tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.graph.arrays import Ints, Longs
from tabmux.analysis.heap.graph.graph import Graph
from tabmux.analysis.heap.interfaces import InterfaceDefinition, PlainObjects

_BY_KIND = {
    "hidden": "(system)",
    "code": "(compiled code)",
    "closure": "Function",
    "regexp": "RegExp",
}


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
    def sort(
        cls, graph: Graph, shapes: PlainObjects, interfaces: Sequence[InterfaceDefinition]
    ) -> Classes:
        """Put every object into a class."""
        register = _Register()
        number = _by_name(graph, register)
        matches = [register(name or "Object") for name in shapes.matches(interfaces)]
        number[shapes.objects] = np.array(matches, np.int32)[shapes.shape]
        _locate(graph, number, register)
        return cls(list(register.names), list(register.numbers), number)


class _Register:
    """Numbers handed out to classes as they turn up."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}

    def __call__(self, name: str, place: str = "") -> int:
        number = self.numbers.setdefault(f"{place},{name}", len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number


def _by_name(graph: Graph, register: _Register) -> Ints:
    nodes = graph.nodes
    number = np.empty(len(nodes), np.int32)
    for code, kind in enumerate(nodes.kinds):
        chosen = nodes.kind == code
        if kind in ("object", "native"):
            names = np.flatnonzero(np.bincount(nodes.name[chosen]))
            label = np.zeros(len(graph.strings), np.int32)
            label[names] = [register(_element(graph.strings[name])) for name in names.tolist()]
            number[chosen] = label[nodes.name[chosen]]
        elif chosen.any():
            number[chosen] = register(_BY_KIND.get(kind, f"({kind})"))
    return number


def _element(name: str) -> str:
    """Reduce the tag of a DOM node to its element, which is what its like share."""
    if not name.startswith(("<", "Detached <")):
        return name
    tag, space, _ = name.removeprefix("Detached ").partition(" ")
    prefix = "Detached " if name.startswith("Detached ") else ""
    return f"{prefix}{tag}>" if space else name


def _locate(graph: Graph, number: Ints, register: _Register) -> None:
    """Keep apart the objects of classes that share a name but not a place in the source."""
    objects = graph.nodes.of_kind("object")
    rows: Longs = graph.locations[objects[graph.locations[:, 0]]]
    for node, script, line, column in rows.tolist():
        number[node] = register(register.names[number[node]], f"{script},{line},{column}")
