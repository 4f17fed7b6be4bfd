"""The extensions that are connected now, each by the profile it runs in."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.extension_transport import ExtensionTransport
from tabmux.errors import BrowserTrouble

# A worker that was put to sleep, or a browser that restarts, is back sooner.
RETURN_SECONDS = 5.0
LOOK_SECONDS = 0.1


class ConnectedExtensions:
    """Knows the living link of every profile, and waits a little for one that has just gone."""

    def __init__(self) -> None:
        self._links: dict[str, ExtensionLink] = {}
        self._lost: dict[str, float] = {}
        self._arrivals: dict[str, asyncio.Event] = {}

    def arrive(self, link: ExtensionLink) -> None:
        """Note an extension that has just connected."""
        profile = link.browser.profile_id
        self._links[profile] = link
        link.closed.add_done_callback(lambda _: self._leave(link))
        self._arrival(profile).set()

    def find(self, profile: str) -> ExtensionLink | None:
        """Return the link of a profile."""
        return self._links.get(profile)

    async def reach(self, profile: str, given_up: Callable[[], bool]) -> ExtensionTransport:
        """Return a transport to the browser of a profile; one that has just gone is waited for.

        Args:
            profile: Which browser is meant.
            given_up: Whether nobody wants it any more.
        """
        end = self._lost.get(profile, 0.0) + RETURN_SECONDS
        while profile not in self._links and time.monotonic() < end and not given_up():
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._arrival(profile).wait()
        link = self._links.get(profile)
        if link is None:
            raise BrowserTrouble(
                "The browser's extension is not connected.",
                hint="Open that browser, and look at its tabmux button.",
            )
        return ExtensionTransport(link)

    def _arrival(self, profile: str) -> asyncio.Event:
        return self._arrivals.setdefault(profile, asyncio.Event())

    def _leave(self, link: ExtensionLink) -> None:
        profile = link.browser.profile_id
        if self._links.get(profile) is link:
            del self._links[profile]
            self._lost[profile] = time.monotonic()
            self._arrival(profile).clear()
