"""Restoration: the pages of a session after its browser has ended, or its server."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence

from tabmux.browsers.attempt_progress import reported_attempt
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_state import BrowserState
from tabmux.concurrency import contained
from tabmux.content import CallingClient
from tabmux.errors import NoCapacity, TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.page_text import address
from tabmux.sessions import browser_keys
from tabmux.sessions.session import Session
from tabmux.sessions.session_rows import PageRow
from tabmux.sessions.stored_sites import StoredSites

logger = logging.getLogger(__name__)

# A browser that comes by itself, such as one with the extension, is back sooner or not at all.
ARRIVAL_SECONDS = 5.0
LOOK_SECONDS = 0.05
LONGEST_URL = 200
# The keys of browsers that come by themselves.
_COMING = "own LentSpec "


class Restoration:
    """Brings back the pages of one session: those still open as they are, the others by address.

    Args:
        session: Whose pages they are.
        pages: What is known of them.
        stored: What sites had stored, for browsers that have ended.

    Attributes:
        absent: The pages that are not back yet, by id.
    """

    def __init__(self, session: Session, pages: Sequence[PageRow], stored: StoredSites) -> None:
        self._session, self._stored = session, stored
        self.absent = {row.id: row for row in pages}
        self._finishing = asyncio.Lock()
        # The pages while which were opened again, their browser ended.
        self._ended_with: set[int] = set()
        # Browsers that were waited for, and did not come.
        self._missed: set[str] = set()
        # Tabs in whose place others were opened, and which are to be closed.
        self._replaced: list[tuple[Browser, PageHandle]] = []

    def found(self, page: PageHandle) -> None:
        """Take a page that its browser still has."""
        row = self.absent.get(page.id)
        if row is None or row.target != page.target_id or self._session.ended:
            return
        page.state, page.isolated_context = row.state, row.context
        page.had_secret = row.had_secret
        if not row.had_secret:
            del self.absent[row.id]
        self._session.adopt(page, created=row.created)

    async def finish(self, client: CallingClient | None = None) -> None:
        """Bring back what can be brought back now, browser by browser.

        Args:
            client: Told what that waits for.
        """
        async with self._finishing:
            for key in dict.fromkeys(row.browser for row in self.absent.values()):
                await self._bring_back(key, client)
            await self._close_replaced()
            if not self.absent:
                self._session.restoration = None
        session = self._session
        if session.selected not in session.pages and session.selected not in self.absent:
            session.selected = max(session.pages, default=None)

    async def _bring_back(self, key: str, client: CallingClient | None) -> None:
        browser = await self._arrived(key)
        if browser is None or not await self._is_connected(browser, client):
            return
        self._take_popups(browser)
        contexts = {page.target.get("browserContextId") for page in browser.pages.values()}
        for row in [row for row in self.absent.values() if row.browser == key]:
            if row.had_secret:
                await self._replace(browser, row)
            elif row.context_id in contexts:
                # The same browser: somebody has closed the tab meanwhile.
                self._session.tell(f"Note: page {row.id} was closed while tabmux was not running.")
            else:
                await self._reopen(browser, row)
            if self._has_ended_with(browser, row):
                self._ended_with.add(row.id)
                self.absent[row.id] = row
                return
            # Whoever breaks this off, or has no room for it now, tries again with the next call.
            self.absent.pop(row.id, None)
        for page in self._session.pages.values():
            context, ident = page.isolated_context, page.target.get("browserContextId")
            if context and ident and page.target_id in browser.pages:
                browser.resume_context(context, ident)

    async def _is_connected(self, browser: Browser, client: CallingClient | None) -> bool:
        """Connect a browser; raises only that there is no room: the call would wait as long again.

        Otherwise its pages may come back with it; the call that needs one of them is told why not.
        """
        try:
            if browser.state is BrowserState.CONNECTED and not browser.is_reachable:
                await browser.ended()
            async with reported_attempt(client, browser):
                await self._session.browsers.ensure_connected(browser)
        except NoCapacity:
            raise
        except TabmuxError as error:
            logger.info("Session %s waits for a browser: %s", self._session.name, error.message)
            return False
        return True

    def _has_ended_with(self, browser: Browser, row: PageRow) -> bool:
        """Whether the browser has ended while a page was opened again, for the first time.

        A page with which two browsers have ended is left out.
        """
        was_lost = self.absent.get(row.id, row) is not row
        return (was_lost or not browser.is_reachable) and row.id not in self._ended_with

    async def _arrived(self, key: str) -> Browser | None:
        """Return a browser, for which the first call waits a while."""
        view = self._session.browsers
        if not key.startswith(_COMING):
            return browser_keys.find(view, key)
        end = asyncio.get_running_loop().time() + ARRIVAL_SECONDS
        while (browser := browser_keys.find(view, key)) is None and key not in self._missed:
            if asyncio.get_running_loop().time() > end:
                self._missed.add(key)
            await asyncio.sleep(LOOK_SECONDS)
        return browser

    def _take_popups(self, browser: Browser) -> None:
        """Take what the session's pages opened when nobody was there to see it."""
        for page in list(browser.pages.values()):
            opener = browser.pages.get(str(page.target.get("openerId", "")))
            if opener is None or not self._session.owns(opener):
                continue
            if not self._session.owns(page) and self._session.may_attach(page):
                self._session.adopt(page, created=True)

    async def _replace(self, browser: Browser, row: PageRow) -> None:
        """Open a page again in which a secret may stand: nobody knows any more what to hide."""
        before = self._session.pages.pop(row.id, None)
        if before is not None:
            before.id = -row.id
        try:
            await self._reopen(browser, row, f"a secret had been typed into page {row.id}")
        except BaseException:
            if before is not None:
                before.id = row.id
                self._session.pages[row.id] = before
            raise
        if before is not None:
            self._replaced.append((browser, before))

    async def _close_replaced(self) -> None:
        while self._replaced:
            browser, page = self._replaced[-1]
            await contained(browser.close_page(page), f"Closing page {-page.id}")
            self._replaced.pop()

    async def _reopen(self, browser: Browser, row: PageRow, why: str = "") -> None:
        """Open a page again whose browser has ended, with what its sites had stored."""
        session, why = self._session, why or f"the browser of page {row.id} had ended"
        shown = address(row.url, LONGEST_URL)
        try:
            await self._open(browser, row)
        except NoCapacity:
            raise
        except TabmuxError as error:
            news = f"{shown} could not be opened again: {error.message}"
        else:
            news = f"it was opened again at {shown}, and what was typed there is lost."
        if self._has_ended_with(browser, row):
            return
        session.tell(f"Note: {why}; {news}")
        if page := session.pages.get(row.id):
            page.reopened = time.monotonic()

    async def _open(self, browser: Browser, row: PageRow) -> None:
        selected = self._session.selected
        page = await self._session.reopen_page(browser, row.id, context=row.context)
        try:
            await self._fill(browser, row, page)
        except (asyncio.CancelledError, NoCapacity):
            # Nobody has seen it, whoever had opened the one before.
            self._session.created.add(page.id)
            await self._session.give_up(page)
            self._session.selected = selected
            raise

    async def _fill(self, browser: Browser, row: PageRow, page: PageHandle) -> None:
        """Have a blank page be what the one before it was."""
        session, page.state = self._session, row.state
        if not row.created:
            session.created.discard(page.id)
        script = await self._stored.restore(session.handle, row, page)
        if row.url and row.url != "about:blank":
            session.urls_in(browser).check(row.url)
            navigation = (await page.attach()).navigation
            async with navigation.init_script(script):
                await navigation.go(row.url)
