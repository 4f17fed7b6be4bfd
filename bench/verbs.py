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


@dataclass(frozen=True)
class Console:
    """What the page has logged."""


@dataclass(frozen=True)
class Requests:
    """What the page has requested."""


@dataclass(frozen=True)
class Body:
    """One request with its bodies; its number comes from the list."""

    path: str
    number: int = 0


@dataclass(frozen=True)
class Emulate:
    """A colour scheme: dark, or auto for the browser's own."""

    scheme: str


@dataclass(frozen=True)
class Find:
    """The lines of the snapshot that match a regular expression; only where a server has it."""

    pattern: str


@dataclass(frozen=True)
class Batch:
    """Fields and then a click, in one call; only where a server has it."""

    values: Values
    button: Element


Visit = Open | NewPage | Navigate
Look = Snapshot | Screenshot | Console | Requests | Body | Find
Verb = Visit | Look | Click | Fill | Evaluate | PressKey | WaitFor | Emulate | Batch


def elements(verb: Verb) -> tuple[Element, ...]:
    """The elements that must be found in a snapshot before the verb can be said."""
    match verb:
        case Click(element):
            return (element,)
        case Fill(values):
            return tuple(element for element, _ in values)
        case Batch(values, button):
            return (*(element for element, _ in values), button)
        case _:
            return ()


def located(verb: Verb, locate: Callable[[str], str]) -> Verb:
    """The verb with an address in the place of a path."""
    match verb:
        case Open(path) | NewPage(path) | Navigate(path):
            return replace(verb, url=locate(path))
        case _:
            return verb
