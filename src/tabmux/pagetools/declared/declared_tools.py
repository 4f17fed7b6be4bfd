"""Makes page tools of what a page declares itself; every word of it is the page's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from tabmux.page.frame_tree import Frame
from tabmux.page.webmcp import DeclaredTool
from tabmux.pagetools.declared.declared_schema import DeclaredSchema
from tabmux.pagetools.language.words import clean, name_of, slug
from tabmux.pagetools.model import ExecutionPlan, PageTool, ToolControl, ToolSource
from tabmux.pagetools.tool_names import OURS

RANK = 1000.0

_DANGEROUS = re.compile(
    r"(?<![a-z])(delete|remove|cancel|deactivate|unsubscribe|drop|purge|erase|discard|revoke|"
    r"reset|empty|archive|ban|buy|pay|purchase|transfer|publish|book|order|checkout|send)(?![a-z])"
)


def declared_tool(
    tool: DeclaredTool,
    frame: Frame,
    origin: str,
    source: ToolSource = "webmcp",
    form: int | None = None,
) -> PageTool:
    """Return a tool that is fit for every client, with the way back to the page's own words.

    Args:
        tool: What the page said.
        frame: The frame that said it.
        origin: The origin of the frame.
        source: How it was said.
        form: The collector's number of the form that declares it, if one does.
    """
    schema = DeclaredSchema(tool.schema)
    # What a page claims of itself never makes the sending of a form look harmless.
    reads = bool(tool.hints.get("readOnly")) and tool.form is None and form is None
    name = name_of(slug(tool.name)) or "page_tool"
    if name in OURS:
        name = f"page_{name}"
    return PageTool(
        name=name,
        description=f"[{urlsplit(origin).netloc or origin}] {clean(tool.description, 200)}",
        schema=schema.cleaned(),
        key=f"{source}:{'' if frame.parent is None else urlsplit(frame.url).path}:{tool.name}",
        kind="declared",
        source=source,
        frame=frame.id,
        loader=frame.loader,
        origin=origin,
        plan=ExecutionPlan(
            controls=tuple(_control(key, real) for real, key in schema.keys.items()), form=form
        ),
        reads=reads,
        destroys=not reads and (bool(tool.hints.get("consequential")) or _is_dangerous(name)),
        consequential=bool(tool.hints.get("consequential")),
        rank=RANK,
    )


def real_arguments(tool: PageTool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments under the names that the page gave them."""
    names = {control.key: control.name for control in tool.plan.controls}
    return {names.get(key, key): value for key, value in arguments.items()}


def _is_dangerous(name: str) -> bool:
    return _DANGEROUS.search(name.replace("_", " ")) is not None


def _control(key: str, real: str) -> ToolControl:
    return ToolControl(key, 0, "declared", clean(real[:200], 60), name=real)
