"""Reactions: who reacts to an action at a place of a page, and may be yet to show what it did."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass

from tabmux.cdp.channel import Params
from tabmux.page.frame_tree import Frame
from tabmux.page.library import source

# For looking at the listeners on the way to one element.
LISTENERS_MILLISECONDS = 200


@dataclass(frozen=True)
class Reactions:
    """Who reacts; everybody where it could not be found out.

    Attributes:
        scripted: Whether scripts listen on the way to the element.
        native: Whether Chrome itself does something there.
    """

    scripted: bool = True
    native: bool = True

    def __or__(self, other: Reactions | None) -> Reactions:
        """Return who reacts to either of two actions."""
        if other is None:
            return self
        return Reactions(self.scripted or other.scripted, self.native or other.native)


def asked(frame: Frame, at: Mapping[str, float] | None = None) -> asyncio.Future[Params]:
    """Ask who reacts to the mouse at a point, or to keys where the focus is."""
    look = source("reactions").rstrip()
    command = {
        "expression": f"{look}(getEventListeners, {json.dumps(at)})",
        "contextId": frame.page_world or frame.world,
        "includeCommandLineAPI": True,
        "returnByValue": True,
        "timeout": LISTENERS_MILLISECONDS,
    }
    return frame.channel.call("Runtime.evaluate", command)


def told(answer: Params | None) -> Reactions:
    """Read the answer; none when something else came first."""
    found = answer["result"].get("value") if answer is not None else None
    return Reactions(**found) if isinstance(found, dict) else Reactions()
