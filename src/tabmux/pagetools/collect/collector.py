"""Asks a frame's document what can be done in it."""

from __future__ import annotations

from urllib.parse import urlsplit

from tabmux.page.frame_tree import Frame
from tabmux.pagetools import scripts
from tabmux.pagetools.collect import document_tree
from tabmux.pagetools.collect.document_tree import DocumentTree


async def collect(frame: Frame, *, whole: bool = False) -> DocumentTree:
    """Report the current document of a frame, and if wanted, all entries of its long lists.

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


def _path(frame: Frame) -> str:
    """Tell frames of a page apart in words that survive a reload."""
    if frame.parent is None:
        return ""
    parts = urlsplit(frame.url)
    return f"{_path(frame.parent)}>{parts.netloc}{parts.path}"
