"""Declared tools: what a page offers through WebMCP, a polyfill or developer tools."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from tabmux.errors import TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.page import Page
from tabmux.page.webmcp import MOST_TOOLS, DeclaredTool, Invocation
from tabmux.pagetools import builtin_tools
from tabmux.pagetools.collect.collector_scripts import run_script
from tabmux.pagetools.declared.declared_schema import DeclaredSchema
from tabmux.pagetools.declared.page_world import ToolDiscovery, polyfilled
from tabmux.pagetools.language.words import clean, name_of, slug
from tabmux.pagetools.model import ExecutionPlan, PageTool, ToolControl, ToolSource
from tabmux.pagetools.tool_names import RESERVED_FOR_DECLARED
from tabmux.secrets.origins import origin_of

DECLARED_RANK = 1000.0
_DANGEROUS = re.compile(
    r"(?<![a-z])(delete|remove|cancel|deactivate|unsubscribe|drop|purge|erase|discard|revoke|"
    r"reset|empty|archive|ban|buy|pay|purchase|transfer|publish|book|order|checkout|send)(?![a-z])"
)
# The numbers of forms, by frame and the name of the tool that they declare.
Forms = Mapping[tuple[str, str], int]


class DeclaredTools:
    """What one page declares.

    Attributes:
        waiting: A form that was filled by its declared tool and waits to be sent.
        interrupted: A call that cannot go on before the page's dialog is answered.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._originals: dict[tuple[str, str], DeclaredTool] = {}
        self._discovery: ToolDiscovery | None = None
        self.waiting: tuple[PageTool, Invocation] | None = None
        self.interrupted: tuple[PageTool, DeclaredTool, Invocation] | None = None

    def original(self, tool: PageTool) -> DeclaredTool | None:
        """Return what the page itself said of a tool."""
        return self._originals.get((tool.key, tool.frame))

    async def tools(self, frames: Sequence[Frame], origins: Mapping[str, str]) -> list[PageTool]:
        """Ask all sources; what an earlier one has named in a frame is the same tool.

        Args:
            frames: Where to ask.
            origins: The origins of the frames.
        """
        await self._page.webmcp.enable()
        found: list[tuple[ToolSource, DeclaredTool]]
        found = [("webmcp", tool) for tool in self._page.webmcp.tools()]
        for own in await asyncio.gather(*map(polyfilled, frames)):
            found += [("polyfill", tool) for tool in own]
        found += [("discovery", tool) for tool in (await self.discovery()).tools()]
        apart: dict[tuple[str, str], tuple[ToolSource, DeclaredTool]] = {}
        for source, tool in found[:MOST_TOOLS]:
            apart.setdefault((tool.frame, tool.name), (source, tool))
        self._originals.clear()
        forms = await self._forms({tool.frame for _, tool in apart.values()})
        made = [self._page_tool(source, tool, origins, forms) for source, tool in apart.values()]
        tools = [tool for tool in await asyncio.gather(*made) if tool is not None]
        return [*tools, *self._submit_tools()]

    async def discovery(self, *, again: bool = False) -> ToolDiscovery:
        """Ask the page's developer tools, once a document: asking is an event that pages see."""
        if again or self._discovery is None or not self._discovery.is_current:
            self._discovery = ToolDiscovery(self._page.main)
            with suppress(TabmuxError, TimeoutError):
                await self._discovery.ask()
        return self._discovery

    async def _forms(self, frames: Set[str]) -> Forms:
        """Return the collector's numbers of the forms that declare tools, asked once a frame."""
        known = [frame for ident in frames if (frame := self._page.frames.get(ident))]
        found = await asyncio.gather(*map(_forms, known))
        return {key: ref for own in found for key, ref in own.items()}

    async def _page_tool(
        self, source: ToolSource, tool: DeclaredTool, origins: Mapping[str, str], forms: Forms
    ) -> PageTool | None:
        frame = self._page.frames.get(tool.frame)
        if frame is None or tool.hints.get("debugging"):
            return None
        origin = origins.get(frame.id) or origin_of(frame.url)
        form = None
        if source in ("webmcp", "polyfill"):
            form = forms.get((frame.id, tool.name)) or await _form_by_node(frame, tool)
        made = declared_tool(tool, frame, origin, source, form)
        self._originals.setdefault((made.key, made.frame), tool)
        return made

    def _submit_tools(self) -> list[PageTool]:
        if self.waiting is None:
            return []
        tool, call = self.waiting
        frame = self._page.frames.get(tool.frame)
        if call.response.done() or frame is None or frame.loader != tool.loader:
            self.waiting = None
            return []
        return [builtin_tools.submit_tool(tool)]


async def _forms(frame: Frame) -> Forms:
    try:
        found = await run_script(frame, "toolForms")
    except TabmuxError:
        return {}
    return {(frame.id, name): ref for name, ref in found.items()}


async def _form_by_node(frame: Frame, tool: DeclaredTool) -> int | None:
    """Return the number of a declaring form that no query finds, such as one in a shadow root."""
    if not tool.form:
        return None
    try:
        handle = await frame.resolve(tool.form)
        return int(await frame.apply(handle, "toolRef"))
    except TabmuxError:
        return None


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
    if name in RESERVED_FOR_DECLARED:
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
            controls=tuple(_declared_control(key, real) for real, key in schema.keys.items()),
            form=form,
        ),
        reads=reads,
        destroys=not reads and (bool(tool.hints.get("consequential")) or _is_dangerous(name)),
        rank=DECLARED_RANK,
    )


def real_arguments(tool: PageTool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments under the names that the page gave them."""
    names = {control.key: control.name for control in tool.plan.controls}
    return {names.get(key, key): value for key, value in arguments.items()}


def _is_dangerous(name: str) -> bool:
    return _DANGEROUS.search(name.replace("_", " ")) is not None


def _declared_control(key: str, real: str) -> ToolControl:
    return ToolControl(key, 0, "declared", clean(real[:200], 60), name=real)
