"""Browser: what all kinds of browsers share; its tabs, and how they are opened and closed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tabmux.browsers.browser_connection import Attachment, Connector
from tabmux.browsers.browser_kind import BrowserKind, BrowserSpec
from tabmux.browsers.browser_state import BrowserState, ConnectionHistory, Health
from tabmux.browsers.downloads import DownloadRefusal, Downloads
from tabmux.cdp.cdp_connection import CdpConnection, Fence
from tabmux.cdp.channel import Channel, Params
from tabmux.concurrency import Listeners, SharedLock
from tabmux.errors import BrowserTrouble, Misuse
from tabmux.numbering import Numbering
from tabmux.page.handle import PageHandle
from tabmux.page.opener_groups import OpenerGroups
from tabmux.page.profiling.tracing import TraceConfig
from tabmux.page.see.drawing import Drawing
from tabmux.page.workers import WorkerNames
from tabmux.policy.url_policy import UrlPolicy
from tabmux.timings import Timings

CONNECT_SECONDS = 30.0
CLOSE_SECONDS = 5.0
# Chrome's own pages are no agent's business, but for the one that a new tab shows.
_INTERNAL_URLS = ("devtools://", "chrome-extension://", "chrome-untrusted://", "chrome://")
_NEW_TAB_URLS = ("chrome://newtab", "chrome://new-tab-page")

PageOpened = Callable[[PageHandle, PageHandle], None]
PageClosed = Callable[[PageHandle], None]
PageFound = Callable[[PageHandle], None]


class Browser(BrowserKind):
    """A browser that is connected when somebody needs it; see its kinds for how.

    Args:
        index: Its place in the registry, from 1.
        spec: How to reach it.
        page_ids: Where page ids come from; they are unique in the process.
        opened: Told of a page that another page opened.
        closed: Told of a page that is gone.
        lost: Told that a connection ended although nobody asked for it.
        timings: How long to wait for what.
        urls: Where its pages may go.
        worker_names: What service workers are called; unique in the process too.
        has_session_urls: Whether sessions may have rules of their own about where pages go.
    """

    # What tabs were called before the server was started anew, and who is told that one of them
    # is there; see the registry.
    known_ids: dict[str, int] | None = None
    found: PageFound | None = None
    # Told of a page that ends with its browser, while it is still there.
    page_lost: PageClosed | None = None
    # Whether it is given up for another one, which takes its pages.
    is_moving = False
    fence: Fence | None = None

    def __init__(
        self,
        index: int,
        spec: BrowserSpec,
        page_ids: Numbering,
        opened: PageOpened,
        closed: PageClosed,
        lost: Callable[[Browser], None],
        timings: Timings,
        urls: UrlPolicy | None = None,
        worker_names: WorkerNames | None = None,
        *,
        has_session_urls: bool = False,
    ) -> None:
        self.index, self.spec, self.timings = index, spec, timings
        self.worker_names = worker_names or WorkerNames()
        self._groups = OpenerGroups()
        self._plans, self._drawing_tabs = set[TraceConfig](), set[Drawing]()
        self.health = Health()
        self.lock = SharedLock()
        self.downloads = Downloads(self._pages_of_frame, self._download_refusal)
        self.urls = urls or UrlPolicy()
        self._has_session_urls = has_session_urls
        self.pages: dict[str, PageHandle] = {}
        self._page_ids, self._opened, self._closed = page_ids, opened, closed
        # The tab that a browser starts with; the first session that needs one takes it.
        self.spare: PageHandle | None = None
        self._changed = Listeners[[]]()
        self._attachment: Attachment | None = None
        self._connector = Connector(
            index,
            spec.label,
            self._attached,
            cancels_attempts=self.cancels_attempts,
            cools_down=self.cools_down,
            silence=self.longest_silence(timings),
            changed=self._changed,
            lost=lambda: lost(self),
            timings=timings,
        )

    def join(self, spec: BrowserSpec) -> None:
        """Let somebody else use the browser, who named it by a spec of their own."""
        rules = (spec.allow_url, spec.deny_url)
        if any(rules) and rules != (self.spec.allow_url, self.spec.deny_url):
            raise Misuse(
                f"The browser {self.spec.label} is in use with other rules about URLs.",
                hint="Give it the same allow_url and deny_url everywhere, or none.",
            )

    @property
    def name(self) -> str:
        """What the user calls it."""
        return self.spec.name

    @property
    def state(self) -> BrowserState:
        """Where the connection stands."""
        return self._connector.state

    @property
    def history(self) -> ConnectionHistory:
        """What is remembered of its connections."""
        return self._connector.history

    @property
    def channel(self) -> Channel:
        """The browser's own CDP channel."""
        return self._connected().channel

    @property
    def is_reachable(self) -> bool:
        """Whether commands can be sent to it now."""
        return self._attachment is not None and self._attachment.is_open

    @property
    def is_down_to_one_tab(self) -> bool:
        """Whether closing one more tab would close the browser."""
        return len(self.pages) <= 1

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when tabs or the connection change; returns how to stop."""
        return self._changed.add(listener)

    def visible_pages(self) -> list[PageHandle]:
        """Return the tabs that an agent may know of, oldest first."""
        return [page for page in self.pages.values() if _is_visible(page.url)]

    def wait(self) -> float:
        """Return how many seconds must pass before a call may try to connect again."""
        return self._connector.wait()

    def next_attempt(self) -> str:
        """Say when it is tried again, by itself or by a call; nothing if a call may at once."""
        return self._connector.next_attempt()

    def plan_retry(self, seconds: float) -> None:
        """Note that it is tried again in the background."""
        self._connector.retry_at = time.monotonic() + seconds

    async def connect(
        self, group: asyncio.TaskGroup, *, force: bool = False, run_start_command: bool = False
    ) -> None:
        """Connect unless it is done; everyone who asks meanwhile waits for the same attempt.

        Args:
            group: What owns the task that holds the connection.
            force: Try even while the browser cools down after a failure.
            run_start_command: Start the browser by the user's command when it is unreachable.
        """
        await self._connector.connect(group, force=force, run_start_command=run_start_command)

    def disconnect(self) -> None:
        """End the connection, or the attempt; a browser that we launched ends with it."""
        self._connector.disconnect()

    def leave(self) -> None:
        """End the connection because the server ends."""
        self.disconnect()

    async def ended(self) -> None:
        """Wait until the last connection has been cleared up."""
        await self._connector.ended()

    async def lost(self) -> str:
        """Wait until the connection ends, and return the reason."""
        if self._attachment is None:
            return self.history.last_error
        return await self._attachment.lost()

    def count(self, seconds: float, *, failed: bool) -> None:
        """Note one more call."""
        self.health = self.health.after(seconds, failed=failed)

    async def refresh(self) -> None:
        """Ask for the titles anew: Chrome does not tell when they change."""
        found = await self.channel.call("Target.getTargets", {"filter": [{"type": "page"}]})
        for info in found["targetInfos"]:
            if page := self.pages.get(info["targetId"]):
                page.target = info

    async def new_page(
        self, *, background: bool = True, context: str | None = None, session: str = ""
    ) -> PageHandle:
        """Open a blank tab for a session."""
        command: Params = {"url": "about:blank", "background": background}
        command |= self.new_tab_options(session)
        if context is not None:
            command["browserContextId"] = await self._context(context)
        target = (await self.channel.call("Target.createTarget", command))["targetId"]
        page = self.pages.get(target) or self._add({"targetId": target, "url": "about:blank"})
        page.isolated_context = context
        return page

    async def new_context(self, name: str, proxy: str, bypass: str) -> None:
        """Make an isolated context; its pages go through a proxy if one is named."""
        self.refuse_isolated_contexts()
        if name in self._connected().contexts:
            raise Misuse(f"There is an isolated context {name} already.", hint="Use another name.")
        options = {"proxyServer": proxy, "proxyBypassList": bypass}
        await self._make_context(name, {key: text for key, text in options.items() if text})

    def resume_context(self, name: str, ident: str) -> None:
        """Know an isolated context by its name, which a server before this one had made."""
        self._connected().contexts.setdefault(name, ident)
        self.downloads.include(ident)

    async def close_page(self, page: PageHandle) -> None:
        """Close a tab, and wait until Chrome says that it is closed."""
        if page.page is not None:
            # Seen in Chromium 156: a renderer crashes when a tab is closed while it is recorded
            # and another recording starts within the second.
            await page.page.tracing.give_up()
        await self.channel.call("Target.closeTarget", {"targetId": page.target_id})
        await page.signal.until(lambda: page.target_id not in self.pages, CLOSE_SECONDS)

    async def activate(self, page: PageHandle) -> None:
        """Bring a tab to the front."""
        await self.channel.call("Target.activateTarget", {"targetId": page.target_id})

    @asynccontextmanager
    async def _attached(
        self, stop: asyncio.Event, *, run_start_command: bool
    ) -> AsyncIterator[Attachment]:
        async with (
            self.open_transport(stop, run_start_command=run_start_command) as transport,
            self.downloads.received(in_own_folder=self.has_download_folder),
        ):
            connection = CdpConnection(transport, self.fence)
            try:
                filtered = self.urls.is_restricted or self._has_session_urls
                url_filter = self.make_url_filter(connection.browser) if filtered else None
                self._attachment = Attachment(connection, url_filter)
                async with asyncio.timeout(CONNECT_SECONDS):
                    await self._discover_pages(self._attachment)
                yield self._attachment
            finally:
                self._attachment = None
                if not self.keeps_pages or stop.is_set():
                    self._forget_pages(are_lost=self.is_moving or not stop.is_set())
                connection.close()

    async def _discover_pages(self, attachment: Attachment) -> None:
        channel = attachment.channel
        channel.on("Target.targetCreated", lambda p: self._page_created(p["targetInfo"]))
        channel.on("Target.targetInfoChanged", lambda p: self._page_changed(p["targetInfo"]))
        channel.on("Target.targetDestroyed", lambda p: self._page_destroyed(p["targetId"]))
        self.downloads.listen(channel)
        await attachment.start_url_filter()
        await channel.call(
            "Target.setDiscoverTargets", {"discover": True, "filter": [{"type": "page"}]}
        )
        await self.after_discovery(channel)

    def _connected(self) -> Attachment:
        if self._attachment is None or not self._attachment.is_open:
            raise BrowserTrouble(
                f"The browser {self.spec.label} is not connected.", hint="Call list_browsers."
            )
        return self._attachment

    def _page_created(self, info: Params) -> None:
        if info["type"] != "page" or info["targetId"] in self.pages:
            self._page_changed(info)
            return
        page = self._add(info)
        opener = self.pages.get(info.get("openerId", ""))
        if opener is not None:
            page.isolated_context = opener.isolated_context
            page.opener = opener.id
            self._opened(opener, page)
            self.downloads.claim(page.target_id, (page.id, opener.id))

    def _pages_of_frame(self, frame: str) -> tuple[int, ...]:
        """Return the tab that a frame is in, and the tab that opened it."""
        for page in self.pages.values():
            inside = page.page is not None and page.page.frames.get(frame) is not None
            if inside or page.target_id == frame:
                return (page.id,) if page.opener is None else (page.id, page.opener)
        return ()

    def _add(self, info: Params) -> PageHandle:
        known = self.known_ids.pop(info["targetId"], None) if self.known_ids else None
        page = self.pages[info["targetId"]] = PageHandle(
            next(self._page_ids) if known is None else known,
            info,
            self.attach,
            self.urls,
            self.worker_names,
            self._plans,
            self.timings,
            self,
            self._groups,
            self._drawing_tabs,
        )
        if known is not None and self.found is not None:
            self.found(page)
        self._changed()
        return page

    def _page_changed(self, info: Params) -> None:
        if page := self.pages.get(info["targetId"]):
            page.target = info
            page.signal.notify()
            self._changed()

    def _page_destroyed(self, target: str) -> None:
        if page := self.pages.pop(target, None):
            self._closed(page)
            page.close()
            if self.spare is page:
                self.spare = None
            self._changed()

    def urls_of(self, target: str) -> UrlPolicy | None:
        """Return where a tab may go; None for one that belongs to nobody, or is not known yet."""
        page = self.pages.get(target)
        return page.urls if page is not None and page.policy is not None else None

    def session_urls(self) -> list[UrlPolicy]:
        """Return where the tabs of sessions may go."""
        owned = (page for page in self.pages.values() if page.policy is not None)
        # Once a session, however many tabs it has.
        return list({id(page.policy): page.urls for page in owned}.values())

    def _download_refusal(self, pages: tuple[int, ...]) -> DownloadRefusal | None:
        """Say why one of these tabs may not download."""
        for page in self.pages.values():
            policy = page.policy
            if page.id in pages and policy is not None and not policy.downloads:
                reason = f"forbidden by {policy.sources['downloads']}"
                return DownloadRefusal(reason, page.target.get("browserContextId"))
        return None

    async def hold(self, target: str) -> None:
        """Hold a tab to the rules that it has now."""
        await self._connected().hold(target)

    def rules_changed(self, target: str) -> None:
        """Hold a tab to other rules, if it is held to some."""
        if self._attachment is not None:
            self._attachment.rules_changed(target)

    def renew_rules(self, target: str) -> None:
        """Hold a tab to the same rules anew, after another client has let go of it."""
        if self._attachment is not None:
            self._attachment.renew_rules(target)

    async def attach(self, target: str) -> Channel:
        """Open one more channel to a tab, which is held to its rules first."""
        return await self._connected().attach(target)

    def context_of(self, page: PageHandle) -> str | None:
        """Return the id of the context that a page is in; None for the browser's own."""
        ident = str(page.target.get("browserContextId", ""))
        return ident if ident in self._connected().contexts.values() else None

    async def _context(self, name: str) -> str:
        """Return the id of an isolated context, which is made when it is new."""
        self.refuse_isolated_contexts()
        contexts = self._connected().contexts
        return contexts[name] if name in contexts else await self._make_context(name, {})

    async def _make_context(self, name: str, options: Params) -> str:
        made = await self.channel.call("Target.createBrowserContext", options)
        ident = self._connected().contexts[name] = str(made["browserContextId"])
        self.downloads.include(ident)
        return ident

    def _forget_pages(self, *, are_lost: bool) -> None:
        for target in list(self.pages):
            if are_lost:
                self._page_ended(target)
            else:
                self._page_destroyed(target)

    def _page_ended(self, target: str) -> None:
        """Forget a tab that has ended with the browser; the next one may have it again."""
        if self.reopens_pages and self.page_lost is not None:
            self.page_lost(self.pages[target])
        self._page_destroyed(target)


def _is_visible(url: str) -> bool:
    return url.startswith(_NEW_TAB_URLS) or not url.startswith(_INTERNAL_URLS)
