"""All sessions: opened, found again, closed."""

from __future__ import annotations

import itertools
import logging

from tabmux.browsers.registry import Browsers
from tabmux.errors import Misuse, TabmuxError
from tabmux.page.page import Page
from tabmux.sessions import uids
from tabmux.sessions.session import Session

logger = logging.getLogger(__name__)


class Sessions:
    """The table of sessions, and who owns which page."""

    def __init__(self, browsers: Browsers, uid_style: uids.Style = "short") -> None:
        self._browsers = browsers
        self._uid_style = uid_style
        self._sessions: dict[str, Session] = {}
        self._numbers = itertools.count()
        browsers.on_opened(self._opened)
        browsers.on_closed(self._closed)

    def open(self, label: str = "") -> Session:
        """Start a session."""
        if label and self.named(label) is not None:
            raise Misuse(f"There is already a session {label!r}.")
        name = uids.letters(next(self._numbers))
        session = Session(name, self._browsers, self.owner_of, self._uid_style, label)
        self._sessions[session.handle] = session
        return session

    def find(self, handle: str) -> Session | None:
        """Return the open session with this handle."""
        return self._sessions.get(handle)

    def named(self, text: str) -> Session | None:
        """Return a session by its handle, its label or its letters."""
        if session := self._sessions.get(text):
            return session
        return next((s for s in self.all() if text and text in (s.label, s.name)), None)

    def expired(self, seconds: float) -> list[Session]:
        """Return the sessions that nobody has used for so long."""
        return [s for s in self.all() if s.idle_seconds() > seconds]

    def all(self) -> list[Session]:
        """Return every open session."""
        return list(self._sessions.values())

    def owner_of(self, page: Page) -> Session | None:
        """Return the session that owns a page."""
        return next((s for s in self._sessions.values() if s.owns(page)), None)

    async def close(self, session: Session) -> None:
        """End a session: pages made for it are closed, attached ones stay."""
        self._sessions.pop(session.handle, None)
        for ident in sorted(session.created):
            page = session.pages[ident]
            try:
                await self._close_page(page)
            except TabmuxError as error:
                logger.info("Page %d was not closed: %s", ident, error)
        session.pages.clear()

    async def _close_page(self, page: Page) -> None:
        browser = self._browsers.browser_of(page)
        if browser is None:
            return
        # A browser without tabs would quit: ours gets a blank one, the user's keeps its last.
        if browser.is_down_to_one_tab:
            if browser.spec.kind != "launch":
                return
            browser.spare = await browser.new_page()
        await browser.close_page(page)

    def _opened(self, opener: Page, page: Page) -> None:
        """A popup belongs to the session of its opener."""
        if owner := self.owner_of(opener):
            owner.adopt(page, created=True)

    def _closed(self, page: Page) -> None:
        if owner := self.owner_of(page):
            owner.forget(page)
