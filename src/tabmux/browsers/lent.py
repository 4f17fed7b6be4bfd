"""Lent browser: the user's own, whose extension relays the tabs that tabmux may use."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from tabmux.bridge.extension_targets import POINT, SHOW_REQUEST, SHOW_SESSION
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.url_filter import UrlFilter
from tabmux.cdp.channel import Channel, Params
from tabmux.cdp.transports import Transport
from tabmux.errors import BrowserTrouble, Misuse
from tabmux.page.handle import PageHandle

# Waits until the extension is there; it is told how to see whether nobody waits any more.
Reach = Callable[[Callable[[], bool]], Awaitable[Transport]]


# What becomes of a tab that its session has not closed, by what the extension says of it.
TAKEN = {
    "revoked": "the user took it back",
    "closed": "it was closed in the browser, by the user or by the page itself",
    "away": "it was closed or taken back while the extension was not connected",
}

# Told of a tab that the extension opened by itself, and of the session that it is for.
Claim = Callable[[PageHandle, str], None]
# Told of a tab in which the user wants to point at something, and what is said about it.
Point = Callable[[PageHandle, str], None]


@dataclass(frozen=True)
class LentSpec(BrowserSpec):
    """The profile that an extension runs in, how to reach it, and whose its tabs are."""

    profile: str
    reach: Reach = field(compare=False)
    claim: Claim = field(compare=False, default=lambda page, session: None)
    point: Point = field(compare=False, default=lambda page, sentence: None)

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

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Who uses each tab, as the user is shown it.
        self._sessions: WeakKeyDictionary[PageHandle, str] = WeakKeyDictionary()

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
        channel.on(POINT, self._pointed)
        found = await channel.call("Target.getTargets", {"filter": [{"type": "page"}]})
        for target in set(self.pages) - {info["targetId"] for info in found["targetInfos"]}:
            self._page_changed({**self.pages[target].target, "removal": "away"})
            self._page_destroyed(target)
        for page in self.pages.values():
            self._show(page)

    def show_session(self, page: PageHandle, session: str) -> None:
        """Have the user see which session uses a tab; none when it is empty."""
        self._sessions[page] = session
        if self.state is BrowserState.CONNECTED:
            self._show(page)

    def show_request(self, page: PageHandle, reason: str) -> None:
        """Have the user see that an agent asks for help with a tab; nothing when it is empty."""
        if self.state is BrowserState.CONNECTED:
            self.channel.send(SHOW_REQUEST, {"targetId": page.target_id, "reason": reason})

    def _show(self, page: PageHandle) -> None:
        if (session := self._sessions.get(page)) is not None:
            self.channel.send(SHOW_SESSION, {"targetId": page.target_id, "session": session})

    def _pointed(self, params: Params) -> None:
        if page := self.pages.get(params["targetId"]):
            self.spec.point(page, str(params["sentence"]))

    def _page_created(self, info: Params) -> None:
        super()._page_created(info)
        page, session = self.pages.get(info["targetId"]), info.get("openedFor", "")
        if page is not None and session:
            self.spec.claim(page, session)

    def _page_destroyed(self, target: str) -> None:
        if page := self.pages.get(target):
            page.taken = TAKEN.get(str(page.target.get("removal", "")), "")
        super()._page_destroyed(target)

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
