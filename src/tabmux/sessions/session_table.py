"""Session table: sessions are opened, found again, expired and closed here."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable

from tabmux.browsers.registry import Browsers
from tabmux.errors import Misuse, TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.sessions import uids
from tabmux.sessions.session import Session, SessionTools

logger = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS = 5.0

MakeTools = Callable[[Session, str], SessionTools]


class Sessions:
    """All open sessions, and which of them owns a page.

    Args:
        browsers: Where pages come from.
        make_tools: Makes the tools of a session, with the name of its toolset.
        uid_style: Which form of uid is printed.
    """

    def __init__(
        self, browsers: Browsers, make_tools: MakeTools, uid_style: uids.Style = "short"
    ) -> None:
        self._browsers, self._make_tools, self._uid_style = browsers, make_tools, uid_style
        self._sessions: dict[str, Session] = {}
        self._numbers = itertools.count()
        self.opened = 0
        browsers.on_opened(self._page_opened)
        browsers.on_closed(self._page_closed)

    def open(self, label: str = "", toolset: str = "") -> Session:
        """Start a session, with another toolset than the usual one if it is named."""
        if label and self.named(label) is not None:
            raise Misuse(f"There is already a session {label!r}.")
        name = uids.letters(next(self._numbers))
        session = Session(
            name,
            self._browsers,
            self,
            lambda session: self._make_tools(session, toolset),
            self._uid_style,
            label,
        )
        self._sessions[session.handle] = session
        self.opened += 1
        return session

    def find(self, handle: str) -> Session | None:
        """Return the open session with this handle."""
        return self._sessions.get(handle)

    def named(self, text: str) -> Session | None:
        """Return a session by its handle, its label, its letters or an alias."""
        if session := self._sessions.get(text):
            return session
        return next(
            (s for s in self.all() if text and (text in (s.label, s.name) or text in s.aliases)),
            None,
        )

    def all(self) -> list[Session]:
        """Return every open session."""
        return list(self._sessions.values())

    def owner_of(self, page: PageHandle) -> Session | None:
        """Return the session that owns a page."""
        return next((s for s in self._sessions.values() if s.owns(page)), None)

    async def expire(self, seconds: float) -> None:
        """Close sessions that nobody has used for so long, for ever."""
        while True:
            await asyncio.sleep(min(LONGEST_PAUSE_SECONDS, max(seconds / 4, 0.05)))
            for session in [s for s in self.all() if s.idle_seconds() > seconds]:
                logger.info("Session %s has expired.", session.name)
                await self.close(session)

    async def close(self, session: Session) -> None:
        """End a session: pages made for it are closed, attached ones stay."""
        if self._sessions.pop(session.handle, None) is None:
            return
        session.release()
        for ident in sorted(session.created):
            page = session.pages[ident]
            try:
                await self._close_page(page)
            except TabmuxError as error:
                logger.info("Page %d was not closed: %s", ident, error)
        session.pages.clear()

    async def close_all(self) -> None:
        """End every session."""
        for session in self.all():
            await self.close(session)

    async def _close_page(self, page: PageHandle) -> None:
        browser = self._browsers.browser_of(page)
        if browser is None:
            return
        # A browser without tabs would quit: ours gets a blank one, the user's keeps its last.
        if browser.is_down_to_one_tab:
            if not browser.is_owned:
                return
            browser.spare = await browser.new_page()
        await browser.close_page(page)

    def _page_opened(self, opener: PageHandle, page: PageHandle) -> None:
        """A popup belongs to the session of its opener."""
        if owner := self.owner_of(opener):
            owner.adopt(page, created=True)

    def _page_closed(self, page: PageHandle) -> None:
        if owner := self.owner_of(page):
            owner.forget(page)
