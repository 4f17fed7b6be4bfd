"""Navigation: takes a tab to a URL, back, forward, or loads it anew."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING

from tabmux.cdp.channel import Channel, Params
from tabmux.errors import DeadlineExceeded, NavigationFailed, Refused, TabmuxError
from tabmux.page.load_failure import load_failure
from tabmux.page_text import address

if TYPE_CHECKING:
    from tabmux.page.page import Page

DEFAULT_SECONDS = 10.0
# A document that is there is usable, even when its load event is long in coming.
LOAD_SECONDS = 5.0
# Time for Chrome to say that a navigation was called off.
ABORT_SECONDS = 1.0
SERVER_HINT = "Try again with a larger timeout, or check the server."
STUCK_HINT = "The page does not answer either: open the address with new_page, and close this one."


class Navigation:
    """The journeys of one tab."""

    def __init__(self, page: Page, channel: Channel) -> None:
        self._page, self._channel = page, channel

    async def go(self, url: str, timeout: float = DEFAULT_SECONDS) -> str:
        """Load a URL; returns a remark, empty when all went as usual."""
        url = self._page.urls.check(url)
        before = self._page.document.loader
        async with self._bounded(url, timeout):
            await self._page.evaluation.stopped()
            result = await self._asked_for(url, timeout)
            if result is not None and await self._was_called_off(result, before):
                result = await self._asked_for(url, timeout)
            if result is None:
                return "The page asked to stay, and was left as it is."
            if error := result.get("errorText"):
                return self._failed(url, error, result)
            if not result.get("loaderId"):
                return ""
            # The page that Chrome shows for an earlier failure may only have come meanwhile.
            await self._committed({before, self._page.document.loader} - {result["loaderId"]})
            return await self._loaded(at_once=True)

    async def reload(self, timeout: float = DEFAULT_SECONDS, *, ignore_cache: bool = False) -> str:
        """Load the current document anew."""
        self._refuse_unless_shown(self._page.url)
        return await self._navigate_by("Page.reload", {"ignoreCache": ignore_cache}, timeout)

    async def step(self, offset: int, timeout: float = DEFAULT_SECONDS) -> str:
        """Go back (-1) or forward (1) in the tab's history."""
        history = await self._channel.call("Page.getNavigationHistory")
        index = history["currentIndex"] + offset
        if not 0 <= index < len(history["entries"]):
            raise NavigationFailed(
                f"There is no page to go {'back' if offset < 0 else 'forward'} to."
            )
        self._refuse_unless_shown(str(history["entries"][index]["url"]))
        entry = {"entryId": history["entries"][index]["id"]}
        return await self._navigate_by("Page.navigateToHistoryEntry", entry, timeout)

    @asynccontextmanager
    async def init_script(self, source: str | None) -> AsyncIterator[None]:
        """Run a script before the page's own ones, in documents that load inside the block."""
        if source is None:
            yield
            return
        added = await self._channel.call(
            "Page.addScriptToEvaluateOnNewDocument", {"source": source}
        )
        try:
            yield
        finally:
            # What came to the page before the answer is known then: the script runs in it.
            with suppress(TabmuxError):
                await self._channel.call(
                    "Page.removeScriptToEvaluateOnNewDocument", {"identifier": added["identifier"]}
                )
                self._page.secrets.note_script()

    async def _asked_for(self, url: str, timeout: float) -> Params | None:
        return await self._unless_kept(
            self._channel.call("Page.navigate", {"url": url}, timeout=timeout + ABORT_SECONDS)
        )

    async def _was_called_off(self, result: Params, before: str) -> bool:
        """Whether Chrome has dropped a navigation that nobody has answered, for nothing else.

        Seen in Chromium 156 when its network process has just died.
        """
        page = self._page
        if result.get("errorText") != "net::ERR_ABORTED" or result.get("isDownload"):
            return False
        await page.signal.until(lambda: not page.activity.navigating, ABORT_SECONDS)
        request = page.network.known(result.get("loaderId", ""))
        is_answered = request is not None and request.status is not None
        return not (is_answered or page.activity.navigating or page.document.loader != before)

    async def _navigate_by(self, method: str, params: Params, timeout: float) -> str:
        before, url = self._page.document.loader, self._page.url
        with self._page.activity.observe() as effects:
            async with self._bounded(url, timeout):
                await self._page.evaluation.stopped()
                if await self._unless_kept(self._channel.call(method, params)) is None:
                    return "The page asked to stay, and was left as it is."
                await self._page.signal.until(
                    lambda: (
                        self._page.document.loader != before
                        or effects.moved_to is not None
                        or self._was_kept
                        or self._page.gone
                    ),
                    timeout,
                )
                if self._was_kept:
                    return "The page asked to stay, and was left as it is."
                return await self._loaded()

    @property
    def _was_kept(self) -> bool:
        return any(line.startswith("Dismissed") for line in self._page.dialogs.answered)

    async def _unless_kept(self, call: asyncio.Future[Params]) -> Params | None:
        """Await the answer, unless the page's beforeunload dialog was dismissed."""
        self._page.dialogs.answered.clear()
        while not call.done():
            await self._page.signal.or_done(call)
            if self._was_kept:
                call.cancel()
                return None
        return call.result()

    @asynccontextmanager
    async def _bounded(self, url: str, timeout: float) -> AsyncIterator[None]:
        """Call the navigation off when its time is up."""
        try:
            async with asyncio.timeout(timeout):
                yield
        except TimeoutError as error:
            self._channel.send("Page.stopLoading")
            await self._page.signal.until(lambda: not self._page.activity.navigating, ABORT_SECONDS)
            raise DeadlineExceeded(
                f"{address(url)} did not answer within {timeout:g} s; loading was stopped.",
                hint=SERVER_HINT if await self._answers() else STUCK_HINT,
            ) from error

    async def _answers(self) -> bool:
        """Whether the page gives a sign of life, or would if it were not asking its user.

        Seen in Chromium 156: a script in a page that is being left for another of its site cannot
        be stopped, and nothing else can be loaded in that tab.
        """
        if self._page.dialogs.current is not None:
            return True
        with suppress(TabmuxError):
            await self._channel.call("Runtime.evaluate", {"expression": "1"}, timeout=ABORT_SECONDS)
            return True
        return False

    async def _committed(self, older: set[str]) -> None:
        await self._page.signal.until(
            lambda: self._page.document.loader not in older or self._page.gone, DEFAULT_SECONDS
        )

    async def _loaded(self, *, at_once: bool = False) -> str:
        """Wait for the document; `at_once` says that nobody needs more than its load event."""
        page = self._page
        await page.signal.until(lambda: page.document.ready or page.gone, 3600)
        done = await page.signal.until(lambda: page.document.loaded or page.gone, LOAD_SECONDS)
        # A round trip more lets the frames of other processes arrive, and the page draw itself.
        if not page.document.titled or not at_once or len(page.frames) > 1:
            await self._learn_title()
        # Chrome tells of a frame in another process before it tells what is in it.
        await page.signal.until(
            lambda: page.frames.complete or page.gone, page.timings.frames_after_load
        )
        page.refuse_if_gone()
        if failure := page.document.failure:
            self._failed(page.url, failure)
        return "" if done else "The page is still loading some of its resources."

    @property
    def server_error(self) -> str:
        """Say with which error the server sent what the tab shows; empty where it did not."""
        request = self._page.network.known(self._page.document.loader)
        status = request.status if request is not None else None
        if status is None or status < HTTPStatus.BAD_REQUEST:
            return ""
        return f"The server answered {status}."

    async def _learn_title(self) -> None:
        with suppress(TabmuxError, TimeoutError):
            # A page that is too busy to say its title goes without one in the reply.
            async with asyncio.timeout(self._page.timings.title):
                await self._page.refresh()

    def _failed(self, url: str, error: str, result: Params | None = None) -> str:
        told = result or {}
        if told.get("isDownload"):
            return "The URL is a download; the page stays as it was."
        if self._page.urls.is_restricted and "BLOCKED_BY_CLIENT" in error:
            rules = ", ".join(str(limit.source) for limit in self._page.urls.limits)
            held = f": it is held to {rules}" if rules else ""
            raise Refused(
                f"{address(url)} leads to an address that the policy does not allow{held}."
            )
        request = self._page.network.known(str(told.get("loaderId")))
        raise load_failure(url, error, request.status if request is not None else None)

    def _refuse_unless_shown(self, url: str) -> None:
        if not self._page.urls.shows(url):
            limit = self._page.urls.limit_against(url)
            why = f": {limit.source} is against it" if limit is not None else ""
            raise Refused(
                f"The policy does not allow {address(url)}{why}.", hint="Go to another address."
            )
