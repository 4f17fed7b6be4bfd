"""Sessions: one agent's pages, the page it has selected, its uids and its tools."""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_view import BrowserView
from tabmux.concurrency import Listeners
from tabmux.content import CallingClient, Reply, ToolSpec
from tabmux.errors import (
    BrowserTrouble,
    BudgetSpent,
    NoSuchPage,
    NotOwned,
    PageGone,
    StaleUid,
    TabmuxError,
)
from tabmux.page.element import Element
from tabmux.page.handle import PageHandle
from tabmux.policy.own_addresses import OWN
from tabmux.policy.policy import Policy
from tabmux.policy.session_policies import SessionRules
from tabmux.policy.url_policy import UrlPolicy
from tabmux.secrets.filled_values import FILLED
from tabmux.sessions import uids
from tabmux.sessions.session_parts import (
    ActionJournal,
    PageReturn,
    Recorder,
    SessionOwner,
    SessionTools,
)
from tabmux.sessions.session_usage import SessionUsage
from tabmux.sessions.shown_pages import ShownPages
from tabmux.settings import Settings

if TYPE_CHECKING:
    pass

MOST_WAITING_LOGS = 100

Log = Callable[[str, Any], None]


class Session(SessionUsage):
    """What one agent works with. It is not a connection: connections attach to it and leave.

    Args:
        name: A few letters, the start of its uids.
        label: What the user calls it, if anything.
        browsers: The browsers that it sees.
        owner: What holds all sessions.
        make_tools: Makes the session's tools.
        settings: How its client wants it.
        rules: What its agent may do, by those who use it.
        viewport: The size of the pages that it opens, if its client wants one.
        handle: The id by which it is known; a new one when absent.
        epochs: The last epoch of its uids that a server before this one may have shown.
    """

    ended = False
    # Set where sessions outlive the server: how it is written down, and its pages brought back.
    recorder: Recorder | None = None
    journal: ActionJournal | None = None
    restoration: PageReturn | None = None
    # What is offered to clients beside the tools, in MCP's own words; see daemon/.
    resources: Any = None
    # What became of its pages, for the next reply.
    _news: Sequence[str] = ()
    selected: int | None = None
    # What became of the selected page that somebody took away, until a call was told.
    _taken = ""

    def __init__(
        self,
        name: str,
        browsers: BrowserView,
        owner: SessionOwner,
        make_tools: Callable[[Session], SessionTools],
        settings: Settings,
        rules: SessionRules,
        label: str = "",
        viewport: tuple[int, int] | None = None,
        *,
        handle: str = "",
        epochs: int = 0,
    ) -> None:
        super().__init__()
        self.name, self.label = name, label
        self.handle = handle or secrets.token_urlsafe(24)
        self.browsers, self.settings, self._rules = browsers, settings, rules
        self._viewport = viewport
        self.pages: dict[int, PageHandle] = {}
        self.created: set[int] = set()
        # Every page that was ever its own: what they downloaded outlives them.
        self.had: set[int] = set()
        # Further names by which others know it, such as its id over HTTP.
        self.aliases: set[str] = set()
        # Folders that the client works in, and lets its agent read and write.
        self.roots: tuple[Path, ...] = ()
        self._owner = owner
        scope = uids.UidScope(name, cast(uids.Style, settings.uid_style), epochs)
        # What it was shown of its pages.
        self.shown = ShownPages(scope, self.pages, lambda: self.policy.reply_limit)
        self._browser_connections: dict[int, int] = {}
        self._closed = Listeners[[]]()
        self._logs = Listeners[[str, Any]]()
        self._waiting_logs: deque[tuple[str, Any]] = deque(maxlen=MOST_WAITING_LOGS)
        # Groups of tools that the session has switched on for itself.
        self.groups: list[str] = []
        browsers.is_in_use = lambda b: any(p.target_id in b.pages for p in self.pages.values())
        self._tools = make_tools(self)
        self._sees_several = browsers.has_multiple

    @property
    def policy(self) -> Policy:
        """What its agent may do now."""
        return self._rules.policy

    @property
    def policy_sections(self) -> Sequence[str]:
        """The titles of the sections of the policy file that apply to it."""
        return self._rules.sections

    @property
    def visible_name(self) -> str:
        """What users may see of the session, unlike its handle: its label, or its letters."""
        return self.label or self.name

    @property
    def instructions(self) -> str:
        """How the session's tools are meant to be used, for the client's model."""
        return self._tools.instructions

    def tools(self) -> Sequence[ToolSpec]:
        """List the session's tools, in a fixed order."""
        return self._tools.specs()

    @property
    def structured(self) -> bool:
        """Whether its client is to be answered with data beside the text."""
        return self.policy.structured

    async def call(self, name: str, arguments: Mapping[str, Any], client: CallingClient) -> Reply:
        """Run a tool; failures are replies with a code."""
        self.last_call = name
        try:
            if self.restoration is not None:
                await self.restoration.finish(client)
        except TabmuxError as error:
            return Reply.failure(error)
        try:
            reply = await self._tools.call(name, arguments, client)
        finally:
            self.record()
        if self._news:
            news, self._news = self._news, ()
            reply.text = "\n".join([*news, reply.text])
        return await self._once_written(reply)

    async def _once_written(self, reply: Reply) -> Reply:
        """Return a reply when another server could go on from it."""
        try:
            if self.recorder is not None:
                await self.recorder.written()
        except TabmuxError as error:
            return reply if reply.failed else Reply.failure(error)
        return reply

    def record(self) -> None:
        """Have it written down, if it is another one than before."""
        if self.recorder is not None:
            self.recorder.record(self)

    def tell(self, news: str) -> None:
        """Say something with the next reply."""
        self._news = [*self._news, news]

    async def begin_action(self, client: CallingClient) -> None:
        """Note that an action begins, before anything is sent to a page.

        Args:
            client: Who asks for it; a request that is confirmed meanwhile begins only once.
        """
        if self.journal is not None and client.request_key and not client.has_begun:
            client.has_begun = True
            await self.journal.begin(client.request_key)

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever the list of tools changes; returns how to stop."""
        return self._tools.on_changed(listener)

    def look_at_browsers(self) -> None:
        """See whether there are several browsers now, or no longer."""
        if self._sees_several != self.browsers.has_multiple:
            self._sees_several = self.browsers.has_multiple
            self._tools.browsers_changed()

    async def close(self) -> None:
        """End the session and give up what it owns."""
        await self._owner.close(self)

    def on_closed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the session ends; returns how to stop."""
        return self._closed.add(listener)

    def lives(self) -> bool:
        """Whether it has not ended; what is kept for a session asks this."""
        return not self.ended

    def release(self) -> None:
        """Let go of the tools and tell whoever listens: the session has ended."""
        for page in self.pages.values():
            self._show(page, "")
        self.ended = True
        FILLED.forget()
        self._tools.close()
        self._closed()

    @property
    def waiting_logs(self) -> int:
        """How many log messages wait until a client listens."""
        return len(self._waiting_logs)

    def log(self, level: str, data: Any) -> None:
        """Tell the session's clients something, a text or an object; it waits until one listens."""
        self._waiting_logs.append((level, data))
        self._send_logs()

    def on_log(self, listener: Log) -> Callable[[], None]:
        """Call `listener` with an MCP level and the data, also with what came before."""
        stop = self._logs.add(listener)
        self._send_logs()
        return stop

    def _send_logs(self) -> None:
        while self._waiting_logs and len(self._logs):
            self._logs(*self._waiting_logs.popleft())

    def enable(self, groups: Sequence[str]) -> None:
        """Switch on groups of tools."""
        new = [group for group in dict.fromkeys(groups) if group not in self.groups]
        self.groups += new
        if new:
            self._tools.groups_changed()

    def client_joined(self, name: str) -> None:
        """Another client uses the session: its rules hold from now on, beside those before."""
        before, policy = self.policy, self._rules.joined(name)
        if policy is before:
            return
        for page in self.pages.values():
            page.restrict(policy)
        self._tools.policy_changed()

    def spend(self) -> None:
        """Take a call from the budget of the session, or raise that it is spent."""
        policy, minutes = self.policy, (time.monotonic() - self.opened) / 60
        for key, limit, used in (
            ("calls", policy.calls, self.made),
            ("minutes", policy.minutes, minutes),
        ):
            if limit is not None and used >= limit:
                source = policy.sources[key]
                raise BudgetSpent(
                    f"The session has used up its {limit:g} {key}: {source} gives it no more.",
                    hint="Tell the user what is done and what is left; the user can raise the "
                    "number and restart tabmux, or start a new session.",
                    rule=source,
                )
        self.made += 1

    def spare(self) -> None:
        """Give back a call to the budget that its client makes again."""
        self.made -= 1

    def urls_in(self, browser: Browser) -> UrlPolicy:
        """Return where pages of the session may go in a browser."""
        return browser.urls.narrowed(self.policy.urls)

    def describe(self) -> str:
        """Say in a few words what it is, for the client that has lost it."""
        pages = "1 page" if len(self.pages) == 1 else f"{len(self.pages)} pages"
        return f"{pages}, used {self.idle_seconds():.0f} s ago"

    @property
    def is_held(self) -> bool:
        """Whether a person has one of its pages."""
        return any(page.control.person for page in self.pages.values())

    def owns(self, page: PageHandle) -> bool:
        """Whether the page belongs to this session."""
        return page.id in self.pages

    def may_attach(self, page: PageHandle) -> bool:
        """Whether the page belongs to nobody, so that this session may take it."""
        if OWN.lead_here(page.url):
            return False
        return self._owner.owner_of(page) is None and not self._owner.is_elsewhere(page)

    def adopt(self, page: PageHandle, *, created: bool) -> None:
        """Take a page; `created` says that it goes when the session goes."""
        self.pages[page.id] = page
        page.owner = self.handle
        page.restrict(self.policy)
        self.had.add(page.id)
        if created:
            self.created.add(page.id)
        if self.selected is None:
            self.selected = page.id
        self._show(page, self.visible_name)
        self.record()

    def note_connection(self, browser: Browser) -> str:
        """Say that a browser was reconnected, once, to a session that knew it before."""
        before = self._browser_connections.get(browser.index)
        now = self._browser_connections[browser.index] = browser.history.connections
        if before is None or before == now:
            return browser.remark()
        number = self.browsers.number(browser)
        if browser.keeps_pages or (browser.reopens_pages and self.recorder is not None):
            return f"Note: browser [{number}] was reconnected; take a new snapshot."
        return f"Note: browser [{number}] was reconnected; its page ids are new."

    def select(self, page: PageHandle) -> None:
        """Make a page the one that calls mean when they name none."""
        self.selected, self._taken = page.id, ""

    def forget(self, page: PageHandle) -> None:
        """Drop a page that is gone; the newest of the others is selected."""
        if self.pages.pop(page.id, None) is None:
            return
        page.restrict(None)
        # Nobody can hand back a page of no session; it would be held for good.
        page.give_back(page.control.person)
        self.created.discard(page.id)
        self.shown.forget(page)
        self._show(page, "")
        if self.selected == page.id:
            self._taken = page.taken and f"Page {page.id} is gone: {page.taken}."
            if not self._is_absent(page.id):
                self.selected = max(self.pages, default=None)

    def _refuse_if_taken(self) -> None:
        """Fail once when the selected page was taken away, rather than work on another one."""
        if text := self._taken:
            self._taken = ""
            if self._is_absent(self.selected):
                raise PageGone(text, hint="Call again: it is opened anew at its address.")
            now = "" if self.selected is None else f"; page {self.selected} is selected now"
            raise PageGone(text, hint=f"Call list_pages, or new_page to open another{now}.")

    def _show(self, page: PageHandle, name: str) -> None:
        if browser := self.browsers.browser_of(page):
            browser.show_session(page, name)

    def _is_absent(self, ident: int | None) -> bool:
        return self.restoration is not None and ident in self.restoration.absent

    def refuse_if_away(self, ident: int | None) -> None:
        """Fail for a page whose browser is not back yet, rather than work on another one."""
        if self._is_absent(ident):
            raise BrowserTrouble(
                f"Page {ident} is not back: its browser, or tabmux, has ended, and the browser "
                "could not be reached since.",
                hint="Try again when the browser runs, or call new_page.",
            )

    def page(self, ident: int) -> PageHandle:
        """Return one of the session's pages."""
        if page := self.pages.get(ident):
            return page
        self.refuse_if_away(ident)
        page = self.browsers.find_page(ident)
        if page is None:
            raise NoSuchPage(
                f"There is no page {ident}.", hint="Call list_pages to see what is open."
            )
        if not self.may_attach(page):
            raise NotOwned(
                f"Page {ident} belongs to another session.",
                hint="Call list_pages to see your own pages, or new_page to open one.",
            )
        raise NotOwned(
            f"Page {ident} is not attached to this session.",
            hint=f"Call select_page with pageId {ident} to work with it.",
            code="not_attached",
        )

    def pages_of_worker(self, name: str, preferred: int | None = None) -> list[PageHandle]:
        """Return the session's pages that a service worker serves, the most likely one first.

        Args:
            name: What list_pages calls the worker.
            preferred: The id of a page that was named, too.
        """
        found = [p for p in self.pages.values() if p.page and p.page.workers.named(name)]
        return sorted(found, key=lambda p: (p.id != preferred, p.id != self.selected))

    def service_workers(self, browser: Browser) -> dict[str, str]:
        """Return the addresses of the workers that serve the session's pages, by name."""
        return {
            worker.id: worker.url
            for page in self.pages.values()
            if page.page is not None and self.browsers.browser_of(page) is browser
            for worker in page.page.workers.running
            if worker.id
        }

    async def selected_page(self, browser: Browser) -> PageHandle:
        """Return the selected page in a browser; the first call opens one in the background."""
        self._refuse_if_taken()
        selected = self.pages.get(self.selected or 0)
        if selected is not None and self.browsers.browser_of(selected) is browser:
            return selected
        mine = [p for p in self.pages.values() if self.browsers.browser_of(p) is browser]
        page = mine[-1] if mine else await self.open_page(browser)
        self.select(page)
        return page

    async def open_page(
        self, browser: Browser, *, background: bool = True, context: str | None = None
    ) -> PageHandle:
        """Open a page of the session's own."""
        await self.browsers.ensure_connected(browser)
        spare, browser.spare = browser.spare, None
        if spare is not None and context is None and self.may_attach(spare):
            page = spare
        else:
            page = await browser.new_page(
                background=background, context=context, session=self.visible_name
            )
        self.adopt(page, created=True)
        if self._viewport is not None:
            await (await page.attach()).emulation.fit(*self._viewport)
        return page

    async def reopen_page(self, browser: Browser, ident: int, *, context: str | None) -> PageHandle:
        """Open a page in the place of one whose browser has ended, by the id that it had."""
        page = await browser.new_page(context=context, session=self.visible_name)
        page.id = ident
        self._taken = ""
        self.adopt(page, created=True)
        return page

    async def reconnect(self, browser: Browser) -> None:
        """Connect a browser anew, and open its pages again where it takes them along."""
        pages = [page for page in self.pages.values() if page.target_id in browser.pages]
        for page in pages:
            # It is not the page that ends the browser.
            page.reopened = PageHandle.reopened
        if self.recorder is not None and browser.moves_pages:
            await self.recorder.save_sites(self)
        await self.browsers.reconnect(browser)
        if self.restoration is not None:
            await self.restoration.finish()
        gone = ", ".join(str(page.id) for page in pages if page.id not in self.pages)
        if gone and browser.moves_pages:
            self.tell(f"Note: gone with the browser before: page {gone}.")

    def shares(self, browser: Browser) -> bool:
        """Whether other sessions have pages in a browser."""
        return any(not (self.owns(p) or self.may_attach(p)) for p in browser.pages.values())

    async def give_up(self, page: PageHandle) -> None:
        """Close a page that never came to be."""
        await self._owner.give_up(self, [page])

    async def leave_browser(self, browser: Browser) -> None:
        """Give up the pages in a browser that others go on using."""
        pages = [p for p in self.pages.values() if p.target_id in browser.pages]
        await self._owner.give_up(self, pages)

    def element(self, text: str) -> Element:
        """Return the element that a uid means, or say why it means none."""
        try:
            return self.shown.element(text)
        except StaleUid:
            self._refuse_if_taken()
            raise
