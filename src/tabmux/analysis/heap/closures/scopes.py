"""The scopes of each script: which variables they keep for closures, and who reads those."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import islice

from tabmux.analysis.heap.graph.graph import Graph

SCRIPT_ROOT = -2
"""The id V8 gives the outermost scope of every script."""

Scripts = dict[int, dict[int, "Scope"]]


@dataclass(eq=False)
class Scope:
    """A scope in the source.

    Attributes:
        id: V8's number for it, unique in its script.
        outer: The scope around it.
        variables: The variables it keeps for closures.
        readers: For each of them, the scopes that read it.
    """

    id: int
    outer: Scope | None
    variables: list[str]
    readers: dict[str, list[Scope]] = field(default_factory=lambda: defaultdict(list))


def scopes_by_script(graph: Graph) -> Scripts:
    """Read the scopes of every script, by the script's node and by their ids."""
    scripts: Scripts = defaultdict(dict)
    _declare(graph, scripts)
    _connect(graph, scripts)
    return dict(scripts)


def _declare(graph: Graph, scripts: Scripts) -> None:
    """Scopes are listed from the outside in, each with its depth."""
    names = iter(graph.scopes.variables.tolist())
    path: list[Scope] = []
    for script, scope_id, depth, variables, _ in graph.scopes.scopes.tolist():
        del path[depth:]
        kept = [graph.strings[name] for name in islice(names, variables)]
        path.append(Scope(scope_id, path[-1] if path else None, kept))
        scripts[script][scope_id] = path[-1]


def _connect(graph: Graph, scripts: Scripts) -> None:
    uses = iter(graph.scopes.uses.tolist())
    for script, scope_id, _, _, count in graph.scopes.scopes.tolist():
        for declaring, slot in islice(uses, count):
            owner = scripts[script].get(declaring)
            if owner and 0 <= slot < len(owner.variables):
                owner.readers[owner.variables[slot]].append(scripts[script][scope_id])
