"""Noted elements: what the record keeps of elements that are acted upon, and of what was done."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import Any

from tabmux.cdp.channel import Params
from tabmux.page.element import Element
from tabmux.record.call_entry import TouchedElement


@dataclass(frozen=True)
class NotedElement:
    """An element as it was shown, and what the page was asked where that is not enough."""

    shown: TouchedElement
    answer: asyncio.Future[Params] | None = None

    @classmethod
    def asked(cls, element: Element, shown: TouchedElement) -> NotedElement:
        """Ask the page about an element; nobody waits for the answer.

        It looks at the element before anything is done to it, for the question is sent first.
        """
        answer = element.frame.begin("describe_element", element.epoch, element.label)
        return cls(shown, answer)

    def described(self) -> TouchedElement:
        """Return what is known by now."""
        value = _value(self.answer)
        if value is None:
            return self.shown
        test_id, css = str(value["testId"]), str(value["css"])
        return replace(
            self.shown,
            locator=f"testid={test_id}" if test_id else f"css={css}" if css else "",
            role=self.shown.role or str(value["role"]),
            name=self.shown.name or str(value["name"]),
            test_id=test_id,
        )


@dataclass(frozen=True)
class TakenStep:
    """What a tool of the page did to one element: the tool that does the same, and its value."""

    tool: str
    element: NotedElement
    value: str | None = None
    began: float = field(default_factory=time.time)

    @classmethod
    def on(cls, element: Element, tool: str, value: str | None = None) -> TakenStep:
        """Note a step that is about to be taken."""
        shown = TouchedElement("uid", name=element.uid)
        return cls(tool, NotedElement.asked(element, shown), value)


def _value(answer: asyncio.Future[Params] | None) -> dict[str, Any] | None:
    if answer is None or not answer.done() or answer.cancelled() or answer.exception():
        return None
    value = answer.result().get("result", {}).get("value")
    return value if isinstance(value, dict) else None
