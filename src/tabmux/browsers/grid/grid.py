"""Grid pool: browsers of a Selenium Grid are started, shared among sessions, watched and ended."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tabmux.browsers.downloads import Fetched
from tabmux.browsers.grid.browser_ends import BrowserEnds
from tabmux.browsers.grid.browser_starts import BrowserStarts
from tabmux.browsers.grid.grid_client import (
    DRAINING,
    REQUEST,
    GridClient,
    GridSessionInfo,
    GridState,
)
from tabmux.browsers.grid.grid_options import GridOptions
from tabmux.browsers.grid.placement import Candidate, choose, missing, surplus
from tabmux.browsers.grid.pooled_browser import BrowserLost, Lease, PooledBrowser
from tabmux.browsers.grid.waiting_line import Ticket, WaitingLine
from tabmux.cdp.cdp_connection import Fence
from tabmux.concurrency import TaskOwner, contained
from tabmux.errors import BrowserTrouble, NoCapacity, TabmuxError
from tabmux.timings import Timings

logger = logging.getLogger(__name__)

LONGEST_LINE = 1_000
_SHORTEST_RETRY = 5


class Grid:
    """The browsers of a grid that are ours; an `async with` that ends them.

    Args:
        options: Which grid, and how much of it.
        owner: What the Grid knows this daemon by.
        timings: How long to wait for what.
        fence: What says that nothing may be sent to browsers now, because others may have them.
    """

    def __init__(
        self, options: GridOptions, owner: str, timings: Timings, fence: Fence | None = None
    ) -> None:
        self._fence = fence
        self.options, self.owner, self.timings = options, owner, timings
        self.client = GridClient(options, timings)
        self.state = GridState()
        # Why the grid could not be asked last.
        self.trouble = ""
        # Whether browsers with sessions are left to whoever comes after us.
        self.keep = False
        self.browsers: dict[str, PooledBrowser] = {}
        self.line = WaitingLine[Lease](LONGEST_LINE)
        self._starts = BrowserStarts(
            self.client,
            owner,
            timings,
            self._hands_out_files,
            self._arrived,
            self._failed,
            self._start_ended,
            fence,
        )
        self._ends = BrowserEnds(self.client, owner, timings, fence)
        self._served: list[float] = []
        self._tasks = TaskOwner()
        self._began = time.monotonic()
        self._is_closing = False

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        self._tasks.start(self._watch())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_closing = True
        seconds = self.timings.grid_leave if len(self._starts) else 0.0
        try:
            await self._tasks.__aexit__(kind, error, traceback)
        finally:
            # Also where an error leaves the block: nobody else would end them.
            for browser in self.browsers.values():
                browser.close()
            await contained(self._end_all(seconds), "Ending the browsers of the grid")

    async def _end_all(self, seconds: float) -> None:
        """End what is ours, unless sessions go on in it: then others look after all of it."""
        if not self.keep:
            await self._ends.end_all(list(self.browsers), seconds)
        elif not any(browser.leases for browser in self.browsers.values()):
            # What an earlier server has started may be claimed by a session that is not back yet.
            await self._ends.end_all(list(self.browsers), seconds, self._is_earlier)

    def _is_earlier(self, info: GridSessionInfo) -> bool:
        return not self._starts.made(info.capabilities.get(REQUEST))

    async def place(self, token: str, told: Callable[[int], None]) -> Lease:
        """Find a browser for a session, or wait for one; raises when there is none in time.

        Args:
            token: Whose session it is.
            told: Called with its place in the line, whenever that changes.
        """
        if self.line.is_full:
            raise self._no_capacity(len(self.line))
        ticket = Ticket[Lease](token, lambda: told(ticket.place))
        self.line.add(ticket)
        self.tend()
        taken: Lease | None = None
        try:
            async with asyncio.timeout(self.options.queue):
                taken = await asyncio.shield(ticket.served)
            return taken
        except TimeoutError as error:
            taken = None
            raise self._no_capacity(ticket.place) from error
        finally:
            self._leave(ticket, taken)

    async def take_up(self, token: str, placement: Mapping[str, Any]) -> Lease:
        """Take up a session's part of a browser that was placed before, perhaps by another daemon.

        Args:
            token: Whose session it is.
            placement: As `describe` gave it.
        """
        ident, contexts = str(placement["session"]), dict(placement["contexts"])
        browser = self.browsers.get(ident)
        if browser is None:
            browser = self._add(PooledBrowser(ident, self.client, self.timings, token, self._fence))
            browser.download_folder = str(placement.get("downloads", ""))
            browser.is_inherited = True
        if browser.token not in ("", token):
            raise BrowserLost("The grid's browser belongs to others by now.")
        lease = browser.lease(token, contexts)
        try:
            await browser.connected()
        except BaseException:
            self._take_back(lease)
            raise
        return lease

    def _take_back(self, lease: Lease) -> None:
        """Take back a part that nobody got; a browser that was never reached may be there yet."""
        browser = lease.browser
        browser.leases.discard(lease)
        if browser.is_lost:
            self._drop(browser)
        elif not (browser.leases or browser.was_reached):
            self.browsers.pop(browser.id, None)

    def inherit(self, owner: str) -> None:
        """Have the browsers of another daemon, which has ended: what nobody claims soon is ended.

        Args:
            owner: What the Grid knows the other one by.
        """
        self._ends.owners.add(owner)
        self._began = time.monotonic()

    async def release(self, lease: Lease) -> None:
        """Take back a session's part of a browser."""
        if self.keep:
            return
        await lease.browser.dispose(lease)
        if self.options.isolation == "browser":
            lease.browser.is_retired = True
        self.tend()

    def release_soon(self, lease: Lease | None) -> None:
        """Take it back in the background."""
        if lease is not None:
            self._in_background(self.release(lease))

    def fetch(self, ident: str, name: str, target: Path, done: Fetched) -> None:
        """Bring a file that a browser has downloaded here, in the background."""
        self._in_background(self._fetch(ident, name, target, done))

    def tend(self) -> None:
        """Serve who can be served, start what is missing, end what is too much."""
        if self._is_closing:
            return
        self._serve()
        room, most = self.options.sessions_per_browser, self.options.max_browsers
        waiting, candidates = self.line.waiting, self._candidates()
        wanted = missing(candidates, waiting, room=room, most=most, warm=self.options.warm)
        self._starts.keep(wanted, self._tasks)
        if self._ends.is_fenced:
            return
        for ident in surplus(candidates, waiting, most=most, idle=self._idle()):
            self._end(self.browsers[ident])

    def describe(self, lease: Lease) -> dict[str, Any]:
        """Return what is needed to take up a session's part of a browser later."""
        browser = lease.browser
        found = {"session": browser.id, "contexts": dict(lease.contexts)}
        return {**found, "downloads": browser.download_folder}

    async def _hands_out_files(self) -> bool:
        """Whether nodes hand out what is downloaded; asked where nobody has looked yet."""
        if not self.state.nodes:
            self.state = await self.client.state()
        return self.state.manages_downloads

    async def _fetch(self, ident: str, name: str, target: Path, done: Fetched) -> None:
        trouble: TabmuxError | None = BrowserTrouble("The grid's file could not be fetched.")
        try:
            await self.client.download(ident, name, target)
            trouble = None
        except TabmuxError as error:
            trouble = error
        finally:
            done(trouble)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        if self._is_closing:
            work.close()
        else:
            self._tasks.start_quietly(work)

    def _candidates(self) -> list[Candidate]:
        return [browser.candidate for browser in self.browsers.values() if not browser.is_lost]

    def _idle(self) -> list[str]:
        """Name those whose last session left a while ago."""
        limit = time.monotonic() - self.timings.grid_idle
        used = (b for b in self.browsers.values() if b.token and not b.leases)
        return [browser.id for browser in used if browser.emptied < limit]

    def _serve(self) -> None:
        served = True
        while served:
            served = False
            for ticket in self.line.heads():
                room = self.options.sessions_per_browser
                ident = choose(self._candidates(), ticket.token, room)
                if ident is not None:
                    self.line.serve(ticket, self.browsers[ident].lease(ticket.token))
                    self._served = [*self._served[-19:], time.monotonic()]
                    served = True

    def _leave(self, ticket: Ticket[Lease], taken: Lease | None) -> None:
        """Let somebody go; what they were given and did not take goes to others."""
        self.line.remove(ticket)
        if ticket.served.done() and ticket.served.exception() is None and taken is None:
            self.release_soon(ticket.served.result())
        self.tend()

    def _no_capacity(self, place: int) -> NoCapacity:
        again = self._seconds_for(place)
        why = f" ({self.trouble})" if self.trouble else ""
        return NoCapacity(
            f"The grid has no room for another session: {len(self.browsers)} of at most "
            f"{self.options.max_browsers} browsers are in use, {self.state.line}{why}.",
            hint=f"Try again in {again} s.",
        )

    def _seconds_for(self, place: int) -> int:
        """Guess when somebody at a place in the line would be served."""
        if len(self._served) < 2:
            return max(_SHORTEST_RETRY, self.options.queue // 2)
        pause = (self._served[-1] - self._served[0]) / (len(self._served) - 1)
        return int(max(_SHORTEST_RETRY, min(600, pause * (place + 1))))

    def _start_ended(self) -> None:
        """Look whether more are to be started, after one was."""
        if not self.trouble:
            asyncio.get_running_loop().call_soon(self.tend)

    def _arrived(self, browser: PooledBrowser) -> None:
        self.trouble = ""
        self._add(browser)
        self.tend()

    def _failed(self, error: BrowserTrouble) -> None:
        """Note why no browser could be started; those who wait are told, and may try again."""
        self.trouble = error.message
        if "timed out" not in error.message:
            self.line.fail(BrowserTrouble(error.message, hint=error.hint))

    def _add(self, browser: PooledBrowser) -> PooledBrowser:
        self.browsers[browser.id] = browser
        browser.on_loss = self._socket_lost
        browser.on_open = self._socket_opened
        if browser.is_connected:
            self._in_background(browser.beat())
        return browser

    def _socket_opened(self, browser: PooledBrowser) -> None:
        self._in_background(browser.beat())
        self._in_background(browser.dispose_left())

    def _socket_lost(self, browser: PooledBrowser) -> None:
        if self._is_closing:
            return
        if self.browsers.get(browser.id) is browser:
            self._in_background(self._recover(browser))

    async def _recover(self, browser: PooledBrowser) -> None:
        """Reach a browser again whose socket was lost, or find out that it is gone."""
        while not browser.is_lost and browser.id in self.browsers:
            try:
                await browser.connected()
            except BrowserLost:
                break
            except TabmuxError as error:
                self.trouble = error.message
                await asyncio.sleep(self.timings.first_retry)
            else:
                self.tend()
                return
        self._drop(browser)

    def _drop(self, browser: PooledBrowser) -> None:
        """Forget a browser that is gone; its node may have it still, where only the hub is new."""
        self.browsers.pop(browser.id, None)
        browser.lose()
        for lease in list(browser.leases):
            lease.lost()
        self._in_background(self._ends.end_lost(browser.id, browser.node_uri))
        self.tend()

    def _end(self, browser: PooledBrowser) -> None:
        """End a browser that nobody uses."""
        self.browsers.pop(browser.id, None)
        browser.lose()
        self._in_background(self._ends.end(browser.id))

    async def _watch(self) -> None:
        """Look at the Grid now and then, for ever."""
        while True:
            await contained(self._look(), "Looking at the grid")
            await asyncio.sleep(self.timings.grid_watch)

    async def _look(self) -> None:
        try:
            self.state = await self.client.state()
        except TabmuxError as error:
            self.trouble = error.message
            raise
        self.trouble = ""
        nodes = {node.id: node.status for node in self.state.nodes}
        for info in self.state.sessions:
            if (browser := self.browsers.get(info.id)) is not None:
                browser.node, browser.node_uri = info.node, info.node_uri
                # A server before this one may have started it.
                browser.since = min(browser.since, time.monotonic() - info.age)
                browser.is_draining = nodes.get(info.node) == DRAINING
        old = time.monotonic() - self.options.retire
        for browser in self.browsers.values():
            browser.is_retired = browser.is_retired or browser.since < old
        self._end_strays()
        self.tend()
        if self.options.warm and not self.line.waiting and not self._ends.is_fenced:
            for browser in self.browsers.values():
                self._in_background(browser.make_ready())

    def _end_strays(self) -> None:
        """End what is ours by its mark and that we do not know: it came for nobody.

        Right after the start these may be what sessions from before come back to.
        """
        if time.monotonic() - self._began < self.timings.grid_claims:
            return
        for ident in self._ends.strays(self.state, self._is_known):
            logger.info("Ending the grid's browser %s, which nobody uses.", ident)
            self._in_background(self._ends.end(ident))
        for browser in self.browsers.values():
            if browser.is_inherited and not self._ends.is_fenced:
                self._in_background(browser.dispose_unclaimed())

    def _is_known(self, info: GridSessionInfo) -> bool:
        return info.id in self.browsers or self._starts.knows(info.capabilities.get(REQUEST))
