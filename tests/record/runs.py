"""Runs as tests write them: entries of their own, and a writer that is waited for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tabmux.record.call_entry import CallEntry, TouchedElement
from tabmux.record.record import Record
from tabmux.record.run_writer import RunWriter


def entry(tool: str = "click", **fields: Any) -> CallEntry:
    """Make an entry."""
    made = CallEntry(1_700_000_000.0, "0" * 32, "shop", "test", tool, {})
    return replace(made, **fields)


def clicked(name: str, page: int) -> CallEntry:
    """Make the entry of a click on a link."""
    element = TouchedElement("uid", f'link "{name}"', "link", name)
    return entry("click", arguments={"uid": "x"}, elements=(element,), page=page)


def selected(page: int) -> CallEntry:
    """Make the entry of the choice of a page."""
    return entry("select_page", arguments={"pageId": page}, page=page)


async def written(folder: Path, entries: Iterable[CallEntry], *, end: bool = True) -> str:
    """Write a run and return its name."""
    async with RunWriter(folder) as writer:
        run = Record(writer).open_run("calls")
        name = [run.add(each).run for each in entries][-1]
        if end:
            run.end()
    return name
