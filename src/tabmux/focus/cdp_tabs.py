"""CDP tabs: a browser that tabmux drives over CDP, as the focus toolset wants it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.browser_view import BrowserView
from tabmux.concurrency import Listeners, TaskOwner
from tabmux.content import Reply, ToolSpec
from tabmux.errors import DeadlineExceeded, NoSuchPage, TabmuxError
from tabmux.focus.tab_following import TabFollowing
from tabmux.focus.tab_source import BrowserProduct, FocusTab
from tabmux.page.handle import PageHandle
from tabmux.page.page import Page
from tabmux.pagetools.call.tool_calls import call_tool
from tabmux.pagetools.catalogs import PageCatalogs, ToolCounts
from tabmux.pagetools.collect.collector_scripts import wait_until_drawn
from tabmux.pagetools.page_catalog import PageCatalog
from tabmux.sessions import handover
from tabmux.sessions.session import Session

CALL_SECONDS = 60.0
# How long a page may rest before it is looked at again, after a change that nobody asked for.
REST_SECONDS = 0.3
READY_SECONDS = 10.0
MOST_LOOKS = 5
_BLANK = ("about:blank", "chrome://newtab/", "chrome://new-tab-page/")

Listener = Callable[[str, int | None], None]


class CdpTabs:
    """One session's view of one browser.

    Args:
        session: Whose tabs they are when it opens or focuses them.
        browsers: Where to look for a browser.
        catalogs: What each page offers.
        background: Where pages are looked at again that changed by themselves.
        spec: What to launch when that is asked for.
        launches: Whether the user wants a browser to be started in any case.
        follows: Whether to find out which tab the user looks at.
        call_seconds: How long a call may take, with its wait for a person.
    """

    def __init__(
        self,
        session: Session,
        browsers: BrowserView,
        catalogs: PageCatalogs,
        background: TaskOwner,
        spec: BrowserSpec,
        *,
        launches: bool = False,
        follows: bool = False,
        call_seconds: float = CALL_SECONDS,
    ) -> None:
        self._session, self._browsers, self._catalogs = session, browsers, catalogs
        self._background, self._spec = background, spec
        self._launches, self._call_seconds = launches, call_seconds
        self._following = (
            TabFollowing(background, lambda tab: self._on_change("focus", tab)) if follows else None
        )
        self._browser: Browser | None = None
        self._focused: PageCatalog | None = None
        self._counts = ToolCounts(catalogs, browsers.timings.page_tool_count)
        self._crashed: set[str] = set()
        self._known: frozenset[int] = frozenset()
        self._on_change: Listeners[[str, int | None]] = Listeners()
        self._stops: list[Callable[[], None]] = []
        self._stop_focus: Callable[[], None] = lambda: None
        self._refreshing: asyncio.Task[Any] | None = None

    async def connect(self, *, launch: bool) -> BrowserProduct | None:
        """Reach the first browser that is there; start one when asked to and none is."""
        for browser in self._browsers_to_try(launch=launch):
            with suppress(TabmuxError):
                await self._browsers.connect(browser, force=True)
                return await self._use(browser)
        return None

    def tabs(self) -> Sequence[FocusTab]:
        """List the tabs that are the session's or nobody's, oldest first."""
        return [
            FocusTab(page.id, page.title or page.url, page.url, self._counts.of(page))
            for page in self._pages()
        ]

    def belongs_to_other(self, tab: int) -> bool:
        """Whether another session has a tab."""
        pages = self._browser.visible_pages() if self._browser is not None else ()
        return any(
            page.id == tab and not (self._session.owns(page) or self._session.may_attach(page))
            for page in pages
        )

    async def count(self) -> None:
        """Learn titles, and how many tools other tabs have; tabs that are known are not asked."""
        if self._browser is None:
            return
        await self._browser.refresh()
        await self._counts.learn(self._pages())

    async def open(self, url: str, *, focus: bool) -> FocusTab:
        """Open a tab; one whose page cannot be loaded is closed again.

        The agent's focus is not the user's: over CDP the tab stays behind the one in front.
        """
        browser = self._browser_in_use()
        self._session.urls_in(browser).check(url)
        handle = await self._session.open_page(browser)
        try:
            page = await handle.attach()
            if page.url != url:
                await _load(page, url)
        except TabmuxError:
            await self._close_page(handle)
            raise
        await wait_until_drawn(page)
        return FocusTab(page.id, page.title or page.url, page.url)

    async def focus(self, tab: int) -> Sequence[ToolSpec]:
        """Make a tab's tools the current ones, and return them."""
        handle = self._page(tab)
        if not self._session.owns(handle):
            self._session.adopt(handle, created=False)
        self._session.select(handle)
        page = await handle.attach()
        if self._following is not None:
            await self._browser_in_use().activate(handle)
        catalog = self._catalogs.of(page)
        await catalog.refresh()
        catalog.note_shown()
        self._stop_focus()
        self._focused = catalog
        self._stop_focus = catalog.on_stale(self._refresh_later)
        return catalog.specs(reading=True)

    async def close(self, tab: int) -> None:
        """Close a tab, once no person has it."""
        handle = self._page(tab)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._call_seconds):
                await handover.until_free(self._session, handle)
        if why := handover.held(self._session, handle):
            raise handover.not_run("close_tab", why)
        await self._close_page(handle)

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools of the focused tab, as last seen."""
        focused = self._focused
        if focused is None or focused.page.gone:
            return ()
        return focused.specs(reading=True)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Run a tool of the focused tab; also one that is not among those shown."""
        if self._focused is None:
            raise NoSuchPage("No tab is focused.", hint="Call focus_tab.")
        catalog, handle, acts = self._focused, self._focused.page.handle, False
        try:
            async with asyncio.timeout(self._call_seconds), handle.lock:
                await handover.until_free(self._session, handle)
                acts = True
                return await call_tool(catalog, name, arguments)
        except (TimeoutError, asyncio.CancelledError) as error:
            if acts:
                catalog.page.recover()
            if isinstance(error, asyncio.CancelledError):
                raise
            if not acts and (why := handover.held(self._session, handle)):
                raise handover.not_run(name, why) from error
            raise DeadlineExceeded(
                f"{name} did not finish within {self._call_seconds:g} s."
            ) from error

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with what changed and the tab's id; returns how to stop."""
        remove = self._on_change.add(listener)

        def stop() -> None:
            remove()
            if not self._on_change:
                self.release()

        return stop

    def release(self) -> None:
        """Listen to the browser no longer."""
        self._stop_focus()
        self._stop_focus, self._focused = (lambda: None), None
        for stop in self._stops:
            stop()
        self._stops.clear()
        self._browser = None

    def _browsers_to_try(self, *, launch: bool) -> Iterable[Browser]:
        """Return those that run already before those that would have to be started."""
        known = self._browsers.all()
        yield from (b for b in known if b.state is BrowserState.CONNECTED)
        yield from (
            b for b in known if b.state is not BrowserState.CONNECTED and not b.starts_on_demand
        )
        if launch or self._launches:
            started = [b for b in known if b.starts_on_demand]
            yield from started or [self._browsers.add(self._spec)]

    async def _use(self, browser: Browser) -> BrowserProduct:
        version = await browser.channel.call("Browser.getVersion")
        name, _, number = str(version["product"]).partition("/")
        self.release()
        self._browser = browser
        self._known = frozenset(page.id for page in self._pages())
        if self._following is not None:
            self._following.watch(self._pages())
        self._stops = [
            browser.on_change(self._browser_changed),
            browser.channel.on("Target.targetCrashed", self._target_crashed),
            browser.channel.on("Target.targetInfoChanged", self._target_changed),
        ]
        return BrowserProduct(name.removeprefix("Headless"), number)

    def _browser_in_use(self) -> Browser:
        if self._browser is None:
            raise NoSuchPage("No browser is connected.", hint="Call connect_browser.")
        return self._browser

    def _pages(self) -> list[PageHandle]:
        browser = self._browser
        if browser is None:
            return []
        return [
            page
            for page in browser.visible_pages()
            if (self._session.owns(page) or self._session.may_attach(page))
            and not (page is browser.spare and page.url in _BLANK)
            and page.target_id not in self._crashed
        ]

    def _page(self, tab: int) -> PageHandle:
        for page in self._pages():
            if page.id == tab:
                return page
        raise NoSuchPage(f"There is no tab {tab}.", hint="Call list_tabs.", code="no_such_tab")

    async def _close_page(self, page: PageHandle) -> None:
        """Close a tab; a browser would end with its last one, so it gets a blank one first."""
        browser = self._browser_in_use()
        if browser.is_down_to_one_tab:
            browser.spare = await browser.new_page()
        await browser.close_page(page)

    def _browser_changed(self) -> None:
        """Compare what is there with what was, and tell of the difference."""
        browser = self._browser
        if browser is None:
            return
        if browser.state is not BrowserState.CONNECTED:
            self.release()
            self._on_change("gone", None)
            return
        known, self._known = self._known, frozenset(page.id for page in self._pages())
        if known != self._known:
            if self._following is not None:
                self._following.watch(self._pages())
            self._on_change("tabs", None)

    def _target_crashed(self, params: dict[str, Any]) -> None:
        """A crashed tab is no tab until it is loaded again."""
        self._crashed.add(params["targetId"])
        self._browser_changed()

    def _target_changed(self, params: dict[str, Any]) -> None:
        if params["targetInfo"]["targetId"] in self._crashed:
            self._crashed.discard(params["targetInfo"]["targetId"])
            self._browser_changed()

    def _refresh_later(self) -> None:
        """Look at the focused page again, once it has come to rest."""
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = self._background.start_quietly(self._refresh_until_fresh())

    async def _refresh_until_fresh(self) -> None:
        """Look until nothing has changed meanwhile, but not for ever."""
        for _ in range(MOST_LOOKS):
            await asyncio.sleep(REST_SECONDS)
            catalog = self._focused
            if catalog is None or catalog.page.gone:
                return
            await self._refresh(catalog)
            if not catalog.is_stale:
                return

    async def _refresh(self, catalog: PageCatalog) -> None:
        page = catalog.page
        await page.signal.until(lambda: page.gone or _can_be_seen(page), READY_SECONDS)
        # Whoever acts on the page looks at it afterwards.
        async with page.handle.lock:
            await catalog.refresh()
        self._on_change("tools", page.id)


def _can_be_seen(page: Page) -> bool:
    """Whether there is something to look at: a document, or the dialog in front of it."""
    return page.document.ready or page.dialogs.current is not None


async def _load(page: Page, url: str) -> None:
    """Load a URL; a dialog that the page opens meanwhile ends the waiting."""
    async with asyncio.TaskGroup() as group:
        going = group.create_task(_load_error(page, url))
        while not going.done() and page.dialogs.current is None:
            await page.signal.or_done(going)
        if not going.done():
            going.cancel()
    if not going.cancelled() and (failure := going.result()) is not None:
        raise failure


async def _load_error(page: Page, url: str) -> TabmuxError | None:
    """Load a URL, and return why it could not be; a task group would wrap it."""
    try:
        await page.navigation.go(url)
    except TabmuxError as error:
        return error
    return None
