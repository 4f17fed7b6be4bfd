"""Rules and declarations, as the cascade sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

StyleOrigin = Literal["transition", "animation", "inline", "author", "attributes", "user", "agent"]
DeclarationState = Literal["", "overloaded", "invalid", "disabled"]


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
    state: DeclarationState = ""

    @property
    def sets(self) -> tuple[str, ...]:
        """Return the properties that it gives a value to."""
        return self.longhands or (self.name,)


@dataclass(frozen=True)
class StyleBlock:
    """A rule that matches the element, or a style that it carries itself.

    Attributes:
        title: The selector, or what stands for it.
        place: File and line; empty when there is none.
        wrappers: The at-rules around it, outermost first.
        layer: The cascade layer that it is in; empty when in none.
    """

    title: str
    origin: StyleOrigin
    declarations: tuple[Declaration, ...]
    place: str = ""
    wrappers: tuple[str, ...] = ()
    layer: str = ""


@dataclass(frozen=True)
class StyleGroup:
    """The blocks of one element or pseudo-element, strongest first."""

    title: str
    blocks: tuple[StyleBlock, ...]


@dataclass(frozen=True)
class MatchedStyles:
    """All that decides how an element looks."""

    own: StyleGroup
    inherited: tuple[StyleGroup, ...] = ()
    pseudo: tuple[StyleGroup, ...] = ()
    definitions: tuple[StyleBlock, ...] = field(default=())
