"""Grid browser: a session's own part of a browser that a Selenium Grid runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.downloads import Fetched
from tabmux.browsers.grid.grid import Grid
from tabmux.browsers.grid.pooled_browser import OWN, BrowserLost, Lease
from tabmux.cdp.channel import Channel, Params
from tabmux.cdp.shared_socket import Branch
from tabmux.cdp.transports import Transport
from tabmux.page.handle import PageHandle


@dataclass(frozen=True)
class GridSpec(BrowserSpec):
    """A session's place on a grid.

    Attributes:
        grid: Which grid.
        token: Whose session it is.
        placement: Where it was before, if it was; see `GridBrowser.placement`.
    """

    grid: Grid = field(compare=False)
    token: str = ""
    placement: Mapping[str, Any] | None = field(default=None, compare=False)

    @property
    def label(self) -> str:
        """What lists and errors call it."""
        return f"grid {self.grid.options.url}"

    @property
    def identity(self) -> None:
        """Like no other: each session has its own."""
        return None

    def browser_class(self) -> type[Browser]:
        """Return the kind of browser."""
        return GridBrowser


class GridBrowser(Browser):
    """Browser contexts of one session, in a browser that sessions of its token share.

    Its place outlives its connection: after a loss it is taken up again, with all pages, unless
    the browser is gone.
    """

    spec: GridSpec
    starts_on_demand = True
    # One that waits in the line leaves it when nobody wants it any more.
    cancels_attempts = True
    keeps_pages = True
    reopens_pages = True
    makes_contexts = True
    moves_pages = True

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._lease: Lease | None = None
        self._branch: Branch | None = None
        self._callers = 0
        self._place = 0

    @property
    def attempt_note(self) -> str:
        """Say where it stands in the line for a browser."""
        if not self._place or self.state is not BrowserState.CONNECTING:
            return ""
        return f"Waiting for a browser of the grid: place {self._place} in the queue"

    @property
    def queue_seconds(self) -> float:
        """How long it may wait in the line, beside what a call may take."""
        return float(self.spec.grid.options.queue)

    @property
    def is_down_to_one_tab(self) -> bool:
        """Never: the browser has a tab that is nobody's."""
        return False

    @property
    def has_download_folder(self) -> bool:
        """What it downloads is fetched from its node, if the Grid hands that out."""
        return self._lease is not None and bool(self._lease.browser.download_folder)

    def placement(self) -> dict[str, Any] | None:
        """Return where it is, as a JSON object, for one who takes it up after us."""
        return self.spec.grid.describe(self._lease) if self._lease is not None else None

    def facts(self) -> Iterator[str]:
        """Say where on the grid it is."""
        if self._lease is not None:
            browser = self._lease.browser
            node = f" on {browser.node_uri}" if browser.node_uri else ""
            drains = ", which drains" if browser.is_draining else ""
            yield f"grid session {browser.id}{node}{drains}"
            yield f"{len(browser.leases)} of {self._room} sessions in it"
        yield self.spec.grid.state.line

    def remark(self) -> str:
        """Say once that its node drains."""
        if self._lease is None or self._lease.node_told or not self._lease.browser.is_draining:
            return ""
        self._lease.node_told = True
        return (
            "Note: the machine that this browser runs on is about to be shut down. Finish soon, "
            "or call reconnect_browser at a quiet moment to move; what is typed into pages is lost."
        )

    async def connect(
        self, group: asyncio.TaskGroup, *, force: bool = False, run_start_command: bool = False
    ) -> None:
        """Connect unless it is done; an attempt that nobody waits for any more is given up."""
        self._callers += 1
        try:
            await super().connect(group, force=force, run_start_command=run_start_command)
        except asyncio.CancelledError:
            if self._callers == 1 and self.state is BrowserState.CONNECTING:
                super().disconnect()
            raise
        finally:
            self._callers -= 1

    def disconnect(self) -> None:
        """Give up its place, which it has while it is not connected and is reached again, too."""
        super().disconnect()
        if self.state is not BrowserState.CONNECTED:
            self.spec.grid.release_soon(self._take_lease())

    @asynccontextmanager
    async def open_transport(
        self, stop: asyncio.Event, *, run_start_command: bool
    ) -> AsyncIterator[Transport]:
        """Find a place, or the one it had, and open a connection to it."""
        lease, branch = await self._reach()
        self.downloads.remote = self if lease.browser.download_folder else None
        for context in lease.contexts.values():
            branch.include(context)
        self._branch = branch
        try:
            yield branch
        finally:
            self._branch = None
            branch.close()
            if stop.is_set():
                await self.spec.grid.release(lease)
                self._take_lease()

    async def after_discovery(self, channel: Channel) -> None:
        """See to its browser context, and forget the pages that are gone."""
        lease = self._lease
        if lease is None:
            return
        self._connected().contexts |= lease.contexts
        for context in lease.contexts.values():
            self.downloads.include(context)
        if OWN not in lease.contexts:
            await self._make_context(OWN, {})
        self.spare, lease.blank = self.pages.get(lease.blank), ""
        if not self.pages:
            return
        found = await channel.call("Target.getTargets", {"filter": [{"type": "page"}]})
        for target in set(self.pages) - {info["targetId"] for info in found["targetInfos"]}:
            if self.context_of(self.pages[target]) is None:
                self._leave_behind(target)
            else:
                self._page_destroyed(target)

    async def new_page(
        self, *, background: bool = True, context: str | None = None, session: str = ""
    ) -> PageHandle:
        """Open a blank tab in a context of the session's own."""
        page = await super().new_page(
            background=background, context=context or OWN, session=session
        )
        page.isolated_context = context
        return page

    async def send_files(self, paths: Sequence[str]) -> list[str]:
        """Send files to the node, and return where they are there."""
        lease = self._lease
        if lease is None:
            raise BrowserLost("The browser has no place on the grid.")
        client = self.spec.grid.client
        return [await client.upload(lease.browser.id, Path(path)) for path in paths]

    @property
    def folder(self) -> str:
        """Where its node keeps what it downloads."""
        return self._lease.browser.download_folder if self._lease is not None else ""

    def fetch(self, name: str, target: Path, done: Fetched) -> None:
        """Fetch a file that was downloaded, in the background."""
        if self._lease is not None:
            self.spec.grid.fetch(self._lease.browser.id, name, target, done)

    @property
    def _room(self) -> int:
        return self.spec.grid.options.sessions_per_browser

    def _add(self, info: Params) -> PageHandle:
        page = super()._add(info)
        page.send_files = self.send_files
        return page

    async def _make_context(self, name: str, options: Params) -> str:
        ident = await super()._make_context(name, options)
        if self._lease is not None:
            self._lease.contexts[name] = ident
        if self._branch is not None:
            self._branch.include(ident)
        return ident

    async def _reach(self) -> tuple[Lease, Branch]:
        """Return its place and a connection there; a place whose browser is gone is given up."""
        if self._lease is None and self.spec.placement is not None and not self.history.connections:
            await self._take_up(self.spec.placement)
        if self._lease is not None:
            try:
                return self._lease, await self._lease.browser.branch()
            except BrowserLost:
                self._take_lease()
        lease = await self.spec.grid.place(self.spec.token, self._note_place)
        self._hold(lease)
        try:
            return lease, await lease.browser.branch()
        except BaseException:
            self.spec.grid.release_soon(self._take_lease())
            raise

    async def _take_up(self, placement: Mapping[str, Any]) -> None:
        try:
            self._hold(await self.spec.grid.take_up(self.spec.token, placement))
        except BrowserLost:
            return

    def _hold(self, lease: Lease) -> None:
        self._lease = lease
        lease.lost = partial(self._lose_pages, lease)

    def _lose_pages(self, lease: Lease) -> None:
        """Forget the pages of a browser that is gone, unless it was left meanwhile."""
        if self._lease is lease:
            for target in list(self.pages):
                self._leave_behind(target)

    def _leave_behind(self, target: str) -> None:
        self.pages[target].taken = "its browser on the grid is gone"
        self._page_ended(target)

    def _take_lease(self) -> Lease | None:
        lease, self._lease = self._lease, None
        return lease

    def _note_place(self, place: int) -> None:
        self._place = place
        self._changed()
