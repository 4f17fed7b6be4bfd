"""Live view: all who look at a server, and the links that let them in."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from tabmux.browsers.browser_state import BrowserState
from tabmux.concurrency import Signal
from tabmux.daemon.ui.outbox import Send
from tabmux.daemon.ui.passes import Pass, Passes
from tabmux.daemon.ui.viewer import Receive, Viewer
from tabmux.errors import TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.policy.own_addresses import OWN
from tabmux.sessions import handover

if TYPE_CHECKING:
    from tabmux.daemon.app import App

MOST_VIEWERS = 20
# A person who reloads the live view keeps the pages that were taken over.
AWAY_SECONDS = 30.0
# How long browsers may take to say where their tabs are.
FLUSH_SECONDS = 2.0


class LiveView:
    """The viewers of one server; while there are none, nothing of it runs.

    Attributes:
        signal: Set off when somebody has come or left.
    """

    def __init__(self, app: App, away_seconds: float = AWAY_SECONDS) -> None:
        self.app = app
        self.passes = Passes()
        self.signal = Signal()
        self._away_seconds = away_seconds
        self._viewers: set[Viewer] = set()
        self._leaving: dict[str, asyncio.TimerHandle] = {}

    def __len__(self) -> int:
        return len(self._viewers)

    @property
    def is_full(self) -> bool:
        """Whether nobody else can be let in."""
        return len(self._viewers) >= MOST_VIEWERS

    async def serve(self, allowed: Pass, receive: Receive, send: Send) -> None:
        """Serve one socket until it ends."""
        viewer = Viewer(self, allowed)
        self._viewers.add(viewer)
        self._count_people()
        if leaving := self._leaving.pop(viewer.person, None):
            leaving.cancel()
        try:
            await viewer.serve(receive, send)
        finally:
            self._viewers.discard(viewer)
            self._count_people()
            self._note_left(viewer.person)

    async def take_driven(self) -> bool:
        """Take the tabs from agents that are at tabmux's own address; tells whether there were any.

        Tools do nothing there, but a script that an agent gave a page for its next documents does.
        """
        app = self.app
        channels = [
            each.channel for each in app.browsers.all() if each.state is BrowserState.CONNECTED
        ]
        # What Chrome has told of its tabs until now is known when it has answered.
        with suppress(TabmuxError, TimeoutError):
            async with asyncio.timeout(FLUSH_SECONDS):
                asked = (each.call("Browser.getVersion") for each in channels)
                await asyncio.gather(*asked, return_exceptions=True)
        taken = False
        for session in app.sessions.all():
            for page in filter(_is_here, list(session.pages.values())):
                app.background.start_quietly(session.give_up(page))
                taken = True
        return taken

    def _count_people(self) -> None:
        self.app.services.people.people = sum(each.steers for each in self._viewers)
        self.signal.notify()

    def _note_left(self, person: str) -> None:
        """Hand back in a while what the person has, for an agent may wait for it."""
        if any(each.person == person for each in self._viewers):
            return
        loop = asyncio.get_running_loop()
        self._leaving[person] = loop.call_later(self._away_seconds, self._give_back, person)

    def _give_back(self, person: str) -> None:
        self._leaving.pop(person, None)
        people = self.app.services.people
        for session in self.app.sessions.all():
            for page in session.pages.values():
                if page.control.person == person:
                    work = handover.hand_back(session, page, person, people)
                    self.app.background.start_quietly(work)


def _is_here(page: PageHandle) -> bool:
    frames = page.page.frames if page.page is not None else ()
    return any(map(OWN.lead_here, (page.url, *(frame.url for frame in frames))))


def new_token() -> str:
    """Return a token that nobody is told: links let people in instead."""
    return secrets.token_urlsafe(32)
