"""Session recorder: writes sessions down when what they are has changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from msgspec import structs

from tabmux.page.environment.emulation import NO_EMULATION
from tabmux.page.environment.page_overrides import PageOverrides
from tabmux.page.handle import PageHandle
from tabmux.sessions import browser_keys
from tabmux.sessions.call_journal import CallJournal
from tabmux.sessions.restoration import Restoration
from tabmux.sessions.session import Session
from tabmux.sessions.session_rows import SPEC_KINDS, BrowserRow, PageRow, SessionRow, weight
from tabmux.sessions.session_store import SessionStore, remove_session
from tabmux.sessions.stored_sites import StoredSites
from tabmux.settings import Settings, settings_of

# The epoch is written down this many snapshots ahead, and not with each of them.
EPOCHS_AHEAD = 100
# What pages have set and where they are, of one session.
MOST_CHARACTERS = 500_000
LONGEST_URL = 20_000
# A page whose next browser ends within this is what ends them, and is not opened again.
REOPEN_SECONDS = 30.0
# For browsers to tell what their sites store, when the server ends.
FINISH_SECONDS = 2.0

Fingerprint = tuple[object, ...]


class SessionRecorder:
    """Keeps the rows of all sessions as the sessions are.

    Args:
        store: Where they are written.
        journal: Where the sessions' actions are noted.
        settings: Those of the server.
    """

    def __init__(self, store: SessionStore, journal: CallJournal, settings: Settings) -> None:
        self.store, self.journal, self._settings = store, journal, settings
        self._written: dict[str, Fingerprint] = {}
        self._used: dict[str, float] = {}
        self._is_frozen = False
        # Whether the next server goes on with them.
        self.keeps_sessions = True
        self.stored = StoredSites(store)
        # Sessions that have made calls since what their sites store was written down.
        self._unsaved: set[Session] = set()

    @property
    def is_frozen(self) -> bool:
        """Whether the last was written: what ends from now on ends only with the server."""
        return self._is_frozen

    def watch(self, session: Session) -> None:
        """Write a session down now, and whenever it is another one after a call."""
        session.journal = self.journal
        session.recorder = self
        self._record(session)

    def forget(self, session: Session) -> None:
        """Drop a session that has ended."""
        self._written.pop(session.handle, None)
        self._used.pop(session.handle, None)
        self._unsaved.discard(session)
        if not self._is_frozen:
            remove_session(self.store, session.handle, session.aliases)

    def expect_back(self, session: Session, page: PageHandle) -> None:
        """Have a page opened again with the next call; its browser is gone, and it goes with it."""
        known = session.restoration
        if self._is_frozen or not (known is None or isinstance(known, Restoration)):
            return
        if time.monotonic() - page.reopened < REOPEN_SECONDS:
            page.taken = "its browser has ended again soon after it was opened anew"
            return
        restoration = known or Restoration(session, (), self.stored)
        # What secret was typed there is known here: the next page is not typed into yet.
        row = structs.replace(_page_row(session, page, MOST_CHARACTERS), had_secret=False)
        restoration.absent[page.id] = row
        session.restoration = restoration

    async def save_sites(self, session: Session) -> None:
        """Write down now what sites store for a session."""
        if not self._is_frozen:
            await self.stored.save(session)

    def forget_all(self) -> None:
        """Drop every session, and write nothing more."""
        self._is_frozen = True
        self.keeps_sessions = False
        self.store.clear()

    def record_again(self, sessions: list[Session]) -> None:
        """Write every session down, whether it has changed or not."""
        self._written.clear()
        self._used.clear()
        for session in sessions:
            self._record(session)

    def note_use(self, sessions: list[Session]) -> None:
        """Write down who has been used since the last time."""
        used = [s for s in sessions if self._used.get(s.handle) != s.last_used]
        if used and not self._is_frozen:
            self.store.note_use((s.handle, _date(s.last_used), s.made) for s in used)
            self._used |= {s.handle: s.last_used for s in used}

    async def tidy(self) -> None:
        """Do what is due now and then, beside the calls."""
        if self._is_frozen:
            return
        for session in [s for s in self._unsaved if not s.calls]:
            self._unsaved.discard(session)
            await self.stored.save(session)
        await self.store.tidy()

    async def finish(self, sessions: list[Session]) -> None:
        """Write a last time: what happens to sessions then is only the end of the server."""
        if self._is_frozen:
            return
        for session in sessions:
            self._record(session)
        self.note_use(sessions)
        self._is_frozen = True
        with suppress(TimeoutError):
            async with asyncio.timeout(FINISH_SECONDS):
                for session in sessions:
                    await self.stored.save(session)

    def record(self, session: Session) -> None:
        """Write a session down after a call, if it is another one than before."""
        # The call of one client may end after another one has closed the session.
        if session.ended:
            return
        self._record(session)
        self._unsaved.add(session)

    async def written(self) -> None:
        """Wait until that is done."""
        await self.store.written()

    def _record(self, session: Session) -> None:
        now = _fingerprint(session)
        if self._is_frozen or self._written.get(session.handle) == now:
            return
        if self.store.save(self._row(session)):
            self._written[session.handle] = now

    def _row(self, session: Session) -> SessionRow:
        view = session.browsers
        placed = {b.index: b.placement() for b in view.registry.all() if b.index in view.named}
        numbers = {browser_keys.key_of(view, b): view.number(b) for b in view.all()}
        return SessionRow(
            handle=session.handle,
            name=session.name,
            label=session.label,
            client=session.client,
            aliases=tuple(session.aliases),
            settings=self._own_settings(session),
            browsers=tuple(BrowserRow.of(s, placed.get(n)) for n, s in view.named.items()),
            own=_own_browsers(session),
            numbers=numbers,
            hidden=tuple(
                browser_keys.key_of(view, b) for b in view.registry.all() if b.index in view.hidden
            ),
            default=browser_keys.key_of(view, view.default) if view.default else "",
            groups=tuple(session.groups),
            pages=(
                *_page_rows(session),
                *_absent(session),
            ),
            selected=session.selected,
            epochs=_epochs(session),
            made=session.made,
            opened=_date(session.opened),
            used=time.time(),
            was_left=session.was_left,
            paused=_is_paused(session),
        )

    def _own_settings(self, session: Session) -> dict[str, Any]:
        own, common = session.settings, self._settings
        return {
            name: getattr(own, name)
            for name in settings_of("session", "rule")
            if getattr(own, name) != getattr(common, name)
        }


def _fingerprint(session: Session) -> Fingerprint:
    """Return something that is another one when the session is; made after every call."""
    view = session.browsers
    return (
        session.label,
        session.client,
        frozenset(session.aliases),
        len(session.groups),
        session.selected,
        view.default,
        tuple(view.named),
        [b.placement() for b in view.registry.all() if b.index in view.named],
        len(view.hidden),
        _epochs(session),
        _is_paused(session),
        tuple(_page_fingerprint(session, page) for page in session.pages.values()),
        tuple(row.id for row in _absent(session)),
    )


def _is_paused(session: Session) -> bool:
    return session.steering.is_paused or session.is_held


def _page_fingerprint(session: Session, handle: PageHandle) -> Fingerprint:
    page = handle.page
    rules = () if page is None else tuple(rule.id for rule in page.interception.rules)
    emulation = None if page is None else page.emulation.current
    created = handle.id in session.created
    return handle.target_id, handle.url, created, handle.had_secret, emulation, rules


def _page_rows(session: Session) -> Iterator[PageRow]:
    """Yield the rows of a session's pages; what takes too much room comes back without it.

    A row is written within a call, and other sessions wait for that.
    """
    room = MOST_CHARACTERS
    absent = {row.id for row in _absent(session)}
    # One that is just being opened again is not what it was.
    for handle in (page for page in session.pages.values() if page.id not in absent):
        row = _page_row(session, handle, room)
        room -= len(row.url) + weight(row.state)
        yield row


def _page_row(session: Session, handle: PageHandle, room: int) -> PageRow:
    """Return the row of a page, in so many characters."""
    state = PageOverrides.of(handle.page) if handle.page is not None else handle.state
    url = handle.url if len(handle.url) <= min(room, LONGEST_URL) else "about:blank"
    if weight(state) > room - len(url):
        state = None
    browser = session.browsers.browser_of(handle)
    return PageRow(
        id=handle.id,
        target=handle.target_id,
        browser=browser_keys.key_of(session.browsers, browser) if browser is not None else "",
        url=url,
        created=handle.id in session.created,
        context=handle.isolated_context,
        context_id=str(handle.target.get("browserContextId", "")),
        state=state or PageOverrides(NO_EMULATION),
        had_secret=handle.had_secret,
    )


def _own_browsers(session: Session) -> dict[str, BrowserRow]:
    """Return the server's own browsers that a session has pages in, as far as they can be read."""
    view = session.browsers
    found = {view.browser_of(page) for page in session.pages.values()}
    found |= {browser_keys.find(view, row.browser) for row in _absent(session)}
    return {
        browser_keys.key_of(view, each): BrowserRow.of(each.spec)
        for each in found
        if each and each.index not in view.named and type(each.spec).__name__ in SPEC_KINDS
    }


def _absent(session: Session) -> tuple[PageRow, ...]:
    """Return the pages that are not back yet."""
    return () if session.restoration is None else tuple(session.restoration.absent.values())


def _epochs(session: Session) -> int:
    return (session.shown.epochs // EPOCHS_AHEAD + 1) * EPOCHS_AHEAD


def _date(moment: float) -> float:
    """Return a moment of the monotonic clock in seconds since 1970."""
    return time.time() - (time.monotonic() - moment)
