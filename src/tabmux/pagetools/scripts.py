"""Page tool scripts: loads them into a frame's world when they are first wanted there."""

from __future__ import annotations

from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from tabmux.errors import ScriptFailed
from tabmux.page.frame_tree import Frame
from tabmux.page.library import joined

PACKAGE = "tabmux.pagetools"

# In this order: a later file may use what an earlier one defines.
_MODULES = (
    "element_table", "change_observer", "visibility", "element_facts", "described_search",
    "element_report", "long_lists", "collect", "call_outcome", "find_by_text",
)  # fmt: skip
_worlds: WeakKeyDictionary[Frame, int] = WeakKeyDictionary()


@cache
def source() -> str:
    """Return the script that adds the page-tool functions to a world's `tabmux` object."""
    return joined(_MODULES, PACKAGE) + "\nundefined"


async def inject(frame: Frame) -> None:
    """Make the functions of this package callable in the frame's current document.

    They are called like those of the library afterwards: `frame.call("toolLabel", ref)`,
    `frame.element("toolElement", ref)`.
    """
    if frame.world is not None and _worlds.get(frame) == frame.world:
        return
    await frame.call("standing")  # waits until the frame has a world
    world = frame.world
    if world is None:
        return
    command = {"expression": source(), "contextId": world}
    answer = await frame.channel.call("Runtime.evaluate", command)
    if details := answer.get("exceptionDetails"):
        raise ScriptFailed(str(details.get("exception", {}).get("description")))
    _worlds[frame] = world


async def run(frame: Frame, name: str, *args: Any, timeout: float = 10.0) -> Any:
    """Call one of the functions, which is put there first if need be."""
    await inject(frame)
    return await frame.call(name, *args, timeout=timeout)
