"""Retaining paths: how an object is reached from the roots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from tabmux.analysis.heap.graph.reachability import SYSTEM_DISTANCE
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.query_options import DEFAULT_LIMITS, PathLimits

# Nearer than this there are only V8's own lists of roots, which explain nothing.
_ROOT_DISTANCE = 2


@dataclass(frozen=True)
class PathStep:
    """A holder on the way to the roots; `depth` 0 holds the object asked about."""

    depth: int
    node: int
    edge: int
    distance: int


@dataclass(frozen=True)
class RetainingPaths:
    """The ways to the roots as an indented list, and which limits cut it short."""

    steps: tuple[PathStep, ...]
    limits_reached: frozenset[str]


def retaining_paths(
    heap: HeapSnapshot, node: int, limits: PathLimits = DEFAULT_LIMITS
) -> RetainingPaths:
    """Follow an object's retainers to the roots, the shortest ways first."""
    # What only V8 itself holds is far from every root of the page: there V8's roots count.
    base = SYSTEM_DISTANCE if heap.distance[node] >= SYSTEM_DISTANCE else 0
    return _PathSearch(heap, limits, base).run(node)


@dataclass
class _Level:
    """A node whose retainers are being followed, with those still to come."""

    node: int
    depth: int
    coming: Iterator[PathStep]
    mark: int


@dataclass
class _PathSearch:
    heap: HeapSnapshot
    limits: PathLimits
    base: int
    steps: list[PathStep] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)
    visited: dict[int, int] = field(default_factory=dict)
    active: set[int] = field(default_factory=set)
    count: int = 0

    def run(self, node: int) -> RetainingPaths:
        levels = self._enter(node, 0)
        while levels:
            step = next(levels[-1].coming, None)
            if step is None:
                self._leave(levels.pop())
            elif step.distance <= _ROOT_DISTANCE:
                self._reach_root(step, levels[-1])
            elif deeper := self._enter(step.node, step.depth + 1):
                self.steps.append(step)
                deeper[0].mark = len(self.steps)
                levels += deeper
        return RetainingPaths(tuple(self.steps), frozenset(self.reached))

    def _enter(self, node: int, depth: int) -> list[_Level]:
        """Start on a node, unless that would go in circles or too far."""
        if not self._counted():
            return []
        if depth >= self.limits.depth:
            self.reached.add("depth")
            return []
        if node in self.active or self.visited.get(node, depth + 1) <= depth:
            return []
        self.active.add(node)
        return [_Level(node, depth, self._retainers(node, depth), len(self.steps))]

    def _leave(self, level: _Level) -> None:
        """Finish a node; if none of its retainers led to the roots, it did not either."""
        self.active.remove(level.node)
        self.visited[level.node] = level.depth
        if level.depth and len(self.steps) == level.mark:
            self.steps.pop()

    def _reach_root(self, step: PathStep, level: _Level) -> None:
        if self._counted():
            self.steps.append(step)
        else:
            level.coming = iter(())

    def _counted(self) -> bool:
        self.count += 1
        if self.count > self.limits.nodes:
            self.reached.add("nodes")
        return self.count <= self.limits.nodes

    def _retainers(self, node: int, depth: int) -> Iterator[PathStep]:
        edges = self.heap.graph.edges
        held = self.heap.graph.retaining_edges(node)[::-1]
        held = held[~edges.weak[held]]
        distance = self.heap.distance[edges.source[held]] - self.base
        leads = (distance >= 0) & (distance < SYSTEM_DISTANCE)
        held, distance = held[leads], distance[leads]
        near = distance - _ROOT_DISTANCE < self.limits.depth - depth
        if not near.all():
            self.reached.add("depth")
        held, distance = held[near], distance[near]
        if len(held) > self.limits.siblings:
            self.reached.add("siblings")
        order = np.argsort(distance, kind="stable")[: self.limits.siblings]
        for edge, far in zip(held[order].tolist(), distance[order].tolist(), strict=True):
            yield PathStep(depth, int(edges.source[edge]), edge, far)
