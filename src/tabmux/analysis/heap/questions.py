"""What can be asked of a heap. Nothing here needs numpy, so that tools can be declared without."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tabmux.analysis.heap.sizes import EVERY_SIZE, SizeRange

FilterName = Literal[
    "objectsRetainedByDetachedDomNodes",
    "objectsRetainedByConsole",
    "objectsRetainedByEventHandlers",
    "objectsRetainedByContexts",
    "sharedNativeContext",
    "noNativeContext",
    "attributedToSpecificNativeContext",
]
FILTER_NAMES: tuple[str, ...] = get_args(FilterName)
SPECIFIC = FILTER_NAMES[-1]

ObjectOrder = Literal["retainedSize", "selfSize", "id"]
EdgeOrder = Literal["retainedSize", "selfSize", "name"]


@dataclass(frozen=True)
class ObjectQuery:
    """What the objects looked for have in common.

    Attributes:
        class_name: A regular expression, or plain text, found in the object's name or class.
        property_name: The same, found in the name of one of its references.
        node_type: The kind of object, such as object, closure or string.
        detached: Whether it is a DOM node cut off from the document.
    """

    class_name: str | None = None
    property_name: str | None = None
    node_type: str | None = None
    retained_size: SizeRange = EVERY_SIZE
    self_size: SizeRange = EVERY_SIZE
    detached: bool | None = None
    order: ObjectOrder = "retainedSize"


@dataclass(frozen=True)
class PathLimits:
    """How far to look."""

    depth: int = 30
    nodes: int = 1000
    siblings: int = 20


DEFAULT_LIMITS = PathLimits()
