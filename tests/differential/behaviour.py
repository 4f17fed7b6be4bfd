"""What both servers are asked, and how their answers are compared."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.differential.side import Side

Facts = Mapping[str, Any]
Script = Callable[[Side], Awaitable[Facts]]

DIFFERENCES = Path(__file__).parents[2] / "docs" / "differences.md"


@dataclass(frozen=True)
class Behaviour:
    """One thing that both do.

    Attributes:
        number: Its place in the list of a hundred behaviours of the peer.
        name: What it is, in a few words.
        script: Makes the calls on one side, and returns facts.
        differs: Facts in which tabmux differs on purpose, and the entry of docs/differences.md
            that says why.
        undecided: Facts that are always true of tabmux, and of the peer now and then.
    """

    number: int
    name: str
    script: Script
    differs: Mapping[str, str] = field(default_factory=dict)
    undecided: tuple[str, ...] = ()


BEHAVIOURS: list[Behaviour] = []


def behaviour(number: int, *undecided: str, **differs: str) -> Callable[[Script], Script]:
    """Register a script; facts named here differ on purpose, or by chance."""

    def register(script: Script) -> Script:
        name = getattr(script, "__name__", "").replace("_", " ")
        BEHAVIOURS.append(Behaviour(number, name, script, differs, undecided))
        return script

    return register


def entries() -> set[str]:
    """The entries of docs/differences.md."""
    return set(re.findall(r"^### ([\w-]+)", DIFFERENCES.read_text(), re.MULTILINE))


def compare(behaviour: Behaviour, ours: Facts, theirs: Facts) -> list[str]:
    """What is not as it should be: equal where nothing is said, different where it is."""
    problems = []
    for name in {**ours, **theirs}:
        mine, other = ours.get(name), theirs.get(name)
        if name in behaviour.undecided:
            other = True
        entry = behaviour.differs.get(name)
        if entry is None and mine != other:
            problems.append(f"{name}: tabmux {mine!r}, the peer {other!r}")
        if entry is not None and mine == other:
            problems.append(f"{name}: {entry} says that they differ, but both are {mine!r}")
    problems += [f"{name}: no such fact" for name in behaviour.differs if name not in ours]
    return problems
