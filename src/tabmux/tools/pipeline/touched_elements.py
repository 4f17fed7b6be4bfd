"""Touched elements: what the elements that a call names can be found by in another session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tabmux.page.element import Element
from tabmux.page.noted_element import NotedElement
from tabmux.record.call_entry import TouchedElement
from tabmux.sessions.locators import Locator, unescaped
from tabmux.tools.pipeline.call import ToolRun

_ROLE = re.compile(r'([A-Za-z]+)(?: "((?:[^"\\]|\\.)*)")?')


def noted(run: ToolRun) -> tuple[NotedElement, ...]:
    """Note the elements among a run's arguments, from what the session was shown.

    The page is asked only where that is not enough, and nobody waits for its answer: it looks at
    the element before the tool touches it, for its question is sent first.
    """
    main = run.page.frames.main if run.page is not None else None
    found = []
    for path, each in _elements(run.arguments):
        one = _noted(run, path, each)
        frame = "" if each.frame is main else each.frame.url
        found.append(replace(one, shown=replace(one.shown, frame=frame)) if frame else one)
    return tuple(found)


def _elements(value: Any, path: str = "") -> Iterator[tuple[str, Element]]:
    if isinstance(value, Element):
        yield path, value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _elements(each, f"{path}.{name}" if path else name)
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            yield from _elements(each, f"{path}.{number}")
    elif hasattr(value, "model_fields_set"):  # a model of pydantic's, which servers import late
        for name, each in value:
            yield from _elements(each, f"{path}.{name}")


def _noted(run: ToolRun, path: str, element: Element) -> NotedElement:
    role, name, text = _shown(run, element)
    plain = unescaped(name)
    if role and name and text.count(f' {role} "{name}"') == 1:
        return NotedElement(TouchedElement(path, f'{role} "{_whole(plain)}"', role, plain))
    place = _place(text, element, role, name)
    return NotedElement.asked(element, TouchedElement(path, "", role, plain, place=place))


def _shown(run: ToolRun, element: Element) -> tuple[str, str, str]:
    """Return the role and name by which an element was shown, and all that was."""
    labels = run.session.shown.labels(run.page) if run.page is not None else None
    text = labels.text if labels is not None else ""
    at = text.find(f"uid={element.uid} ")
    found = _ROLE.match(text, at + len(element.uid) + 5) if at >= 0 else None
    return (found[1], found[2] or "", text) if found else ("", "", text)


def _place(text: str, element: Element, role: str, name: str) -> int:
    """Return which of the elements of this role and name it is."""
    if not name:
        return 0
    before = text[: text.find(f"uid={element.uid} ")]
    return before.count(f' {role} "{name}"') + 1


def _whole(name: str) -> str:
    """Return as much of a name as was shown: a part of one is enough to find it by."""
    return name.removesuffix("…")


def given_locators(given: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the locators that arguments name already, by their paths."""
    if isinstance(given, str):
        if path.endswith("uid") and Locator.read(given):
            yield path, given
    elif isinstance(given, dict):
        for name, each in given.items():
            yield from given_locators(each, f"{path}.{name}" if path else str(name))
    elif isinstance(given, list):
        for number, each in enumerate(given):
            yield from given_locators(each, f"{path}.{number}")
