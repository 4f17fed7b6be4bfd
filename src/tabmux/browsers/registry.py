"""Browser registry: all browsers by index or name, connected when needed and when lost."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from types import TracebackType
from typing import Any, Protocol, Self

from tabmux.browsers.addressed import AddressedBrowser, AddressedSpec
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.launched import LaunchedBrowser, LaunchedSpec
from tabmux.browsers.lent import LentBrowser, LentSpec
from tabmux.cdp.cdp_connection import Fence
from tabmux.concurrency import Listeners, contained
from tabmux.errors import Misuse, TabmuxError
from tabmux.numbering import Numbering
from tabmux.page.handle import PageHandle
from tabmux.page.workers import WorkerNames
from tabmux.policy.url_policy import UrlPolicy
from tabmux.timings import Timings

logger = logging.getLogger(__name__)

BrowserKey = int | str

# The kinds of browsers: who is made of which spec.
KINDS: dict[type[BrowserSpec], type[Browser]] = {
    LaunchedSpec: LaunchedBrowser,
    AddressedSpec: AddressedBrowser,
    LentSpec: LentBrowser,
}


class View(Protocol):
    """What one session sees."""

    def sees(self, browser: Browser) -> bool:
        """Whether it sees a browser."""


class Browsers:
    """The registry; an `async with` that owns every connection and every browser we launch.

    Args:
        timings: How long to wait for what.
        urls: Where pages may go.
        has_session_urls: Whether sessions may have rules of their own about that.
        page_numbers: Where page ids come from.
        fence: What says that nothing may be sent to browsers now, because others may have them.
    """

    def __init__(
        self,
        timings: Timings | None = None,
        urls: UrlPolicy | None = None,
        *,
        has_session_urls: bool = False,
        page_numbers: Numbering | None = None,
        fence: Fence | None = None,
    ) -> None:
        self.timings, self._urls = timings or Timings(), urls or UrlPolicy()
        self._fence = fence
        self._has_session_urls = has_session_urls
        self._browsers: dict[int, Browser] = {}
        # Those that no client had to name.
        self._own: set[int] = set()
        # What the sessions see.
        self.views: set[View] = set()
        self._next_index = itertools.count(1)
        self._page_ids = page_numbers or Numbering(1)
        self._worker_names = WorkerNames()
        self._group = asyncio.TaskGroup()
        self._retries: set[asyncio.Task[None]] = set()
        self._page_opened = Listeners[[PageHandle, PageHandle]]()
        self._page_closed = Listeners[[PageHandle]]()
        self._page_found = Listeners[[PageHandle]]()
        self._page_lost = Listeners[[PageHandle]]()
        # The ids of pages that a server before this one knew, by target.
        self._known_ids: dict[str, int] = {}
        self._changed = Listeners[[]]()

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close_all()
        await self._group.__aexit__(kind, error, traceback)

    def register(self, spec: BrowserSpec) -> Browser:
        """Note a browser of the daemon's own: what sessions see whose clients named none."""
        taken = {n for b in self.all() if self.is_own(b) for n in (b.name, *b.spec.tags)}
        if self._same(spec) is None and spec.name and spec.name in taken:
            raise Misuse(f"There is already a browser named {spec.name!r}.")
        browser = self.hold(spec)
        self._own.add(browser.index)
        self.announce()
        return browser

    def is_own(self, browser: Browser) -> bool:
        """Whether a browser is one of the daemon's own."""
        return browser.index in self._own

    def hold(self, spec: BrowserSpec) -> Browser:
        """Note a browser without connecting to it; the same address is the same browser."""
        if known := self._same(spec):
            known.join(spec)
            self.announce()
            return known
        index = next(self._next_index)
        kind = spec.browser_class() or _kind_of(spec)
        browser = self._browsers[index] = kind(
            index,
            spec,
            self._page_ids,
            self._note_opened,
            self._page_closed,
            self._browser_lost,
            self.timings,
            self._urls.within(spec.allow_url, spec.deny_url),
            self._worker_names,
            has_session_urls=self._has_session_urls,
        )
        browser.known_ids, browser.found = self._known_ids, self._page_found
        browser.fence, browser.page_lost = self._fence, self._page_lost
        self.announce()
        return browser

    def remove(self, browser: Browser) -> None:
        """Forget a browser; its connection ends."""
        browser.disconnect()
        self._browsers.pop(browser.index, None)
        self._own.discard(browser.index)
        self.announce()

    def release(self, browser: Browser) -> None:
        """Forget a browser that no session sees any more."""
        if not any(view.sees(browser) for view in self.views):
            self.remove(browser)

    def close_all(self) -> None:
        """End every connection and every browser we launched."""
        for task in self._retries:
            task.cancel()
        for browser in self.all():
            browser.leave()

    def all(self) -> list[Browser]:
        """Return every browser, in the order they were registered."""
        return list(self._browsers.values())

    def some(self, indices: Iterable[int]) -> list[Browser]:
        """Return the browsers at these places, if they are still there."""
        return [self._browsers[index] for index in indices if index in self._browsers]

    @property
    def count(self) -> int:
        """How many browsers are registered."""
        return len(self._browsers)

    async def connect(
        self, browser: Browser, *, force: bool = False, run_start_command: bool = False
    ) -> Browser:
        """Make an attempt to connect; one at a time, whoever asks."""
        await browser.connect(self._group, force=force, run_start_command=run_start_command)
        return browser

    async def ensure_connected(self, browser: Browser) -> Browser:
        """Return the browser, connected; a failed one is left to cool down first."""
        if browser.state is not BrowserState.CONNECTED:
            await self.connect(browser)
        return browser

    async def reconnect(self, browser: Browser) -> Browser:
        """Connect anew, at once, by the start command if there is one."""
        browser.is_moving = browser.moves_pages
        try:
            browser.disconnect()
            await browser.ended()
        finally:
            browser.is_moving = False
        return await self.connect(browser, force=True, run_start_command=True)

    def connect_all_in_background(self) -> None:
        """Connect to every browser that runs already; those that fail are tried when needed."""
        for browser in self.all():
            if not browser.starts_on_demand and browser.state is BrowserState.PENDING:
                self._in_background(browser, self._try(browser))

    def resume(self, browser: Browser) -> None:
        """Connect in the background to a browser that has just come, or come back, by itself."""
        self._in_background(browser, self._try(browser, force=True))

    def browser_of(self, page: PageHandle) -> Browser | None:
        """Return the browser that a page is in."""
        holder = page.guard
        if isinstance(holder, Browser) and page.target_id in holder.pages:
            return holder
        return next((b for b in self.all() if page.target_id in b.pages), None)

    def find_page(self, ident: int) -> PageHandle | None:
        """Return a page by id, whichever browser it is in."""
        for browser in self.all():
            for page in browser.pages.values():
                if page.id == ident:
                    return page
        return None

    def know_pages(self, ids: Mapping[str, int]) -> None:
        """Give pages the ids that they had in a server before this one, as they are found.

        Args:
            ids: The ids, by target.
        """
        self._known_ids |= ids
        self._page_ids.pass_over(max(ids.values(), default=0))

    def find_known_pages(self) -> None:
        """Find those among the pages that are there already."""
        for page in [page for browser in self.all() for page in browser.pages.values()]:
            if (known := self._known_ids.pop(page.target_id, None)) is not None:
                page.id = known
                self._page_found(page)

    def on_found(self, listener: Callable[[PageHandle], None]) -> None:
        """Call `listener` for every page that is there and has an id of before."""
        self._page_found.add(listener)

    def on_opened(self, listener: Callable[[PageHandle, PageHandle], None]) -> None:
        """Call `listener` with opener and page for every page that a page opens."""
        self._page_opened.add(listener)

    def on_closed(self, listener: Callable[[PageHandle], None]) -> None:
        """Call `listener` for every page that goes away."""
        self._page_closed.add(listener)

    def on_lost(self, listener: Callable[[PageHandle], None]) -> None:
        """Call `listener` for every page that ends with its browser, before it goes away."""
        self._page_lost.add(listener)

    def on_changed(self, listener: Callable[[], None]) -> None:
        """Call `listener` when somebody may see other browsers than before."""
        self._changed.add(listener)

    def announce(self) -> None:
        """Say that somebody may see other browsers than before."""
        self._changed()

    def _same(self, spec: BrowserSpec) -> Browser | None:
        return next((known for known in self.all() if known.spec.same_as(spec)), None)

    def _note_opened(self, opener: PageHandle, page: PageHandle) -> None:
        self._page_opened(opener, page)
        if opener.page is not None:
            opener.page.activity.opened(page.id)

    def _browser_lost(self, browser: Browser) -> None:
        """Connect again in the background; how often is up to the browser."""
        if browser.index in self._browsers:
            self._in_background(browser, self._retry(browser))

    async def _retry(self, browser: Browser) -> None:
        for delay in browser.retry_delays():
            if browser.index not in self._browsers or browser.state is BrowserState.CONNECTED:
                return
            browser.plan_retry(delay)
            await asyncio.sleep(delay)
            await self._try(browser, force=True)

    async def _try(self, browser: Browser, *, force: bool = False) -> None:
        try:
            await self.connect(browser, force=force)
        except TabmuxError as error:
            logger.info("Browser %d is not reachable: %s", browser.index, error.message)
        # One that comes and goes by itself is seen while it is there.
        self.announce()

    def _in_background(self, browser: Browser, work: Coroutine[Any, Any, None]) -> None:
        """Run a task for one browser; whatever goes wrong in it is no other browser's trouble."""
        what = f"Connecting to browser {browser.index}"
        task = self._group.create_task(contained(work, what))
        # One that is cancelled before its first step would leave the work behind, never begun.
        task.add_done_callback(lambda _: work.close())
        self._retries.add(task)
        task.add_done_callback(self._retries.discard)


def _kind_of(spec: BrowserSpec) -> type[Browser]:
    return next(made for known, made in KINDS.items() if isinstance(spec, known))
