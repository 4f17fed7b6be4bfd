"""What each page offers now; looked at again only when something has changed and someone asks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

from tabmux.cdp.channel import Channel, Params
from tabmux.content import ToolSpec
from tabmux.errors import TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.handle import PageHandle
from tabmux.page.library import WORLD
from tabmux.page.page import Page
from tabmux.pagetools import builtin_tools
from tabmux.pagetools.collect.collector import collect, observe
from tabmux.pagetools.collect.document_tree import DocumentTree
from tabmux.pagetools.declarations import DeclaredTools
from tabmux.pagetools.derive.derivation import derive_tools
from tabmux.pagetools.merge import merge
from tabmux.pagetools.model import ListItem, PageTool
from tabmux.pagetools.publishing import PageToolPolicy, published, spec
from tabmux.pagetools.signature import signature
from tabmux.pagetools.tool_names import ToolNames

logger = logging.getLogger(__name__)

MOST_FRAMES = 12
BINDING = "tabmuxToolsChanged"
_EVENTS = (
    "Page.frameNavigated", "Page.navigatedWithinDocument", "Page.frameDetached",
    "Page.javascriptDialogOpening", "Page.javascriptDialogClosed",
)  # fmt: skip


class Catalogues:
    """The catalogues of all pages that somebody has asked about."""

    def __init__(self, terms: PageToolPolicy) -> None:
        self._terms, self._names = terms, ToolNames()
        self._pages: WeakKeyDictionary[PageHandle, PageCatalog] = WeakKeyDictionary()

    def of(self, page: Page) -> PageCatalog:
        """Return the catalogue of a page."""
        before = self._pages.get(page.handle)
        if before is not None and before.page is page:
            return before
        catalog = self._pages[page.handle] = PageCatalog(page, self._names, self._terms)
        if before is not None:
            catalog.continue_from(before)
        return catalog

    def known(self, page: PageHandle) -> PageCatalog | None:
        """Return the catalogue of a page, if there is one already."""
        return self._pages.get(page)


class PageCatalog:
    """The tools of one page.

    Attributes:
        tools: All of them as last seen, the most important first.
        declarations: What the page declares itself.
        told: The names that the agent was last told; None before it was told any.
        trouble: Why the page could not be looked at the last time; empty when it could.
    """

    def __init__(self, page: Page, names: ToolNames, terms: PageToolPolicy) -> None:
        self.page, self.terms = page, terms
        self.tools: list[PageTool] = []
        self.declarations = DeclaredTools(page)
        self.told: tuple[str, ...] | None = None
        self.trouble = ""
        self._seen: dict[tuple[str, str], tuple[ListItem, ...]] = {}
        self._names = names
        self._stale = True
        self._looking = asyncio.Lock()
        self._channels: set[Channel] = set()
        self._listeners: list[Callable[[], None]] = []

    @property
    def is_stale(self) -> bool:
        """Whether something has changed since the page was last looked at."""
        return self._stale

    @property
    def published(self) -> list[PageTool]:
        """The tools that clients are shown."""
        return published(self.tools)

    @property
    def signature(self) -> str:
        """The same as long as a client need not read the tools again."""
        return signature(self.published)

    def specs(self, *, reading: bool = False) -> Sequence[ToolSpec]:
        """Return the tools as a client sees them.

        Args:
            reading: Whether the page's text is to be among them, for clients that have no snapshot.
        """
        shown = self.published
        if reading and not any(tool.kind == "read" for tool in shown):
            shown += [tool for tool in self.tools if tool.kind == "read"]
        return [spec(tool) for tool in sorted(shown, key=lambda tool: tool.name)]

    def find(self, name: str) -> PageTool | None:
        """Return a tool by its name."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def continue_from(self, other: PageCatalog) -> None:
        """Take over what the agent was told before the page was attached anew."""
        self.told, self._seen = other.told, other._seen

    def seen(self, tool: PageTool) -> tuple[ListItem, ...]:
        """Return the entries of a list as the agent last saw them."""
        return self._seen.get((tool.loader, tool.key), ())

    def show(self, *, entries: bool = True) -> None:
        """Note that the agent is now told of the tools as they are.

        Args:
            entries: Whether it sees the entries of lists too; else it goes by those it saw.
        """
        self.told = tuple(tool.name for tool in self.published)
        now = {(each.loader, each.key): each.plan.items for each in self.tools if each.plan.items}
        kept = {} if entries else {key: self._seen[key] for key in now if key in self._seen}
        self._seen = now | kept

    def on_stale(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever the page may offer other tools; returns how to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def mark(self) -> None:
        """Note that the page may offer other tools than before."""
        self._stale = True
        for listener in list(self._listeners):
            listener()

    async def refresh(self, *, force: bool = False, whole: bool = False) -> None:
        """Look at the page again, if it has changed since.

        Args:
            force: Look in any case.
            whole: Look at all entries of long lists.
        """
        async with self._looking:
            if not (self._stale or force) or self.page.gone:
                return
            self._stale, self.trouble = False, ""
            seconds = self.page.timings.page_tools
            try:
                async with asyncio.timeout(seconds):
                    self.tools = self.terms.applied(await self._look(whole=whole))
            except TimeoutError:
                self._fail(f"The page did not answer within {seconds:g} s.")
            except TabmuxError as error:
                self._fail(error.message)

    def _fail(self, why: str) -> None:
        logger.info("Page %d could not be looked at: %s", self.page.id, why)
        self._stale, self.trouble = True, why

    async def _look(self, *, whole: bool) -> list[PageTool]:
        page = self.page
        self._listen_everywhere()
        if page.dialogs.current is not None:
            return builtin_tools.tools(page)
        frames = list(page.frames)[:MOST_FRAMES]
        found = await asyncio.gather(*(self._collect(frame, whole=whole) for frame in frames))
        reports = [report for report in found if report is not None]
        derived = derive_tools(reports, self._names)
        origins = {report.frame: report.origin for report in reports}
        tools = merge(await self.declarations.tools(frames, origins), derived)
        if not any(tool.kind == "read" for tool in tools):
            tools.append(builtin_tools.reading(page))
        return tools

    async def _collect(self, frame: Frame, *, whole: bool) -> DocumentTree | None:
        try:
            report = await collect(frame, whole=whole)
            await observe(frame, BINDING)
        except TabmuxError as error:
            if frame.parent is None:
                raise
            logger.debug("A frame could not be looked at: %s", error)
            return None
        return report

    def _listen_everywhere(self) -> None:
        """Follow what changes the page, in every process that it lives in."""
        if not self._channels:
            self.page.frames.on_channel(self._listen)
            self.page.webmcp.on_change(self.mark)
        for frame in self.page.frames:
            self._listen(frame.channel)

    def _listen(self, channel: Channel) -> None:
        if channel in self._channels:
            return
        self._channels.add(channel)
        for event in _EVENTS:
            channel.on(event, lambda _: self.mark())
        channel.on("Runtime.bindingCalled", self._called)
        channel.on_close(lambda _: self._channels.discard(channel))
        binding = {"name": BINDING, "executionContextName": WORLD}
        channel.send("Runtime.addBinding", binding)

    def _called(self, params: Params) -> None:
        if params["name"] == BINDING:
            self.mark()
