"""Small heap snapshots, written by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from tabmux.analysis.heap.graph.graph import Graph
from tabmux.analysis.heap.graph.snapshot_file import SnapshotFile, decode_graph
from tabmux.analysis.heap.heap_report import HeapReport
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot

NODE_KINDS = [
    "hidden",
    "array",
    "string",
    "object",
    "code",
    "closure",
    "regexp",
    "number",
    "native",
    "synthetic",
    "concatenated string",
    "sliced string",
]
EDGE_KINDS = ["context", "element", "property", "internal", "hidden", "shortcut", "weak"]
SHARED = Path(__file__).parents[3].parent / "shared"


class SnapshotBuilder:
    """A heap with a root, to which nodes and edges are added; a node goes by its number.

    Object ids are odd and follow from the number: node 3 has the id 7.
    """

    def __init__(self) -> None:
        self.strings = ["", "int", "value"]
        self.nodes: list[list[int]] = []
        self.edges: list[list[tuple[int, int, int]]] = []
        self.locations: list[int] = []
        self.scopes: list[int] = []
        self.variables: list[int] = []
        self.uses: list[int] = []
        self.root = self.node("", "synthetic", 0)

    def node(
        self, name: str, kind: str = "object", size: int = 10, state: int = 0, object_id: int = 0
    ) -> int:
        """Add an object that nothing refers to yet."""
        number = len(self.nodes)
        identity = object_id or 2 * number + 1
        self.nodes.append([NODE_KINDS.index(kind), self.text(name), identity, size, 0, state])
        self.edges.append([])
        return number

    def edge(self, source: int, target: int, name: str | int, kind: str = "property") -> None:
        """Add a reference."""
        named = name if isinstance(name, int) else self.text(name)
        self.edges[source].append((EDGE_KINDS.index(kind), named, target))

    def child(
        self, parent: int, edge: str | int, name: str, kind: str = "object", **more: int
    ) -> int:
        """Add an object as a property of another."""
        node = self.node(name, kind, **more)
        self.edge(parent, node, edge, "element" if isinstance(edge, int) else "property")
        return node

    def inside(self, parent: int, edge: str, name: str, kind: str = "object", **more: int) -> int:
        """Add an object as an internal reference of another."""
        node = self.node(name, kind, **more)
        self.edge(parent, node, edge, "internal")
        return node

    def number(self, parent: int, edge: str, value: object, kind: str = "int") -> None:
        """Add a number the way V8 writes it when it is told to capture numeric values."""
        number = self.inside(parent, edge, kind, "number", size=0)
        self.inside(number, "value", str(value), "string", size=0)

    def text(self, string: str) -> int:
        """Enter a string into the table."""
        if string not in self.strings:
            self.strings.append(string)
        return self.strings.index(string)

    def locate(self, node: int, script: int, line: int, column: int) -> None:
        """Say where an object's class is declared."""
        self.locations += [node * 6, script, line, column]

    def scope(
        self, script: int, scope_id: int, depth: int, variables: list[str], *uses: int
    ) -> None:
        """Describe a scope; `uses` alternates between declaring scope and slot."""
        self.scopes += [script * 6, scope_id, depth, len(variables), len(uses) // 2]
        self.variables += [self.text(variable) for variable in variables]
        self.uses += uses

    def data(self) -> dict[str, Any]:
        """Give the snapshot the shape of the file."""
        rows = [
            [*row[:4], len(edges), row[5]]
            for row, edges in zip(self.nodes, self.edges, strict=True)
        ]
        flat = [(kind, name, target * 6) for edges in self.edges for kind, name, target in edges]
        meta = {
            "node_fields": ["type", "name", "id", "self_size", "edge_count", "detachedness"],
            "node_types": [NODE_KINDS, "string", "number", "number", "number", "number"],
            "edge_fields": ["type", "name_or_index", "to_node"],
            "edge_types": [EDGE_KINDS, "string_or_number", "node"],
            "location_fields": ["object_index", "script_id", "line", "column"],
            "scope_fields": [
                "script_node_index",
                "scope_id",
                "depth",
                "scope_context_vars_count",
                "scope_uses_count",
            ],
            "scope_context_var_fields": ["name"],
            "scope_use_fields": ["declaring_scope_id", "slot_index"],
        }
        header = {"meta": meta, "node_count": len(rows), "edge_count": len(flat)}
        return {
            "snapshot": header,
            "nodes": [number for row in rows for number in row],
            "edges": [number for edge in flat for number in edge],
            "locations": self.locations,
            "scopes": self.scopes,
            "scope_context_vars": self.variables,
            "scope_uses": self.uses,
            "strings": self.strings,
        }

    def graph(self) -> Graph:
        """Read the snapshot as a graph."""
        return graph_of(self.data())

    def heap(self) -> HeapSnapshot:
        """Read the snapshot as a heap."""
        return HeapSnapshot.of(self.profile())

    def report(self) -> HeapReport:
        """Read the snapshot as a report."""
        return HeapReport(self.heap())

    def profile(self) -> SnapshotFile:
        """Read the snapshot as the parts of a file."""
        return profile_of(self.data())

    def write(self, path: Path) -> Path:
        """Write the snapshot to a file."""
        path.write_bytes(msgspec.json.encode(self.data()))
        return path


def profile_of(data: dict[str, Any]) -> SnapshotFile:
    """Read the parts of a file."""
    return msgspec.json.decode(msgspec.json.encode(data), type=SnapshotFile)


def graph_of(data: dict[str, Any]) -> Graph:
    """Read a graph."""
    return decode_graph(profile_of(data))
