"""Session table: sessions are opened, found again, expired and closed here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_view import BrowserView
from tabmux.browsers.registry import Browsers
from tabmux.concurrency import contained
from tabmux.content import CallingClient
from tabmux.errors import Misuse
from tabmux.page.handle import PageHandle
from tabmux.policy.session_policies import SessionPolicies
from tabmux.sessions import uids
from tabmux.sessions.peers import NoPeers, Peers
from tabmux.sessions.session import Session
from tabmux.sessions.session_parts import SessionTools
from tabmux.settings import Settings, parse_viewport, with_types

if TYPE_CHECKING:
    from tabmux.sessions.session_recorder import SessionRecorder
    from tabmux.sessions.session_rows import SessionRow

logger = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS = 5.0
# For a browser to close a page; one that is frozen must not hold up the end of the server.
CLOSE_SECONDS = 3.0

MakeTools = Callable[[Session, Settings], SessionTools]


class Sessions:
    """All open sessions, and which of them owns a page.

    Args:
        browsers: All browsers of the daemon.
        settings: How sessions are, unless their clients want something else.
        make_tools: Makes the tools of a session, by its settings.
        policies: What agents may do in each session.
        peers: The other servers that have sessions, if there are some.
    """

    def __init__(
        self,
        browsers: Browsers,
        settings: Settings,
        make_tools: MakeTools,
        policies: SessionPolicies,
        peers: Peers | None = None,
    ) -> None:
        self._browsers, self._settings, self._make_tools = browsers, settings, make_tools
        self._policies = policies
        self._sessions: dict[str, Session] = {}
        self._peers = peers or NoPeers()
        # Writes sessions down, where they outlive the server.
        self._recorder: SessionRecorder | None = None
        self.opened = 0
        browsers.on_opened(self._page_opened)
        browsers.on_closed(self._page_closed)
        browsers.on_lost(self._page_lost)

    def open(
        self,
        label: str = "",
        settings: Settings | None = None,
        browsers: Iterable[BrowserSpec] = (),
    ) -> Session:
        """Start a session.

        Args:
            label: What the user calls it.
            settings: What its client wants; the usual settings when absent.
            browsers: The browsers that its client named.
        """
        if label and self.named(label) is not None:
            raise Misuse(f"There is already a session {label!r}.")
        own = settings or self._settings
        letters = uids.letters(next(self._peers.session_numbers))
        session = self._make(letters, label, own, browsers, self._peers.new_id())
        if self._recorder is not None:
            self._recorder.watch(session)
        self.opened += 1
        return session

    def record_by(self, recorder: SessionRecorder) -> None:
        """Have sessions outlive the server from now on."""
        self._recorder = recorder

    def take_up(self, row: SessionRow, specs: Iterable[BrowserSpec]) -> Session:
        """Go on with a session of a server before this one; its pages come back by themselves.

        Args:
            row: What it was.
            specs: The browsers that its client had named.
        """
        settings = replace(self._settings, **with_types(row.settings)) if row.settings else None
        own = settings or self._settings
        session = self._make(row.name, row.label, own, specs, row.handle, row.epochs)
        self._peers.session_numbers.pass_over(uids.number_of(row.name))
        return session

    def _make(
        self,
        name: str,
        label: str,
        own: Settings,
        browsers: Iterable[BrowserSpec],
        handle: str,
        epochs: int = 0,
    ) -> Session:
        session = Session(
            name,
            BrowserView(self._browsers, browsers),
            self,
            lambda session: self._make_tools(session, own),
            own,
            self._policies.open(own, label),
            label,
            parse_viewport(own.viewport) if own.viewport != self._settings.viewport else None,
            handle=handle,
            epochs=epochs,
        )
        self._sessions[session.handle] = session
        self._browsers.views.add(session.browsers)
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
        owner = self._sessions.get(page.owner)
        return owner if owner is not None and owner.owns(page) else None

    def is_elsewhere(self, page: PageHandle) -> bool:
        """Whether a page belongs to a session of another server."""
        return self._peers.own_page(page.target_id)

    async def expire(self) -> None:
        """Close sessions that nobody has used for long, for ever."""
        idle, grace = self._settings.session_idle, self._settings.session_grace
        while True:
            await asyncio.sleep(min(LONGEST_PAUSE_SECONDS, max(min(idle, grace) / 4, 0.05)))
            await self._close_expired(idle, grace)
            if self._recorder is not None:
                self._recorder.note_use(self.all())
                await contained(self._recorder.tidy(), "Writing down what sites store")

    async def _close_expired(self, idle: float, grace: float) -> None:
        for session in self.all():
            # Another server may have taken it over, where it was used meanwhile.
            if self._peers.refusal() is not None:
                return
            # A client that hung up comes back soon or never, unless the user named its session.
            limit = min(idle, grace) if session.was_left and not session.label else idle
            if session.idle_seconds() > limit:
                logger.info("Session %s has expired.", session.name)
                await contained(self.close(session), f"Closing session {session.name}")

    async def close(self, session: Session) -> None:
        """End a session: pages made for it are closed once they are idle, attached ones stay."""
        if self._sessions.pop(session.handle, None) is None:
            return
        await session.until_idle(self._browsers.timings.session_close)
        session.release()
        await self._close_pages(session, list(session.pages.values()), set())
        self._forget(session)
        if self._recorder is not None:
            self._recorder.forget(session)

    def keep_none(self) -> None:
        """Let no session outlive the server, which the user stops."""
        if self._recorder is not None:
            self._recorder.forget_all()

    async def drain(self, seconds: float) -> None:
        """Begin no more calls, and let those under way come to an end, for so long.

        Whoever has called meanwhile asks the next server again.
        """
        for session in self.all():
            before = session.restoration
            session.restoration = _NoMoreCalls({} if before is None else before.absent)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                for session in self.all():
                    await session.until_quiet(seconds)

    async def stop(self) -> None:
        """End every session, because the server ends; tabs in a browser of the user's stay."""
        silent = set[Browser]()
        if self._recorder is not None:
            await self._recorder.finish(self.all())
        for session in self.all():
            await contained(self._stop(session, silent), f"Stopping session {session.name}")

    async def _stop(self, session: Session, silent: set[Browser]) -> None:
        del self._sessions[session.handle]
        session.release()
        owned = [p for p in session.pages.values() if self._is_in_owned_browser(p)]
        await self._close_pages(session, owned, silent)
        self._forget(session)

    async def give_up(self, session: Session, pages: Sequence[PageHandle]) -> None:
        """Close the pages that were made for a session, and let go of the others."""
        await self._close_pages(session, pages, set())
        for page in pages:
            session.forget(page)

    def _forget(self, session: Session) -> None:
        for page in list(session.pages.values()):
            session.forget(page)
        self._browsers.views.discard(session.browsers)
        session.browsers.close()

    def _is_in_owned_browser(self, page: PageHandle) -> bool:
        browser = self._browsers.browser_of(page)
        return browser is not None and browser.is_owned and browser.ends_with_server

    async def _close_pages(
        self, session: Session, pages: Sequence[PageHandle], silent: set[Browser]
    ) -> None:
        """Close the pages that were made for a session.

        Args:
            session: Which one.
            pages: Which of its pages.
            silent: Browsers that do not answer, whose pages are left; more are added.
        """
        for page in [p for p in pages if p.id in session.created]:
            await contained(self._close_page(page, silent), f"Closing page {page.id}")

    async def _close_page(self, page: PageHandle, silent: set[Browser]) -> None:
        browser = self._browsers.browser_of(page)
        if browser is None or browser in silent:
            return
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._close_in(browser, page)
        except TimeoutError:
            silent.add(browser)
            raise

    async def _close_in(self, browser: Browser, page: PageHandle) -> None:
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

    def _page_lost(self, page: PageHandle) -> None:
        """Have a page come back that ends with its browser, where sessions are written down."""
        if self._recorder is not None and (owner := self.owner_of(page)):
            self._recorder.expect_back(owner, page)

    def _page_closed(self, page: PageHandle) -> None:
        if owner := self.owner_of(page):
            owner.forget(page)


class _NoMoreCalls:
    """Lets the calls of a session wait for the end of the server."""

    def __init__(self, absent: Mapping[int, Any]) -> None:
        self.absent = absent

    async def finish(self, client: CallingClient | None = None) -> None:
        """Wait for ever."""
        await asyncio.get_running_loop().create_future()
