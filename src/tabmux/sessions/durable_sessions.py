"""Durable sessions: taken up from a server before, and written down for the next one."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Self

from tabmux.browsers.registry import Browsers
from tabmux.errors import TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.sessions import browser_keys
from tabmux.sessions.call_journal import CallJournal
from tabmux.sessions.file_journal import FileJournal
from tabmux.sessions.restoration import Restoration
from tabmux.sessions.session_recorder import SessionRecorder
from tabmux.sessions.session_rows import SessionRow, SpecReader
from tabmux.sessions.session_store import SessionStore, remove_session
from tabmux.sessions.session_table import Sessions
from tabmux.sessions.sqlite_store import SqliteStore
from tabmux.settings import Settings

logger = logging.getLogger(__name__)

# The daemon's name among servers.
DAEMON = "daemon"
# A session that nobody has used for a day is not taken up again.
LONGEST_SECONDS = 86_400.0


class DurableSessions:
    """The sessions that servers before this one left, and those that this one will leave.

    Args:
        store: Where they are written down.
        journal: Where their actions are.
        settings: Those of the server.
        rows: What the server before this one left.
        is_daemon: Whether this is the daemon, whose clients come back soon or never.
    """

    def __init__(
        self,
        store: SessionStore,
        journal: CallJournal,
        settings: Settings,
        rows: Iterable[SessionRow] = (),
        *,
        is_daemon: bool = False,
    ) -> None:
        self.store, self.journal, self._is_daemon = store, journal, is_daemon
        self.recorder = SessionRecorder(store, journal, settings)
        self._rows = list(rows)
        # What makes specs of kinds that cannot be read back by themselves.
        self.readers: dict[str, SpecReader] = {}
        # Who waits for a page, by the id of the page.
        self._waiting: dict[int, Restoration] = {}

    @classmethod
    def on_disk(cls, folder: Path, name: str, settings: Settings) -> Self | None:
        """Return the sessions of one machine, in files; None where nothing can be kept.

        Args:
            folder: Where they are.
            name: Which server's they are.
            settings: Those of the server.
        """
        try:
            store, journal = SqliteStore(folder, name), FileJournal(folder / f"{name}.calls")
            return cls(store, journal, settings, store.sessions(), is_daemon=name == DAEMON)
        except (OSError, sqlite3.Error) as error:
            logger.warning("Sessions end with this server: %s cannot be used: %s", folder, error)
            return None

    def keep(self, sessions: Sessions, browsers: Browsers) -> None:
        """Write sessions down from now on, and go on with those that are there."""
        browsers.on_found(self._found)
        sessions.record_by(self.recorder)
        for row in self._rows:
            self.take_up(sessions, browsers, row)
        self._rows.clear()

    def take_up(self, sessions: Sessions, browsers: Browsers, row: SessionRow) -> None:
        """Open a session again; its pages are taken as they are found in browsers."""
        if row.used < time.time() - LONGEST_SECONDS:
            remove_session(self.store, row.handle, row.aliases)
            return
        browsers.know_pages({page.target: page.id for page in row.pages})
        try:
            self._open(sessions, row)
        except (TabmuxError, ValueError) as error:
            logger.warning("Session %s is not taken up: %s", row.label or row.name, error)
            remove_session(self.store, row.handle, row.aliases)
        browsers.find_known_pages()

    @property
    def leaves_sessions(self) -> bool:
        """Whether the next server goes on with them: it does, unless the user stops this one."""
        return self.recorder.keeps_sessions

    def close(self) -> None:
        """Let go of the files."""
        self.store.close()
        self.journal.close()

    def _open(self, sessions: Sessions, row: SessionRow) -> None:
        session = sessions.take_up(row, [each.read(self.readers) for each in row.browsers])
        view = session.browsers
        for browser in view.all():
            # What nobody claims soon is ended by those who hold it.
            if getattr(view.named.get(browser.index), "placement", None) is not None:
                view.registry.resume(browser)
        for key, own in row.own.items():
            if browser_keys.find(view, key) is None:
                with suppress(TabmuxError):  # another browser has its name
                    view.registry.register(own.read(self.readers))
        numbers = {
            b.index: n for key, n in row.numbers.items() if (b := browser_keys.find(view, key))
        }
        hidden = [b.index for key in row.hidden if (b := browser_keys.find(view, key))]
        view.restore(numbers, hidden, browser_keys.find(view, row.default))
        if row.client:
            session.client = row.client
        session.aliases |= set(row.aliases)
        session.enable(row.groups)
        session.made = row.made
        session.opened = time.monotonic() - max(0.0, time.time() - row.opened)
        # A client of the daemon comes back soon or never.
        session.was_left = row.was_left or (self._is_daemon and not row.label)
        session.steering.is_paused = row.paused
        session.had |= {page.id for page in row.pages}
        session.selected = row.selected
        if row.pages:
            restoration = Restoration(session, row.pages, self.recorder.stored)
            session.restoration = restoration
            self._waiting |= dict.fromkeys(restoration.absent, restoration)
        self.recorder.watch(session)

    def _found(self, page: PageHandle) -> None:
        if restoration := self._waiting.pop(page.id, None):
            restoration.found(page)
