"""Documents as the collector reports them, written by hand."""

from __future__ import annotations

from typing import Any

from tabmux.pagetools.collect import document_tree
from tabmux.pagetools.collect.document_tree import Node


def tree(*parts: Any) -> list[Node]:
    """Return the nodes of a document that holds these, in order, the document first."""
    return document_tree.read({"root": {"r": 0, "t": "#document", "k": list(parts)}}).nodes


def node(ref: int, tag: str, *parts: Any, **said: Any) -> dict[str, Any]:
    """Report an element as the collector does."""
    return {"r": ref, "t": tag, **said, **({"k": list(parts)} if parts else {})}


def by_ref(nodes: list[Node], ref: int) -> Node:
    """Return the node of a number."""
    return next(each for each in nodes if each.ref == ref)
