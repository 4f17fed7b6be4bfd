"""What a row asks of a server, before a dialect turns it into a tool call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Element:
    """An element as an agent finds it in a snapshot."""

    role: str
    name: str


Values = tuple[tuple[Element, str], ...]


@dataclass(frozen=True)
class Open:
    """The first page of a session, in a tab of its own; a path is resolved against the site."""

    url: str


@dataclass(frozen=True)
class NewPage:
    """One more tab."""

    url: str


@dataclass(frozen=True)
class Navigate:
    """Another page in the same tab."""

    url: str


@dataclass(frozen=True)
class Snapshot:
    """The page as text."""


@dataclass(frozen=True)
class Click:
    """A click on an element."""

    element: Element


@dataclass(frozen=True)
class Fill:
    """Text for one or more fields: one is `fill`, several are `fill_form`."""

    values: Values


@dataclass(frozen=True)
class Evaluate:
    """A JavaScript function called in the page."""

    function: str


@dataclass(frozen=True)
class PressKey:
    """One key for whatever has the focus."""

    key: str


@dataclass(frozen=True)
class Screenshot:
    """The viewport as PNG."""


@dataclass(frozen=True)
class WaitFor:
    """A text that must appear."""

    text: str
    seconds: int = 10


Visit = Open | NewPage | Navigate
Verb = Visit | Snapshot | Click | Fill | Evaluate | PressKey | Screenshot | WaitFor


def elements(verb: Verb) -> tuple[Element, ...]:
    """The elements that must be found in a snapshot before the verb can be said."""
    match verb:
        case Click(element):
            return (element,)
        case Fill(values):
            return tuple(element for element, _ in values)
        case _:
            return ()


def located(verb: Verb, locate: Callable[[str], str]) -> Verb:
    """The verb with an address in the place of a path."""
    match verb:
        case Open(path) | NewPage(path) | Navigate(path):
            return replace(verb, url=locate(path))
        case _:
            return verb
