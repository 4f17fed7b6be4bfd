"""Model: the values that page tools are made of, from a derived tool to a published one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from tabmux.pagetools.collect.document_tree import Node, Ref

ToolSource = Literal["webmcp", "polyfill", "discovery", "derived", "descriptor", "generic"]
ToolKind = Literal[
    "form", "search", "list", "item_action", "pager", "tabs", "menu", "choice", "sort", "action",
    "read", "click", "link", "fill", "declared", "url",
]  # fmt: skip
# The argument that says twice that something is to be destroyed; no tool has another use for it.
CONFIRM = "confirm"
# What parameters of our own say of themselves.
POSITION, WHICH, ITS_TEXT = "Position in the list, from 1", "Which of several", "Its text or label"
OUR_DESCRIPTIONS = frozenset({POSITION, WHICH, ITS_TEXT})


@dataclass(frozen=True)
class Option:
    """One value of a control that offers several."""

    label: str
    value: str
    ref: Ref | None = None


@dataclass(frozen=True)
class ToolControl:
    """One parameter of a tool, and the element that it sets."""

    key: str
    ref: Ref
    kind: str  # text, password, select, radio, checkbox, combobox, file, date, editable…
    label: str
    name: str = ""
    required: bool = False
    secret: bool = False
    options: tuple[Option, ...] = ()
    schema: dict[str, Any] = field(default_factory=dict)
    # What has to be opened before it shows.
    opener: Ref | None = None


@dataclass(frozen=True)
class ListItem:
    """One entry of a list, as the agent saw it."""

    key: str
    text: str
    target: Ref
    # The entry itself: the mouse has to be over it where the target shows only then.
    ref: Ref | None = None
    # Fields that this entry has of its own, in the order of the tool's.
    controls: tuple[ToolControl, ...] = ()
    # False for an entry that the tool can do nothing with; it has its number all the same,
    # so that a number means one entry, whichever tool of the list is called.
    usable: bool = True
    # True for one far down in a long list, of which only the key is known until it is wanted.
    brief: bool = False
    # False for a target that is only set: there is nothing to press afterwards.
    presses: bool = True
    # What has to be opened before the target shows.
    openers: tuple[Ref, ...] = ()


@dataclass(frozen=True)
class ExecutionPlan:
    """How a tool is carried out: open containers, fill, then press.

    A control of kind `choice` is set by clicking the chosen option's element.
    A tool with items takes `index`, from 1, and presses that item's target.
    """

    openers: tuple[Ref, ...] = ()
    controls: tuple[ToolControl, ...] = ()
    submit: Ref | None = None
    enter: Ref | None = None  # commit with Enter in this field instead of a button
    items: tuple[ListItem, ...] = ()
    url_template: str = ""
    form: Ref | None = None  # the form whose tool this is, by which a declared one replaces it


@dataclass(frozen=True)
class PageTool:
    """A tool that a page offers.

    `key` is stable across re-renders and reloads; `frame`, `loader` and `origin` say which
    document it belongs to; refs in the plan are only good in that document.
    """

    name: str
    description: str
    schema: dict[str, Any]
    key: str
    kind: ToolKind
    source: ToolSource
    frame: str
    loader: str
    origin: str
    plan: ExecutionPlan = ExecutionPlan()
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False
    rank: float = 0.0


@dataclass
class DerivedTool:
    """A tool before it has its name: what a part of a page lets do, and what it could be called.

    Attributes:
        key: What stays the same when the page is drawn again or loaded again.
        names: What it may be called, the best first.
        description: What it does, in a few words.
        rank: How much it matters, from 0 to 100; below the floor it is not published.
        nodes: The elements that it takes care of, so that nothing else does.
    """

    kind: ToolKind
    key: str
    names: list[str]
    description: str
    rank: float
    controls: list[ToolControl] = field(default_factory=list)
    items: list[ListItem] = field(default_factory=list)
    indexed: bool = False
    openers: tuple[Ref, ...] = ()
    submit: Ref | None = None
    enter: Ref | None = None
    form: Ref | None = None
    url_template: str = ""
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False
    consequential: bool = False
    nodes: list[Node] = field(default_factory=list)
