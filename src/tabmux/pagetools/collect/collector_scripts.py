"""Collector scripts: run in a frame's own world, to collect what can be done in its document."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import cache
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from tabmux.errors import ScriptFailed, TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.library import joined
from tabmux.page.page import Page
from tabmux.page.settling import unless_blocked
from tabmux.pagetools.collect import document_tree
from tabmux.pagetools.collect.document_tree import DocumentTree

PACKAGE = "tabmux.pagetools"
# In this order: a later file may use what an earlier one defines.
_MODULES = (
    "element_table", "change_observer", "visibility", "element_facts", "described_search",
    "element_report", "long_lists", "collect", "call_outcome", "find_by_text",
)  # fmt: skip
_worlds: WeakKeyDictionary[Frame, int] = WeakKeyDictionary()
# A page that draws itself begins within this time, and pauses for less than this.
FIRST_MILLISECONDS = 150
QUIET_MILLISECONDS = 100
LONGEST_MILLISECONDS = 1500
# What is still on its way comes within this time, or is not waited for.
BUSY_MILLISECONDS = 800
# What pages are drawn from by scripts; and for how long at most they are waited for, if they asked
# for any of it a moment ago. Some ask for what does not come for minutes.
_DRAWN_FROM = frozenset({"Script", "Fetch", "XHR"})
FETCHING_SECONDS, RECENT_SECONDS, LOOK_SECONDS = 2.5, 1.0, 0.1
# What has just come is yet to be drawn, or makes a script ask for more.
_DATA, DRAWN_SECONDS = ("Fetch", "XHR"), 0.3


@cache
def scripts_source() -> str:
    """Return the script that adds the page-tool functions to a world's `tabmux` object."""
    return joined(_MODULES, PACKAGE) + "\nundefined"


async def _inject(frame: Frame) -> None:
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
    command = {"expression": scripts_source(), "contextId": world}
    answer = await frame.channel.call("Runtime.evaluate", command)
    if details := answer.get("exceptionDetails"):
        raise ScriptFailed(str(details.get("exception", {}).get("description")))
    _worlds[frame] = world


async def run_script(frame: Frame, name: str, *args: Any, timeout: float = 10.0) -> Any:
    """Call one of the functions, which is put there first if need be."""
    await _inject(frame)
    return await frame.call(name, *args, timeout=timeout)


async def collect(frame: Frame, *, whole: bool = False) -> DocumentTree:
    """Return the current document of a frame, and if wanted, all entries of its long lists.

    The refs in it are good in this document only: `frame.element("toolElement", ref)` gives the
    element's object id, `frame.call("toolLabel", ref)` its epoch and label, as
    `tabmux.page.element.Element` wants them, and `frame.call("toolsGone", refs)` says which of
    them have left the document.
    """
    loader = frame.loader
    answer = await run_script(frame, "toolsCollect", whole)
    found = document_tree.read(answer, frame=frame.id, loader=loader, path=_path(frame))
    if found.opensearch:
        found.templates += tuple(await run_script(frame, "toolsDescribe", found.opensearch))
    return found


async def observe(frame: Frame, binding: str) -> None:
    """Have a binding called some time after the document has changed.

    Add the binding to the channel first: `Runtime.addBinding` with `name` and
    `executionContextName: "tabmux"`; `Runtime.bindingCalled` then names the world. Changes are
    gathered until 250 ms are quiet, at most 1.5 s. It has to be called for every new document.
    """
    await run_script(frame, "toolsObserve", binding)


async def wait_until_drawn(page: Page) -> None:
    """Wait until a page that draws itself has drawn; one that does not costs little."""
    with suppress(TabmuxError):
        await unless_blocked(page, lambda: page.main.call("watch"))
        first = page.main
        if await unless_blocked(page, lambda: first.call("firstChange", FIRST_MILLISECONDS)):
            await unless_blocked(
                page, lambda: first.call("quiet", QUIET_MILLISECONDS, LONGEST_MILLISECONDS)
            )


def is_fetching(page: Page) -> bool:
    """Whether a page has just asked for what scripts may draw it from."""
    is_recent = time.monotonic() - page.network.last_activity < RECENT_SECONDS
    return is_recent and not _has_all(page)


def _has_all(page: Page) -> bool:
    network = page.network
    if any(each.type in _DRAWN_FROM for each in network.pending):
        return False
    is_over = time.monotonic() - network.last_activity > DRAWN_SECONDS
    return is_over or not any(map(network.has_asked_for, _DATA))


async def wait_until_loaded(page: Page, limit: float = BUSY_MILLISECONDS) -> bool:
    """Wait a moment for what a page is fetching, or is to show; tells whether it has changed.

    Args:
        page: The page.
        limit: How many milliseconds a page that fetches nothing has until it changes.
    """
    changed = None
    with suppress(TabmuxError):
        await unless_blocked(page, lambda: page.main.call("watch"))
        first = page.main
        fetched = not _has_all(page)
        end = time.monotonic() + FETCHING_SECONDS
        while not _has_all(page) and time.monotonic() < end:
            await page.signal.until(lambda: _has_all(page), LOOK_SECONDS)
        wait = FIRST_MILLISECONDS if fetched else limit
        changed = await unless_blocked(page, lambda: first.call("firstChange", wait))
        if changed:
            await unless_blocked(
                page, lambda: first.call("quiet", QUIET_MILLISECONDS, LONGEST_MILLISECONDS)
            )
    return bool(changed)


def _path(frame: Frame) -> str:
    """Tell frames of a page apart in words that survive a reload."""
    if frame.parent is None:
        return ""
    parts = urlsplit(frame.url)
    return f"{_path(frame.parent)}>{parts.netloc}{parts.path}"
