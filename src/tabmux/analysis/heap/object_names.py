"""Object names: what to call an object or a reference when it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from tabmux.analysis.heap.graph.graph import Graph, Ints, Mask, elements
from tabmux.analysis.heap.object_classes import property_label

TEXT_LENGTH = 1024
"""V8 writes no more of a string than this, so no more is put together from its parts."""

_LINE = 100


class ObjectNames:
    """The names of a graph, worked out when asked for."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._concatenated: dict[int, str] = {}

    def node(self, node: int) -> str:
        """Name an object: a string by its text, a plain object by its properties."""
        if self.is_concatenated[node]:
            return self.text(node)
        name = self.raw(node)
        return (
            property_list(self._properties(node))
            if name == "Object" and self._is_object[node]
            else name
        )

    def edge(self, edge: int) -> str:
        """Name a reference: a property, a variable, an index."""
        name = int(self._graph.edges.name[edge])
        return self._graph.strings[name] if self._graph.edges.has_text_name[edge] else str(name)

    def raw(self, node: int) -> str:
        """Read the name an object has in the snapshot."""
        return self._graph.strings[int(self._graph.nodes.name[node])]

    def text(self, node: int) -> str:
        """Put a string together from its parts, as far as TEXT_LENGTH at least."""
        todo = [node] if self.is_concatenated[node] else []
        while todo:
            missing = self._missing_part(todo[-1])
            if missing is None:
                top = todo.pop()
                self._concatenated[top] = self._concatenate(top)
            else:
                # Entered now, so that parts which contain themselves come to an end.
                self._concatenated[missing] = ""
                todo.append(missing)
        return self._part(node)

    @cached_property
    def is_concatenated(self) -> Mask:
        """Whether a node is a string made of two others."""
        return self._graph.nodes.of_kind("concatenated string")

    @cached_property
    def parts(self) -> tuple[Ints, Ints]:
        """The first and second part of each string that has parts."""
        return self._graph.follow("first"), self._graph.follow("second")

    @cached_property
    def _is_object(self) -> Mask:
        return self._graph.nodes.of_kind("object")

    @cached_property
    def _part_views(self) -> tuple[memoryview[int], memoryview[int], memoryview[int]]:
        """Whether a node has parts, and which: for single steps through long chains."""
        first, second = self.parts
        return elements(self.is_concatenated), elements(first), elements(second)

    def _missing_part(self, node: int) -> int | None:
        """Find the part that must be known before the node's own text can be."""
        _, firsts, seconds = self._part_views
        first, second = firsts[node], seconds[node]
        if self._unknown(first):
            return first
        if self._unknown(second) and len(self._part(first)) < TEXT_LENGTH:
            return second
        return None

    def _unknown(self, part: int) -> bool:
        return part >= 0 and bool(self._part_views[0][part]) and part not in self._concatenated

    def _part(self, part: int) -> str:
        if part < 0:
            return ""
        return self._concatenated.get(part, "") if self._part_views[0][part] else self.raw(part)

    def _concatenate(self, node: int) -> str:
        _, firsts, seconds = self._part_views
        text = self._part(firsts[node])
        return text if len(text) >= TEXT_LENGTH else text + self._part(seconds[node])

    def _properties(self, node: int) -> list[str]:
        edges = self._graph.edges
        mine = edges.leaving(node)
        named = [edge for edge in mine if edges.kinds[edges.kind[edge]] == "property"]
        return [name for name in map(self.edge, named) if name != "__proto__"]


def property_list(properties: Iterable[str]) -> str:
    """Write an object as the list of its properties, as many as a line has room for."""
    text = ""
    for label in map(property_label, properties):
        if text and len(text) + len(label) > _LINE:
            return f"{{{text}, …}}"
        text = f"{text}, {label}" if text else label
    return f"{{{text}}}"
