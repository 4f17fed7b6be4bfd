"""Scopes: which variables the scopes of scripts keep for closures, and who reads them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from tabmux.analysis.heap.graph.graph import NO_VALUE, Graph, elements, integer_values
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot

SCRIPT_ROOT = -2
"""The id V8 gives the outermost scope of every script."""
ScriptScopes = dict[int, dict[int, "HeapScope"]]
_SCRIPT = "system / Script"
_SCOPE_INFO = "system / ScopeInfo"
_FUNCTION = "system / SharedFunctionInfo"


@dataclass(eq=False)
class HeapScope:
    """A scope in the source.

    Attributes:
        id: V8's number for it, unique in its script.
        outer: The scope around it.
        variables: The variables it keeps for closures.
        readers: For each of them, the scopes that read it.
    """

    id: int
    outer: HeapScope | None
    variables: list[str]
    readers: dict[str, list[HeapScope]] = field(default_factory=lambda: defaultdict(list))


def scopes_by_script(graph: Graph) -> ScriptScopes:
    """Read the scopes of every script, by the script's node and by their ids."""
    scripts: ScriptScopes = defaultdict(dict)
    _read_scopes(graph, scripts)
    _read_uses(graph, scripts)
    return dict(scripts)


@dataclass(frozen=True)
class ScopeInfo:
    """V8's description of a scope that contexts are made for."""

    id: int
    scope_id: int
    name: str
    start: int
    end: int
    script: int
    script_id: int
    script_name: str


class ScopeInfos:
    """The descriptions of a heap, found through the scripts' lists of functions."""

    def __init__(self, heap: HeapSnapshot) -> None:
        self._heap = heap
        graph = heap.graph
        self._outer = elements(graph.follow("outer_scope_info"))
        self._scope_id = elements(integer_values(graph, "scope_id"))
        self._is_info = graph.named(_SCOPE_INFO)
        self._name = graph.follow("function_name")
        self._start = integer_values(graph, "start_position")
        self._end = integer_values(graph, "end_position")
        self._script: dict[int, int] = {}
        self._known: dict[int, ScopeInfo | None] = {}
        self._assign_scripts()

    @property
    def has_scope_ids(self) -> bool:
        """Whether the snapshot holds the numbers of scopes at all."""
        return any(number != NO_VALUE for number in self._scope_id)

    def describe(self, info: int) -> ScopeInfo | None:
        """Describe a scope, if the heap tells its id and its script."""
        if info not in self._known:
            self._known[info] = self._described(info)
        return self._known[info]

    def _described(self, info: int) -> ScopeInfo | None:
        script = self._script_of(info)
        if script is None or self._scope_id[info] == NO_VALUE:
            return None
        nodes, names = self._heap.graph.nodes, self._heap.names
        function = int(self._name[info])
        return ScopeInfo(
            id=int(nodes.id[info]),
            scope_id=self._scope_id[info],
            name=names.node(function) if function >= 0 else "",
            start=max(0, int(self._start[info])),
            end=max(0, int(self._end[info])),
            script=script,
            script_id=int(nodes.id[script]),
            script_name=self._script_name(script),
        )

    def _script_of(self, info: int) -> int | None:
        """Look outwards until a scope is found whose script is known."""
        passed = set()
        while info >= 0 and info not in self._script and info not in passed:
            passed.add(info)
            info = -1 if self._scope_id[info] == SCRIPT_ROOT else self._outer[info]
        return self._script.get(info)

    def _script_name(self, script: int) -> str:
        name = self._heap.names.raw(script).removeprefix(_SCRIPT).removeprefix(" / ")
        if not name:
            address = int(self._heap.graph.follow("source_url")[script])
            name = self._heap.names.node(address) if address >= 0 else ""
        return name or f"script @{self._heap.graph.nodes.id[script]}"

    def _assign_scripts(self) -> None:
        """Walk each script's functions, and from each the scopes around it."""
        graph = self._heap.graph
        lists, evaluated = graph.follow("infos"), graph.follow("eval_from_scope_info")
        own, around = (
            graph.follow(name)
            for name in ("name_or_scope_info", "raw_outer_scope_info_or_feedback_metadata")
        )
        functions = graph.name_starts_with(_FUNCTION)
        for script in np.flatnonzero(graph.name_starts_with(_SCRIPT) & (lists >= 0)).tolist():
            for edge in graph.edges.leaving(int(lists[script])):
                listed = int(graph.edges.target[edge])
                if functions[listed]:
                    listed = self._scope_of(listed, int(own[listed]), int(around[listed]))
                self._assign_chain(script, listed, int(evaluated[script]))

    def _scope_of(self, function: int, own: int, around: int) -> int:
        """Find a function's scope; before it has first run, only the one around it is there."""
        if own >= 0 and self._is_info[own]:
            return own
        return -1 if self._scope_id[function] in (NO_VALUE, SCRIPT_ROOT) else around

    def _assign_chain(self, script: int, info: int, stop: int) -> None:
        """Give a scope and those around it to a script; `stop` is where it was evaluated."""
        while info >= 0 and self._is_info[info] and info != stop and info not in self._script:
            self._script[info] = script
            info = -1 if self._scope_id[info] == SCRIPT_ROOT else self._outer[info]


def _read_scopes(graph: Graph, scripts: ScriptScopes) -> None:
    """Scopes are listed from the outside in, each with its depth."""
    names = iter(graph.scopes.variables.tolist())
    path: list[HeapScope] = []
    for script, scope_id, depth, variables, _ in graph.scopes.scopes.tolist():
        del path[depth:]
        kept = [graph.strings[name] for name in islice(names, variables)]
        path.append(HeapScope(scope_id, path[-1] if path else None, kept))
        scripts[script][scope_id] = path[-1]


def _read_uses(graph: Graph, scripts: ScriptScopes) -> None:
    uses = iter(graph.scopes.uses.tolist())
    for script, scope_id, _, _, count in graph.scopes.scopes.tolist():
        for declaring, slot in islice(uses, count):
            owner = scripts[script].get(declaring)
            if owner and 0 <= slot < len(owner.variables):
                owner.readers[owner.variables[slot]].append(scripts[script][scope_id])
