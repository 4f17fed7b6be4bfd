"""Extension browsers: makes a browser of every extension that relays CDP."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.extension_transport import ExtensionTransport
from tabmux.browsers.browser import Browser
from tabmux.browsers.lent import Claim, LentSpec, Point
from tabmux.browsers.registry import Browsers
from tabmux.errors import BrowserTrouble, Misuse

logger = logging.getLogger(__name__)

# A worker that was put to sleep, or a browser that restarts, is back sooner.
LOOK_SECONDS = 0.1


class ExtensionBrowsers:
    """Registers extensions: the first time as a new browser, later as the one they were.

    Args:
        browsers: Where they are registered.
        claim: Told of a page that an extension opened, and of the session that it is for.
        point: Told of a page in which the user wants to point at something.
    """

    def __init__(
        self,
        browsers: Browsers,
        claim: Claim = lambda page, session: None,
        point: Point = lambda page, sentence: None,
    ) -> None:
        self._browsers, self._claim, self._point = browsers, claim, point
        self._extensions = ConnectedExtensions(browsers.timings.extension_return)

    def __call__(self, link: ExtensionLink) -> None:
        """Register an extension that has just connected; one that relays no CDP is no browser."""
        if not link.relays_cdp:
            return
        self._extensions.add(link)
        self._browsers.resume(self._register(link.browser.profile_id, link.name))

    def _register(self, profile: str, name: str) -> Browser:
        spec = LentSpec(
            profile, partial(self._extensions.transport, profile), self._claim, self._point
        )
        for free in (name, f"{name}-extension"):
            try:
                return self._browsers.register(replace(spec, name=free))
            except Misuse:
                logger.info("There is another browser named %s.", free)
        return self._browsers.register(spec)


class ConnectedExtensions:
    """Knows the living link of every profile, and waits a little for one that has just gone."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._links: dict[str, ExtensionLink] = {}
        self._lost: dict[str, float] = {}
        self._arrivals: dict[str, asyncio.Event] = {}

    def add(self, link: ExtensionLink) -> None:
        """Note an extension that has just connected."""
        profile = link.browser.profile_id
        self._links[profile] = link
        link.closed.add_done_callback(lambda _: self._remove(link))
        self._arrival(profile).set()

    def find(self, profile: str) -> ExtensionLink | None:
        """Return the link of a profile."""
        return self._links.get(profile)

    async def transport(self, profile: str, is_abandoned: Callable[[], bool]) -> ExtensionTransport:
        """Return a transport to the browser of a profile; one that has just gone is waited for.

        Args:
            profile: Which browser is meant.
            is_abandoned: Whether nobody wants it any more.
        """
        end = self._lost.get(profile, 0.0) + self._seconds
        while profile not in self._links and time.monotonic() < end and not is_abandoned():
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._arrival(profile).wait()
        link = self.find(profile)
        if link is None:
            raise BrowserTrouble(
                "The browser's extension is not connected.",
                hint="Open that browser, and look at its tabmux button.",
            )
        return ExtensionTransport(link)

    def _arrival(self, profile: str) -> asyncio.Event:
        return self._arrivals.setdefault(profile, asyncio.Event())

    def _remove(self, link: ExtensionLink) -> None:
        profile = link.browser.profile_id
        if self._links.get(profile) is link:
            del self._links[profile]
            self._lost[profile] = time.monotonic()
            self._arrival(profile).clear()
