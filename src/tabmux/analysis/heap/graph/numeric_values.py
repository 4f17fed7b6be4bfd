"""The numbers and flags a snapshot holds, where it was taken with numeric values."""

from __future__ import annotations

import re

import numpy as np

from tabmux.analysis.heap.graph.arrays import Longs, Mask
from tabmux.analysis.heap.graph.graph import Graph

MISSING = np.iinfo(np.int64).min
"""Stands where there is no number."""


def integers(graph: Graph, name: str) -> Longs:
    """Read the integer behind each node's internal reference of this name."""
    texts = _texts(graph, name, "int")
    number = np.full(len(graph.strings) + 1, MISSING, np.int64)
    for index in np.flatnonzero(np.bincount(texts[texts >= 0])).tolist():
        text = graph.strings[index]
        number[index] = int(text) if re.fullmatch(r"-?\d{1,18}", text) else MISSING
    return number[texts]


def flags(graph: Graph, name: str) -> Mask:
    """Read the truth behind each node's internal reference of this name."""
    texts, true = _texts(graph, name, "bool"), graph.index("true")
    return np.equal(texts, true) & (texts >= 0)


def _texts(graph: Graph, name: str, kind: str) -> Longs:
    """Find the string that spells each node's value; -1 where there is none."""
    nodes = graph.nodes
    holder = graph.follow(name)
    if not np.any(holder >= 0):
        return np.full(len(nodes), -1, np.int64)
    fits = np.append(nodes.of_kind("number") & graph.named(kind), np.False_)
    value = np.append(graph.follow("value"), np.int32(-1))[holder]
    spelled = fits[holder] & (value >= 0)
    return np.where(spelled, nodes.name[value], -1).astype(np.int64)
