"""Stored sites: cookies and local storage of sessions whose browsers may end."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

import msgspec

from tabmux.cdp.channel import Channel, Params
from tabmux.errors import BrowserTrouble, Misuse, ProtocolFault, TabmuxError
from tabmux.page.environment.cookies_and_storage import StorageArea, origin_of
from tabmux.page.handle import PageHandle
from tabmux.sessions import browser_keys
from tabmux.sessions.session import Session
from tabmux.sessions.session_rows import PageRow
from tabmux.sessions.session_store import SessionStore

logger = logging.getLogger(__name__)

# What a context may keep; a session that stores more loses it with its browser.
MOST_BYTES = 1 << 20
# For a page to tell what its site has stored.
SAVE_SECONDS = 2.0
# What Chrome tells of a cookie and does not take back.
_TOLD_ONLY = ("size", "session", "priority", "sourceScheme", "sourcePort", "partitionKeyOpaque")


class SiteState(msgspec.Struct, frozen=True):
    """What sites have stored in one context of a browser.

    Attributes:
        cookies: As Chrome tells them.
        origins: Local storage, by origin.
    """

    cookies: list[dict[str, Any]] = []
    origins: dict[str, list[tuple[str, str]]] = {}


class StoredSites:
    """Writes down what sites store for sessions, and puts it into another browser."""

    def __init__(self, store: SessionStore) -> None:
        self._store = store
        # The context, by Chrome's id, that has the cookies of a place again.
        self._restored: dict[tuple[str, str], str] = {}

    async def save(self, session: Session) -> None:
        """Write down what is stored where a session's pages are, in browsers that will end."""
        for place, pages in _places(session).items():
            try:
                async with asyncio.timeout(SAVE_SECONDS):
                    state = msgspec.json.encode(await _state(session, pages))
            except (TabmuxError, TimeoutError) as error:
                logger.debug("What sites stored could not be read: %s", error)
                continue
            # It may have been closed meanwhile.
            if len(state) <= MOST_BYTES and not session.ended:
                self._store.save_storage(session.handle, place, state)

    async def restore(self, handle: str, row: PageRow, page: PageHandle) -> str | None:
        """Put back the cookies of a page's context; returns a script for the rest, if there is any.

        The script is to run in the first document of the page, before its own scripts.
        """
        place = _place(row.browser, row.context)
        found = await self._store.storage(handle, place)
        if found is None:
            return None
        state = msgspec.json.decode(found, type=SiteState)
        attached = await page.attach()
        context = str(page.target.get("browserContextId", ""))
        if self._restored.get((handle, place)) != context:
            await _set_cookies(attached.channel, [_given(cookie) for cookie in state.cookies])
            self._restored[handle, place] = context
        items = state.origins.get(origin_of(row.url), [])
        return _storing_script(origin_of(row.url), items) if items else None


def _storing_script(origin: str, items: list[tuple[str, str]]) -> str:
    """Return a script that stores items, unless the profile has kept some."""
    return (
        f"if (location.origin === {_literal(origin)} && !localStorage.length) "
        f"for (const [key, value] of {_literal(items)}) localStorage.setItem(key, value);"
    )


def _literal(value: object) -> str:
    return msgspec.json.encode(value).decode()


async def _state(session: Session, pages: list[PageHandle]) -> SiteState:
    browser = session.browsers.browser_of(pages[0])
    if browser is None:
        return SiteState()
    context = browser.context_of(pages[0])
    if context is None and browser.makes_contexts:
        # The browser's own context has what others have stored.
        raise BrowserTrouble("It is not known in which context the pages are.")
    place: Params = {} if context is None else {"browserContextId": context}
    cookies = (await browser.channel.call("Storage.getCookies", place))["cookies"]
    origins: dict[str, list[tuple[str, str]]] = {}
    for page in [handle.page for handle in pages if handle.page is not None]:
        origin = origin_of(page.url)
        if origin and page.frames.main is not None and page.dialogs.current is None:
            with suppress(Misuse):  # a document without storage
                origins[origin] = await StorageArea(page.main, "local").entries()
    return SiteState(cookies, origins)


async def _set_cookies(channel: Channel, cookies: list[Params]) -> None:
    """Set cookies; of those that Chrome does not take back, the others are set."""
    try:
        await channel.call("Network.setCookies", {"cookies": cookies})
    except ProtocolFault:
        for cookie in cookies:
            with suppress(ProtocolFault):
                await channel.call("Network.setCookies", {"cookies": [cookie]})


def _places(session: Session) -> dict[str, list[PageHandle]]:
    """Return the session's pages in browsers that may end, by context.

    What was stored where a page is not back yet is still to be put back there.
    """
    found: dict[str, list[PageHandle]] = {}
    rows = session.restoration.absent.values() if session.restoration is not None else ()
    absent = {_place(row.browser, row.context) for row in rows}
    for page in session.pages.values():
        browser = session.browsers.browser_of(page)
        if browser is not None and browser.reopens_pages:
            key = browser_keys.key_of(session.browsers, browser)
            found.setdefault(_place(key, page.isolated_context), []).append(page)
    return {place: pages for place, pages in found.items() if place not in absent}


def _place(browser: str, context: str | None) -> str:
    return browser if context is None else f"{browser} {context}"


def _given(cookie: Params) -> Params:
    """Write a cookie as Chrome takes it; one without an end has none."""
    kept = {key: value for key, value in cookie.items() if key not in _TOLD_ONLY}
    if kept.get("expires", -1) == -1:
        kept.pop("expires", None)
    return kept
