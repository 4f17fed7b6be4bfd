"""Lent browser: the user's own, whose extension relays the tabs that tabmux may use."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.url_filter import UrlFilter
from tabmux.cdp.channel import Channel, Params
from tabmux.cdp.transports import Transport
from tabmux.errors import BrowserTrouble, Misuse

# Waits until the extension is there; it is told how to see whether nobody waits any more.
Reach = Callable[[Callable[[], bool]], Awaitable[Transport]]


@dataclass(frozen=True)
class LentSpec(BrowserSpec):
    """The profile that an extension runs in, and how to reach that extension."""

    profile: str
    reach: Reach = field(compare=False)

    @property
    def label(self) -> str:
        """What lists and errors call it."""
        return f"extension {self.name}"

    @property
    def identity(self) -> str:
        """The profile."""
        return self.profile


class LentBrowser(Browser):
    """A browser that comes by itself, when its extension connects."""

    spec: LentSpec
    # An extension names its tabs itself, so they are known again.
    keeps_pages = True

    @property
    def is_away(self) -> bool:
        """Whether its extension has gone, and did not come back in time."""
        return self.state is BrowserState.DISCONNECTED

    @property
    def is_down_to_one_tab(self) -> bool:
        """Never: we see only some of the tabs, and the extension sees to the last one."""
        return False

    @asynccontextmanager
    async def open_transport(
        self, stop: asyncio.Event, *, run_start_command: bool
    ) -> AsyncIterator[Transport]:
        """Wait for the extension."""
        transport = await self.spec.reach(stop.is_set)
        try:
            yield transport
        finally:
            transport.close()

    def make_url_filter(self, channel: Channel) -> UrlFilter:
        """Refuse: an extension cannot hold requests."""
        raise BrowserTrouble(
            "A browser that is reached through the extension cannot be held to "
            "--allow-url and --deny-url."
        )

    async def after_discovery(self, channel: Channel) -> None:
        """Forget the tabs that were closed or taken back while nobody could tell us."""
        found = await channel.call("Target.getTargets", {"filter": [{"type": "page"}]})
        for target in set(self.pages) - {info["targetId"] for info in found["targetInfos"]}:
            self._page_destroyed(target)

    def retry_delays(self) -> tuple[float, ...]:
        """Wait for it at once: it comes back by itself."""
        return (0.0,)

    def new_tab_options(self, session: str) -> Params:
        """Have the extension put the tab into the tab group of the session."""
        return {"session": session}

    def refuse_isolated_contexts(self) -> None:
        """Refuse: Chrome lets no extension make them."""
        raise Misuse(
            "Chrome gives an extension no isolated contexts.",
            hint="Open the page without isolatedContext, or in a browser that tabmux starts.",
            code="not_in_this_browser",
        )
