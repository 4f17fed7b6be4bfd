"""Listening elements: which elements of a document react to the mouse or to keys by themselves."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from tabmux.cdp.channel import Params
from tabmux.errors import TabmuxError
from tabmux.page.frame_tree import Frame, FrameGone

# Listeners come without any sign. Asking took Chromium 156 1.5 ms for 10,000 elements, so that
# snapshots in quick succession need not ask again.
FRESH_SECONDS = 1.0
ASK_SECONDS = 2.0
# How many elements are told to the walker at once; the others follow with the next snapshots.
MOST_AT_ONCE = 300
# Frameworks listen to every type at the root of what they render, for all that is inside.
MOST_TYPES = 12
TYPES = frozenset({
    "click", "dblclick", "contextmenu", "mousedown", "mouseup", "pointerdown", "pointerup",
    "touchstart", "touchend", "keydown", "keyup", "keypress", "dragstart", "drop",
})  # fmt: skip


@dataclass
class Inquiry:
    """What is known of the listeners of one document."""

    world: int
    document: str
    asked: float = 0.0
    known: set[int] = field(default_factory=set)


class ListeningElements:
    """Tells the walkers of a page's frames which elements have listeners of their own."""

    def __init__(self) -> None:
        self._inquiries: WeakKeyDictionary[Frame, Inquiry] = WeakKeyDictionary()
        # What was asked for ahead, and in which world of the page.
        self._ahead: WeakKeyDictionary[Frame, tuple[int, asyncio.Future[Params]]] = (
            WeakKeyDictionary()
        )

    def prepare(self, frame: Frame) -> None:
        """Get hold of a document that has just loaded, before anybody asks."""
        if frame.page_world is not None:
            asking = _document_of(frame)
            asking.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._ahead[frame] = (frame.page_world, asking)

    async def learn(self, frame: Frame, *, anew: bool = False) -> bool:
        """Ask Chrome, unless it was asked just now; returns whether the walker learned of any.

        Args:
            frame: Whose document.
            anew: Whether to ask however soon, because there are new elements.
        """
        try:
            inquiry = await self._inquiry(frame)
            if not anew and time.monotonic() - inquiry.asked < FRESH_SECONDS:
                return False
            inquiry.asked = time.monotonic()
            asked = {"objectId": inquiry.document, "depth": -1, "pierce": True}
            answer = await frame.channel.call(
                "DOMDebugger.getEventListeners", asked, timeout=ASK_SECONDS
            )
            new = [node for node in _nodes(answer["listeners"]) if node not in inquiry.known]
            inquiry.known.update(new[:MOST_AT_ONCE])
            return bool(new) and await _tell(frame, new[:MOST_AT_ONCE])
        except TabmuxError:
            return False  # the document has gone, or its browser does not tell

    async def _inquiry(self, frame: Frame) -> Inquiry:
        world = await frame.ready()
        found = self._inquiries.get(frame)
        if frame.page_world is None:
            raise FrameGone("The page has no document to work with yet.", hint="Try again.")
        if found is None or found.world != world:
            # In the page's own world: asked for the document of another, Chromium 156 mixes up
            # the worlds of the listeners, and the tab crashes a moment later.
            of, asking = self._ahead.pop(frame, (None, None))
            if asking is None or of != frame.page_world:
                asking = _document_of(frame)
            found = Inquiry(world, (await asking)["result"]["objectId"])
            self._inquiries[frame] = found
        return found


def _document_of(frame: Frame) -> asyncio.Future[Params]:
    asked = {"expression": "document", "contextId": frame.page_world}
    return frame.channel.call("Runtime.evaluate", asked)


def _nodes(listeners: Iterable[dict[str, Any]]) -> list[int]:
    """Return the nodes that listen to what a user does, but for those that do so for others."""
    types = defaultdict[int, set[str]](set)
    for each in listeners:
        types[each.get("backendNodeId", 0)].add(each["type"])
    types.pop(0, None)
    return [node for node, some in types.items() if some & TYPES and len(some) <= MOST_TYPES]


async def _tell(frame: Frame, nodes: list[int]) -> bool:
    found = await asyncio.gather(*map(frame.resolve, nodes), return_exceptions=True)
    handles = [handle for handle in found if isinstance(handle, str)]
    command = {
        "functionDeclaration": "function (...nodes) { return tabmux.noteListening(nodes) }",
        "executionContextId": await frame.ready(),
        "arguments": [{"objectId": handle} for handle in handles],
        "returnByValue": True,
    }
    answer = await frame.channel.call("Runtime.callFunctionOn", command)
    return bool(answer["result"].get("value"))
