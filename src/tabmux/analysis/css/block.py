"""Rules and declarations, as the cascade sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Origin = Literal["transition", "animation", "inline", "author", "attributes", "user", "agent"]
State = Literal["", "overloaded", "invalid", "disabled"]


@dataclass(frozen=True)
class Declaration:
    """One property of a rule.

    Attributes:
        longhands: The properties that it sets: its own, or all those of a shorthand.
        state: Why it has no effect; empty when it has one.
    """

    name: str
    value: str
    important: bool = False
    longhands: tuple[str, ...] = ()
    state: State = ""

    @property
    def sets(self) -> tuple[str, ...]:
        """Return the properties that it gives a value to."""
        return self.longhands or (self.name,)


@dataclass(frozen=True)
class Block:
    """A rule that matches the element, or a style that it carries itself.

    Attributes:
        title: The selector, or what stands for it.
        place: File and line; empty when there is none.
        wrappers: The at-rules around it, outermost first.
        layer: The cascade layer that it is in; empty when in none.
    """

    title: str
    origin: Origin
    declarations: tuple[Declaration, ...]
    place: str = ""
    wrappers: tuple[str, ...] = ()
    layer: str = ""


@dataclass(frozen=True)
class Group:
    """The blocks of one element or pseudo-element, strongest first."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Styles:
    """All that decides how an element looks."""

    own: Group
    inherited: tuple[Group, ...] = ()
    pseudo: tuple[Group, ...] = ()
    definitions: tuple[Block, ...] = field(default=())
