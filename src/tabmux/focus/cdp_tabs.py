"""The tabs of a browser that tabmux drives over CDP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.registry import Browsers
from tabmux.content import Reply, ToolSpec
from tabmux.errors import DeadlineExceeded, NoSuchPage, TabmuxError
from tabmux.focus.tab_following import TabFollowing
from tabmux.focus.tab_source import BrowserProduct, FocusTab
from tabmux.page.handle import PageHandle
from tabmux.pagetools.background import Background
from tabmux.pagetools.call import dispatch
from tabmux.pagetools.counts import ToolCounts
from tabmux.pagetools.loading import can_be_seen, load, wait_until_drawn
from tabmux.pagetools.page_catalog import Catalogues, PageCatalog
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
        catalogues: What each page offers.
        background: Where pages are looked at again that changed by themselves.
        spec: What to launch when that is asked for.
        launches: Whether the user wants a browser to be started in any case.
        follows: Whether to find out which tab the user looks at.
    """

    def __init__(
        self,
        session: Session,
        browsers: Browsers,
        catalogues: Catalogues,
        background: Background,
        spec: BrowserSpec,
        *,
        launches: bool = False,
        follows: bool = False,
    ) -> None:
        self._session, self._browsers, self._catalogues = session, browsers, catalogues
        self._background, self._spec = background, spec
        self._launches = launches
        self._following = (
            TabFollowing(background, lambda tab: self._tell("focus", tab)) if follows else None
        )
        self._browser: Browser | None = None
        self._focused: PageCatalog | None = None
        self._counts = ToolCounts(catalogues, browsers.timings.page_tool_count)
        self._crashed: set[str] = set()
        self._known: frozenset[int] = frozenset()
        self._listeners: list[Listener] = []
        self._stops: list[Callable[[], None]] = []
        self._unfocus: Callable[[], None] = lambda: None
        self._look: asyncio.Task[None] | None = None

    async def connect(self, *, launch: bool) -> BrowserProduct | None:
        """Reach the first browser that is there; start one when asked to and none is."""
        for browser in self._candidates(launch=launch):
            with suppress(TabmuxError):
                await self._browsers.connect(browser, force=True)
                return await self._hold(browser)
        return None

    def tabs(self) -> Sequence[FocusTab]:
        """List the tabs that are the session's or nobody's, oldest first."""
        return [
            FocusTab(page.id, page.title or page.url, page.url, self._counts.of(page))
            for page in self._pages()
        ]

    async def count(self) -> None:
        """Learn titles, and how many tools other tabs have; tabs that are known are not asked."""
        if self._browser is None:
            return
        await self._browser.refresh()
        await self._counts.learn(self._pages())

    async def open(self, url: str) -> FocusTab:
        """Open a tab in the background; one whose page cannot be loaded is closed again."""
        browser = self._held()
        browser.urls.check(url)
        handle = await self._session.open_page(browser)
        try:
            page = await handle.attach()
            if page.url != url:
                await load(page, url)
        except TabmuxError:
            await self._shut(handle)
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
            await self._held().activate(handle)
        catalogue = self._catalogues.of(page)
        await catalogue.refresh()
        catalogue.show()
        self._unfocus()
        self._focused = catalogue
        self._unfocus = catalogue.on_stale(self._stale)
        return catalogue.specs(reading=True)

    async def close(self, tab: int) -> None:
        """Close a tab."""
        await self._shut(self._page(tab))

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
        page = self._focused.page
        try:
            async with asyncio.timeout(CALL_SECONDS):
                async with page.handle.lock:
                    return await dispatch.call(self._focused, name, arguments)
        except (TimeoutError, asyncio.CancelledError) as error:
            page.recover()
            if isinstance(error, asyncio.CancelledError):
                raise
            raise DeadlineExceeded(f"{name} did not finish within {CALL_SECONDS:g} s.") from error

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with what changed and the tab's id; returns how to stop."""
        self._listeners.append(listener)

        def stop() -> None:
            self._listeners.remove(listener)
            if not self._listeners:
                self.release()

        return stop

    def release(self) -> None:
        """Listen to the browser no longer."""
        self._unfocus()
        self._unfocus, self._focused = (lambda: None), None
        for stop in self._stops:
            stop()
        self._stops.clear()
        self._browser = None

    def _candidates(self, *, launch: bool) -> Iterable[Browser]:
        """Return those that run already before those that would have to be started."""
        known = self._browsers.all()
        yield from (b for b in known if b.state is BrowserState.CONNECTED)
        yield from (
            b for b in known if b.state is not BrowserState.CONNECTED and not b.starts_on_demand
        )
        if launch or self._launches:
            started = [b for b in known if b.starts_on_demand]
            yield from started or [self._browsers.register(self._spec)]

    async def _hold(self, browser: Browser) -> BrowserProduct:
        version = await browser.channel.call("Browser.getVersion")
        name, _, number = str(version["product"]).partition("/")
        self.release()
        self._browser = browser
        self._known = frozenset(page.id for page in self._pages())
        if self._following is not None:
            self._following.watch(self._pages())
        self._stops = [
            browser.on_change(self._changed),
            browser.channel.on("Target.targetCrashed", self._crash),
            browser.channel.on("Target.targetInfoChanged", self._revive),
        ]
        return BrowserProduct(name.removeprefix("Headless"), number)

    def _held(self) -> Browser:
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

    async def _shut(self, page: PageHandle) -> None:
        """Close a tab; a browser would end with its last one, so it gets a blank one first."""
        browser = self._held()
        if browser.is_down_to_one_tab:
            browser.spare = await browser.new_page()
        await browser.close_page(page)

    def _changed(self) -> None:
        """Compare what is there with what was, and tell of the difference."""
        browser = self._browser
        if browser is None:
            return
        if browser.state is not BrowserState.CONNECTED:
            self.release()
            self._tell("gone", None)
            return
        known, self._known = self._known, frozenset(page.id for page in self._pages())
        if known != self._known:
            if self._following is not None:
                self._following.watch(self._pages())
            self._tell("tabs", None)

    def _crash(self, params: dict[str, Any]) -> None:
        """A crashed tab is no tab until it is loaded again."""
        self._crashed.add(params["targetId"])
        self._changed()

    def _revive(self, params: dict[str, Any]) -> None:
        if params["targetInfo"]["targetId"] in self._crashed:
            self._crashed.discard(params["targetInfo"]["targetId"])
            self._changed()

    def _stale(self) -> None:
        """Look at the focused page again, once it has come to rest."""
        if self._look is None or self._look.done():
            self._look = self._background.start(self._look_again())

    async def _look_again(self) -> None:
        """Look until nothing has changed meanwhile, but not for ever."""
        for _ in range(MOST_LOOKS):
            await asyncio.sleep(REST_SECONDS)
            catalogue = self._focused
            if catalogue is None or catalogue.page.gone:
                return
            await self._look_at(catalogue)
            if not catalogue.is_stale:
                return

    async def _look_at(self, catalogue: PageCatalog) -> None:
        page = catalogue.page
        await page.signal.until(lambda: page.gone or can_be_seen(page), READY_SECONDS)
        # Whoever acts on the page looks at it afterwards.
        async with page.handle.lock:
            await catalogue.refresh()
        self._tell("tools", page.id)

    def _tell(self, what: str, tab: int | None) -> None:
        for listener in list(self._listeners):
            listener(what, tab)
