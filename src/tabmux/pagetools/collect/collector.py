"""Collector: asks a frame's document what can be done in it, by scripts in their own world."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlsplit

from tabmux.errors import TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.page import Page
from tabmux.page.settling import unless_blocked
from tabmux.pagetools import scripts
from tabmux.pagetools.collect import document_tree
from tabmux.pagetools.collect.document_tree import DocumentTree

# A page that draws itself begins within this time, and pauses for less than this.
FIRST_MILLISECONDS = 150
QUIET_MILLISECONDS = 100
LONGEST_MILLISECONDS = 1500


async def collect(frame: Frame, *, whole: bool = False) -> DocumentTree:
    """Return the current document of a frame, and if wanted, all entries of its long lists.

    The refs in it are good in this document only: `frame.element("toolElement", ref)` gives the
    element's object id, `frame.call("toolLabel", ref)` its epoch and label, as
    `tabmux.page.element.Element` wants them, and `frame.call("toolsGone", refs)` says which of
    them have left the document.
    """
    loader = frame.loader
    answer = await scripts.run(frame, "toolsCollect", whole)
    found = document_tree.read(answer, frame=frame.id, loader=loader, path=_path(frame))
    if found.opensearch:
        found.templates += tuple(await scripts.run(frame, "toolsDescribe", found.opensearch))
    return found


async def observe(frame: Frame, binding: str) -> None:
    """Have a binding called some time after the document has changed.

    Add the binding to the channel first: `Runtime.addBinding` with `name` and
    `executionContextName: "tabmux"`; `Runtime.bindingCalled` then names the world. Changes are
    gathered until 250 ms are quiet, at most 1.5 s. It has to be called for every new document.
    """
    await scripts.run(frame, "toolsObserve", binding)


async def wait_until_drawn(page: Page) -> None:
    """Wait until a page that draws itself has drawn; one that does not costs little."""
    with suppress(TabmuxError):
        await unless_blocked(page, lambda: page.main.call("watch"))
        first = page.main
        if await unless_blocked(page, lambda: first.call("firstChange", FIRST_MILLISECONDS)):
            await unless_blocked(
                page, lambda: first.call("quiet", QUIET_MILLISECONDS, LONGEST_MILLISECONDS)
            )


def _path(frame: Frame) -> str:
    """Tell frames of a page apart in words that survive a reload."""
    if frame.parent is None:
        return ""
    parts = urlsplit(frame.url)
    return f"{_path(frame.parent)}>{parts.netloc}{parts.path}"
