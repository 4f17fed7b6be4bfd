"""A tool before it has its name."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.model import ListItem, Ref, ToolControl, ToolKind


@dataclass
class DerivedTool:
    """What a part of a page lets do, and what it could be called.

    Attributes:
        key: What stays the same when the page is drawn again or loaded again.
        names: What it may be called, the best first.
        says: What it does, in a few words.
        rank: How much it matters, from 0 to 100; below the floor it is not published.
        nodes: The elements that it takes care of, so that nothing else does.
    """

    kind: ToolKind
    key: str
    names: list[str]
    says: str
    rank: float
    controls: list[ToolControl] = field(default_factory=list)
    items: list[ListItem] = field(default_factory=list)
    indexed: bool = False
    openers: tuple[Ref, ...] = ()
    submit: Ref | None = None
    enter: Ref | None = None
    form: Ref | None = None
    template: str = ""
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False
    consequential: bool = False
    nodes: list[Node] = field(default_factory=list)
