"""Puts together what a page declares and what was derived from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tabmux.pagetools.model import PageTool


def merge(declared: Sequence[PageTool], derived: Iterable[PageTool]) -> list[PageTool]:
    """Return the declared tools, and the derived ones for whatever they leave out.

    A declared tool names its form by `plan.form` (the collector's number of the element), and
    takes the place of the derived tool of that form; a derived tool of the same name gives way.
    """
    forms = {(tool.frame, tool.plan.form) for tool in declared if tool.plan.form is not None}
    taken = {tool.name for tool in declared}
    merged = list(declared)
    for tool in derived:
        if tool.plan.form is not None and (tool.frame, tool.plan.form) in forms:
            continue
        if tool.name in taken:
            tool = replace(tool, name=_free(tool.name, taken))
        taken.add(tool.name)
        merged.append(tool)
    return merged


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name[:37]}_{number}" in taken:
        number += 1
    return f"{name[:37]}_{number}"
