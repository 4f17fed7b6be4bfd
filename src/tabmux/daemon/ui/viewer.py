"""Viewer: one person's socket to the live view, what it asks for and what it is sent."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from tabmux.concurrency import TaskOwner
from tabmux.daemon.ui import view_state
from tabmux.daemon.ui.outbox import Outbox, Send, compact
from tabmux.daemon.ui.passes import Pass
from tabmux.daemon.ui.past_runs import PastRuns
from tabmux.daemon.ui.person_actions import Handler, Message, PersonActions, find_page, number
from tabmux.errors import Busy, TabmuxError
from tabmux.json_text import BadJson, decoded
from tabmux.mcp.http.http_limits import TokenBucket
from tabmux.page.page import Page
from tabmux.page.see.live_frames import LiveFrame

if TYPE_CHECKING:
    from tabmux.daemon.ui.live_view import LiveView

logger = logging.getLogger(__name__)

Receive = Callable[[], Awaitable[Mapping[str, Any]]]

STATE_SECONDS = 0.5
METRICS_EVERY = 4
MOST_WATCHED = 64
LONGEST_MESSAGE = 64_000
# A mouse reports hundreds of movements a second.
MESSAGES_A_SECOND, MESSAGE_BURST = 500, 1_000
# What a person asks for and waits for at the same time; more of it is refused.
MOST_UNDER_WAY = 20
SMALL_SIDE, SMALL_PAUSE = 320, 1.0
LARGE_SIDE, LARGE_PAUSE = 1600, 1 / 30


class PageWatch:
    """One page on one person's screen, small in the grid or large.

    Args:
        outbox: Where its pictures go.
        page: The page, as it is attached now.
        large: Whether it is the one that the person looks at.
    """

    def __init__(self, outbox: Outbox, page: Page, *, large: bool) -> None:
        self.page, self._outbox = page, outbox
        self.side = LARGE_SIDE if large else SMALL_SIDE
        self.pause = LARGE_PAUSE if large else SMALL_PAUSE
        self.stop = page.live_frames.watch(self)

    def note(self, frame: LiveFrame) -> None:
        """Send the newest picture when its time has come."""
        self._outbox.show(self.page.id, frame)


class Viewer:
    """Serves one socket.

    Args:
        live: All viewers, and what they look at.
        allowed: What the person may do.
    """

    def __init__(self, live: LiveView, allowed: Pass) -> None:
        self._live, self._app, self._pass = live, live.app, allowed
        self._outbox = Outbox()
        self._watched: dict[int, tuple[bool, PageWatch | None]] = {}
        self._pauses: dict[int, float] = {}
        self._tasks = TaskOwner()
        self._under_way = 0
        self._past = PastRuns(live.app)
        self._handlers: dict[str, Handler] = {
            "watch": self._watch,
            "unwatch": self._unwatch,
            "ack": self._acknowledge,
            "runs": lambda _: self._past.tell_runs(self._outbox),
            "run": lambda message: self._past.tell_run(self._outbox, str(message.get("run", ""))),
        }
        self._actions: PersonActions | None = None
        if allowed.steers:
            self._actions = PersonActions(live.app, allowed.person, self._outbox)
            self._handlers |= self._actions.handlers

    @property
    def person(self) -> str:
        """Who looks."""
        return self._pass.person

    @property
    def steers(self) -> bool:
        """Whether the person may do more than look."""
        return self._pass.steers

    async def serve(self, receive: Receive, send: Send) -> None:
        """Serve until the person leaves, or may look no longer."""
        me = {"type": "me", "role": self._pass.role, "until": round(self._pass.until)}
        self._outbox.tell(me)
        stop = self._app.record.on_entry(lambda entry: self._outbox.tell_text(_entry(entry)))
        try:
            async with self._tasks:
                work = {
                    self._tasks.start(_quiet(self._outbox.write(send, self._pauses))),
                    self._tasks.start(self._read(receive)),
                }
                self._tasks.start_quietly(self._show_changes())
                self._tasks.start_quietly(self._past.tell_recent(self._outbox))
                if self._actions is not None:
                    self._tasks.start_quietly(self._show_elements(self._actions))
                left = self._pass.seconds_left
                await asyncio.wait(work, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stop()
            for _, watch in self._watched.values():
                if watch is not None:
                    watch.stop()

    async def _read(self, receive: Receive) -> None:
        bucket = TokenBucket(MESSAGES_A_SECOND, MESSAGE_BURST, MESSAGE_BURST, time.monotonic())
        while (event := await receive())["type"] == "websocket.receive":
            if wait := bucket.take(time.monotonic()):
                await asyncio.sleep(wait)
                bucket.take(time.monotonic())
            try:
                message = decoded(event.get("text") or "", largest=LONGEST_MESSAGE)
            except BadJson:
                return
            if isinstance(message, dict):
                self._handle(message)

    def _handle(self, message: Message) -> None:
        """Do what a message asks; what a person may not do is dropped here."""
        handler = self._handlers.get(str(message.get("type")))
        if handler is None:
            return
        try:
            work = handler(message)
        except TabmuxError as error:
            self._tell_problem(error)
            return
        if work is None:
            return
        if self._under_way >= MOST_UNDER_WAY:
            work.close()
            self._tell_problem(_too_much())
            return
        # Here and not in the task: a burst is read before the first task begins.
        self._under_way += 1
        self._tasks.start_quietly(self._done(work))

    async def _done(self, work: Awaitable[None]) -> None:
        try:
            await self._without_problem(work)
        finally:
            self._under_way -= 1

    async def _without_problem(self, work: Awaitable[None]) -> None:
        try:
            await work
        except TabmuxError as error:
            self._tell_problem(error)

    async def _show_elements(self, actions: PersonActions) -> None:
        """Show what the person points at, one after the other, for ever."""
        while True:
            await self._without_problem(actions.show_element(await actions.next_place()))

    def _tell_problem(self, error: TabmuxError) -> None:
        self._outbox.tell({"type": "problem", "text": view_state.shown(error.text, 500)})

    async def _show_changes(self) -> None:
        """Look for what is different, for ever; no call pays for telling it."""
        before, turn = "", 0
        while True:
            now = compact(view_state.state(self._app, self.person))
            if now != before:
                self._outbox.tell_text(now)
            before = now
            if turn % METRICS_EVERY == 0:
                self._outbox.tell(view_state.metrics(self._app))
            turn += 1
            self._follow_pages()
            await asyncio.sleep(STATE_SECONDS)

    def _follow_pages(self) -> None:
        """Watch pages that were attached anew, or for the first time."""
        for ident, (large, watch) in list(self._watched.items()):
            handle = self._app.browsers.find_page(ident)
            page = handle.page if handle is not None else None
            if watch is not None and watch.page is page:
                continue
            if watch is not None:
                watch.stop()
            started = PageWatch(self._outbox, page, large=large) if page is not None else None
            self._watched[ident] = (large, started)

    def _watch(self, message: Message) -> None:
        ident, large = number(message, "page"), message.get("size") == "large"
        self._unwatch(message)
        find_page(self._app, ident)
        if len(self._watched) < MOST_WATCHED:
            self._watched[ident] = (large, None)
            self._pauses[ident] = LARGE_PAUSE if large else SMALL_PAUSE
            self._follow_pages()

    def _unwatch(self, message: Message) -> None:
        ident = number(message, "page")
        _, watch = self._watched.pop(ident, (False, None))
        if watch is not None:
            watch.stop()
        self._pauses.pop(ident, None)
        self._outbox.forget(ident)

    def _acknowledge(self, message: Message) -> None:
        self._outbox.acknowledge(number(message, "page"), number(message, "number"))


async def _quiet(work: Awaitable[None]) -> None:
    """Let a socket that cannot be written to end like one that was closed."""
    try:
        await work
    except (TimeoutError, OSError, RuntimeError):
        logger.info("A viewer does not read its socket and is given up")


def _too_much() -> Busy:
    return Busy(
        "Too much that you have asked for is still under way.",
        hint="Wait a moment, then try again.",
    )


def _entry(entry: Any) -> str:
    return compact({"type": "entry", "entry": view_state.entry(entry)})
