"""Page catalog: the tools of one page, derived again when it has changed and somebody asks."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence

from tabmux.cdp.channel import Channel, Params
from tabmux.concurrency import Listeners
from tabmux.content import ToolSpec
from tabmux.errors import TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.library import WORLD
from tabmux.page.page import Page
from tabmux.pagetools import builtin_tools
from tabmux.pagetools.collect.collector_scripts import (
    collect,
    is_fetching,
    observe,
    wait_until_loaded,
)
from tabmux.pagetools.collect.document_tree import DocumentTree
from tabmux.pagetools.declared.declared_tools import DeclaredTools
from tabmux.pagetools.derive.derivation import derive_tools
from tabmux.pagetools.model import ListItem, PageTool
from tabmux.pagetools.publishing import (
    PageToolPolicy,
    merge_tools,
    published,
    tool_spec,
    tools_line,
)

logger = logging.getLogger(__name__)

MOST_FRAMES = 12
# How long a page that offers nothing, and goes on changing, is looked at again.
COMING_SECONDS = 3.0
BINDING = "tabmuxToolsChanged"
_EVENTS = (
    "Page.frameNavigated", "Page.navigatedWithinDocument", "Page.frameDetached",
    "Page.javascriptDialogOpening", "Page.javascriptDialogClosed",
)  # fmt: skip


class PageCatalog:
    """The tools of one page.

    Attributes:
        tools: All of them as last seen, the most important first.
        declared: What the page declares itself.
        told_names: The names that the agent was last told; None before it was told any.
        told_errors: What the page said was wrong with the last call; empty if nothing was.
        failure: Why the page could not be looked at the last time; empty when it could.
    """

    def __init__(self, page: Page, policy: PageToolPolicy) -> None:
        self.page, self._policy = page, policy
        self.tools: list[PageTool] = []
        self.declared = DeclaredTools(page)
        self.told_names: tuple[str, ...] | None = None
        self.told_errors: tuple[str, ...] = ()
        self.failure = ""
        self._shown_items: dict[tuple[str, str], tuple[ListItem, ...]] = {}
        self._stale = True
        self._awaited = ("", "")
        self._refreshing = asyncio.Lock()
        self._channels: set[Channel] = set()
        self._on_stale: Listeners[[]] = Listeners()

    @property
    def policy(self) -> PageToolPolicy:
        """What the user permits, here and to the session that the page belongs to."""
        return self._policy.narrowed(self.page.handle.policy)

    @property
    def is_stale(self) -> bool:
        """Whether something has changed since the page was last looked at."""
        return self._stale

    @property
    def published(self) -> list[PageTool]:
        """The tools that clients are shown."""
        return published(self.tools)

    def specs(self, *, reading: bool = False) -> Sequence[ToolSpec]:
        """Return the tools as a client sees them.

        Args:
            reading: Whether the page's text is to be among them, for clients that have no snapshot.
        """
        shown = self.published
        if reading and not any(tool.kind == "read" for tool in shown):
            shown += [tool for tool in self.tools if tool.kind == "read"]
        return [tool_spec(tool) for tool in sorted(shown, key=lambda tool: tool.name)]

    def find(self, name: str) -> PageTool | None:
        """Return a tool by its name."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def continue_from(self, other: PageCatalog) -> None:
        """Take over what the agent was told before the page was attached anew."""
        self.told_names, self._shown_items = other.told_names, other._shown_items

    def shown_items(self, tool: PageTool) -> tuple[ListItem, ...]:
        """Return the entries of a list as the agent last saw them."""
        return self._shown_items.get((tool.loader, tool.key), ())

    def note_shown(self, *, entries: bool = True) -> None:
        """Note that the agent is now told of the tools as they are.

        Args:
            entries: Whether it sees the entries of lists too; else it goes by those it saw.
        """
        self.told_names = tuple(tool.name for tool in self.published)
        now = {(each.loader, each.key): each.plan.items for each in self.tools if each.plan.items}
        kept = (
            {}
            if entries
            else {key: self._shown_items[key] for key in now if key in self._shown_items}
        )
        self._shown_items = now | kept

    def on_stale(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever the page may offer other tools; returns how to stop."""
        return self._on_stale.add(listener)

    def mark_stale(self) -> None:
        """Note that the page may offer other tools than before."""
        self._stale = True
        self._on_stale()

    async def changes_line(self, *, acted: bool, sighted: bool = False) -> str:
        """Return a line with the page's tools if they are others than the agent was told of.

        Args:
            acted: Whether the page was just acted upon, so that it is to be looked at in any case.
            sighted: Whether the agent is shown the page, and so the entries of its lists.
        """
        await self.refresh(force=acted or sighted)
        before = self.told_names
        self.note_shown(entries=sighted)
        return tools_line(self.published) if self.told_names != before else ""

    async def refresh(self, *, force: bool = False, whole: bool = False) -> None:
        """Look at the page again, if it has changed since.

        Args:
            force: Look in any case.
            whole: Look at all entries of long lists.
        """
        async with self._refreshing:
            if not (self._stale or force) or self.page.gone:
                return
            self._stale, self.failure = False, ""
            seconds = self.page.timings.page_tools
            try:
                async with asyncio.timeout(seconds):
                    self.tools = self.policy.applied(await self._find_tools(whole=whole))
            except TimeoutError:
                self._note_failure(f"The page did not answer within {seconds:g} s.")
            except TabmuxError as error:
                self._note_failure(error.message)

    def _note_failure(self, why: str) -> None:
        logger.info("Page %d could not be looked at: %s", self.page.id, why)
        self._stale, self.failure = True, why

    async def _find_tools(self, *, whole: bool) -> list[PageTool]:
        page = self.page
        self._listen_to_frames()
        if page.dialogs.current is not None:
            return builtin_tools.dialog_tools(page)
        documents = await self._documents(whole=whole)
        derived = derive_tools(documents)
        if documents and self._is_to_come(documents[0], derived):
            # Once for every address: some pages say for good that they are being loaded.
            self._awaited = self._shown_address(documents[0])
            documents, derived = await self._once_come(whole=whole)
        frames = list(page.frames)[:MOST_FRAMES]
        origins = {document.frame: document.origin for document in documents}
        tools = merge_tools(await self.declared.tools(frames, origins), derived)
        if not any(tool.kind == "read" for tool in tools):
            tools.append(builtin_tools.read_tool(page))
        return tools

    def _is_to_come(self, document: DocumentTree, derived: Sequence[PageTool]) -> bool:
        """Whether a page is yet to show what it is about, as far as can be told."""
        if self._awaited == self._shown_address(document):
            return False
        network = self.page.network
        is_empty = _offers_nothing(derived) and network.has_asked_for("Script")
        return document.busy or is_fetching(self.page) or is_empty

    def _shown_address(self, document: DocumentTree) -> tuple[str, str]:
        """Say what is shown: scripts draw another page in the same document, too."""
        return document.loader, self.page.url

    async def _once_come(self, *, whole: bool) -> tuple[list[DocumentTree], list[PageTool]]:
        """Look again once the page has changed, a few times if it still offers nothing."""
        end = time.monotonic() + COMING_SECONDS
        while True:
            changed = await wait_until_loaded(self.page)
            documents = await self._documents(whole=whole)
            derived = derive_tools(documents)
            if not (changed and _offers_nothing(derived)) or time.monotonic() > end:
                return documents, derived

    async def _documents(self, *, whole: bool) -> list[DocumentTree]:
        frames = list(self.page.frames)[:MOST_FRAMES]
        found = await asyncio.gather(*(self._collect(frame, whole=whole) for frame in frames))
        return [document for document in found if document is not None]

    async def _collect(self, frame: Frame, *, whole: bool) -> DocumentTree | None:
        try:
            document = await collect(frame, whole=whole)
            await observe(frame, BINDING)
        except TabmuxError as error:
            if frame.parent is None:
                raise
            logger.debug("A frame could not be looked at: %s", error)
            return None
        return document

    def _listen_to_frames(self) -> None:
        """Follow what changes the page, in every process that it lives in."""
        if not self._channels:
            self.page.frames.on_channel(self._listen_to)
            self.page.webmcp.on_change(self.mark_stale)
        for frame in self.page.frames:
            self._listen_to(frame.channel)

    def _listen_to(self, channel: Channel) -> None:
        if channel in self._channels:
            return
        self._channels.add(channel)
        for event in _EVENTS:
            channel.on(event, lambda _: self.mark_stale())
        channel.on("Runtime.bindingCalled", self._binding_called)
        channel.on_close(lambda _: self._channels.discard(channel))
        binding = {"name": BINDING, "executionContextName": WORLD}
        channel.send("Runtime.addBinding", binding)

    def _binding_called(self, params: Params) -> None:
        if params["name"] == BINDING:
            self.mark_stale()


def _offers_nothing(derived: Sequence[PageTool]) -> bool:
    """Whether a page can only be read, pressed and filled by its words."""
    return any(tool.kind == "read" for tool in derived)
