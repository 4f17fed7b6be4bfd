"""Everything that a page declares itself, from all sources, in the order they are believed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress

from tabmux.errors import TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.page import Page
from tabmux.page.webmcp import MOST_TOOLS, DeclaredTool, Invocation
from tabmux.pagetools import builtin_tools, scripts
from tabmux.pagetools.declared.declared_tools import declared_tool
from tabmux.pagetools.declared.page_world import ToolDiscovery, polyfilled
from tabmux.pagetools.model import PageTool, ToolSource
from tabmux.pagetools.secrets import origin_of

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
        made = [self._tool(source, tool, origins, forms) for source, tool in apart.values()]
        tools = [tool for tool in await asyncio.gather(*made) if tool is not None]
        return [*tools, *self._submission()]

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

    async def _tool(
        self, source: ToolSource, tool: DeclaredTool, origins: Mapping[str, str], forms: Forms
    ) -> PageTool | None:
        frame = self._page.frames.get(tool.frame)
        if frame is None or tool.hints.get("debugging"):
            return None
        origin = origins.get(frame.id) or origin_of(frame.url)
        form = None
        if source in ("webmcp", "polyfill"):
            form = forms.get((frame.id, tool.name)) or await _hidden_form(frame, tool)
        made = declared_tool(tool, frame, origin, source, form)
        self._originals.setdefault((made.key, made.frame), tool)
        return made

    def _submission(self) -> list[PageTool]:
        if self.waiting is None:
            return []
        tool, call = self.waiting
        frame = self._page.frames.get(tool.frame)
        if call.response.done() or frame is None or frame.loader != tool.loader:
            self.waiting = None
            return []
        return [builtin_tools.submission(tool)]


async def _forms(frame: Frame) -> Forms:
    try:
        found = await scripts.run(frame, "toolForms")
    except TabmuxError:
        return {}
    return {(frame.id, name): ref for name, ref in found.items()}


async def _hidden_form(frame: Frame, tool: DeclaredTool) -> int | None:
    """Return the number of a declaring form that no query finds, such as one in a shadow root."""
    if not tool.form:
        return None
    try:
        handle = await frame.resolve(tool.form)
        return int(await frame.apply(handle, "toolRef"))
    except TabmuxError:
        return None
