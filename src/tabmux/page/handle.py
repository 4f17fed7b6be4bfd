"""Page handle: a tab that tabmux knows of, attached to or not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from tabmux.cdp.channel import Channel, Params
from tabmux.concurrency import Signal
from tabmux.errors import DeadlineExceeded, PageTrouble, ProtocolFault, TabmuxError, closed
from tabmux.page.control import PageControl
from tabmux.page.environment.page_overrides import PageOverrides
from tabmux.page.opener_groups import GroupedTab, OpenerGroups
from tabmux.page.profiling.tracing import TraceConfig
from tabmux.page.see.drawing import Drawing
from tabmux.page.workers import WorkerNames
from tabmux.policy.policy import Policy
from tabmux.policy.url_policy import UrlPolicy
from tabmux.secrets.filled_values import FILLED
from tabmux.timings import Timings

if TYPE_CHECKING:
    from tabmux.page.page import Page


class TabGuard(Protocol):
    """What holds tabs to their rules, below the tools; tabs are named by Chrome's ids."""

    async def hold(self, target: str) -> None:
        """Hold a tab to its rules from now on; fails when that cannot be done."""

    def rules_changed(self, target: str) -> None:
        """A tab that may be held already has other rules."""


# Takes local paths, and returns those of the other machine.
SendFiles = Callable[[Sequence[str]], Awaitable[list[str]]]


class PageHandle:
    """A tab of a browser. It costs nothing until `attach` is called.

    Where tabs outlive their connection, a handle is attached anew and has another page then.

    Args:
        ident: A small number, unique in the process and never used again.
        target: What Chrome says of the tab.
        attacher: Opens a CDP channel to the tab.
        urls: Where tabs of the browser may go.
        worker_names: What its service workers are called.
        trace_configs: How pages of the browser have been recorded.
        timings: How long to wait for what.
        guard: Holds the tab to its rules below the tools.
        groups: Which tabs of the browser opened one another.
        drawing_tabs: Those of the browser that draw for an agent.

    Attributes:
        urls: Where the tab may go: the browser's rules, and those of its session.
        control: Who works on it, its agent or a person.
        policy: What its session may do; None while it belongs to nobody.
        page: The tab with all its parts, while tabmux is attached to it.
        gone: Whether the tab was closed, or its connection has ended.
        owner: The handle of the session that it belongs to, or last belonged to.
        send_files: Sends files to where the browser runs, if that is another machine.
        taken: Who has taken the tab away, in words, where that was not its session.
        state: What was set for the tab before a server was started anew, until it is in force.
        had_secret: Whether a secret was, or may have been, typed into it.
        tab: What outlasts its connection.
        reopened: When it was opened in the place of one whose browser had ended.
    """

    reopened = float("-inf")

    def __init__(
        self,
        ident: int,
        target: Params,
        attacher: Callable[[str], Awaitable[Channel]],
        urls: UrlPolicy | None = None,
        worker_names: WorkerNames | None = None,
        trace_configs: set[TraceConfig] | None = None,
        timings: Timings | None = None,
        guard: TabGuard | None = None,
        groups: OpenerGroups | None = None,
        drawing_tabs: set[Drawing] | None = None,
    ) -> None:
        self.id = ident
        self.target = target
        self.urls = self._browser_urls = urls or UrlPolicy()
        self.policy: Policy | None = None
        self.worker_names = worker_names or WorkerNames()
        self.trace_configs = set() if trace_configs is None else trace_configs
        self.timings = timings or Timings()
        # One action at a time on a page, in the order they came; reads do not need it.
        self.lock = asyncio.Lock()
        self.control = PageControl()
        self.signal = Signal()
        self.page: Page | None = None
        self.gone = False
        self.taken = ""
        self.isolated_context: str | None = None
        self.opener: int | None = None
        self.owner = ""
        self.state: PageOverrides | None = None
        self.send_files: SendFiles | None = None
        self.had_secret = False
        self.drawing_tabs = set[Drawing]() if drawing_tabs is None else drawing_tabs
        self._attacher, self.guard = attacher, guard
        self._groups = groups or OpenerGroups()
        self.tab = self._groups.add(self)
        # The rules that it is held to.
        self._held = self.urls
        self._attaching = asyncio.Lock()

    @property
    def target_id(self) -> str:
        """Chrome's own id of the tab."""
        return str(self.target["targetId"])

    @property
    def attached_page(self) -> Page:
        """The page, of a tab that must be attached."""
        if self.page is None:
            raise PageTrouble(f"Page {self.id} is not attached.")
        return self.page

    @property
    def url(self) -> str:
        """Where the tab is now."""
        main = self.page.frames.main if self.page is not None else None
        return main.url if main is not None else str(self.target.get("url", ""))

    @property
    def title(self) -> str:
        """The tab's title, as far as Chrome has told it."""
        title = str(self.target.get("title", ""))
        # Until a document has said its title, Chrome makes one of its address.
        address = self.url.partition("://")[2] or self.url
        return "" if address.startswith(title) else title

    def give_back(self, person: str) -> bool:
        """Give the tab back to its agent, if the person has it; what it shows stays theirs."""
        if person and self.control.person == person and self.page is not None:
            self.page.note_person()
        return self.control.give_back(person)

    def name(self, title: str) -> None:
        """Note the title that the tab has now."""
        self.target = {**self.target, "title": title}

    def restrict(self, policy: Policy | None) -> None:
        """Give the tab the rules of the session that it belongs to, or belongs to no longer."""
        self.policy = policy
        urls = self._browser_urls
        self.urls = urls if policy is None else urls.narrowed(policy.urls)
        if self.guard is not None and self._held != self.urls:
            self.guard.rules_changed(self.target_id)

    def related_tabs(self) -> list[GroupedTab]:
        """Return the tabs whose scripts may reach its own, and that have to do with secrets."""
        return self._groups.related(self)

    async def attach(self) -> Page:
        """Attach to the tab, once, and hold it to its rules."""
        if self.page is not None and self._held == self.urls:
            return self.page
        async with self._attaching:
            # Chromium 156 answers nothing about a tab that was opened for an address whose server
            # has not answered yet; such a tab has no address of its own.
            timings = self.timings
            seconds = timings.attach if self.url else min(timings.attach, timings.first_document)
            try:
                async with asyncio.timeout(seconds):
                    await self._hold()
                    return self.page or await self._new_page()
            except TimeoutError as error:
                raise self._not_attached(seconds) from error
            except ProtocolFault as error:
                if self.gone:
                    raise closed(self.id) from error
                raise

    async def _hold(self) -> None:
        urls = self.urls
        if self.guard is not None and self._held != urls:
            await self.guard.hold(self.target_id)
            self._held = urls

    def _not_attached(self, seconds: float) -> TabmuxError:
        if not self.url:
            return PageTrouble(
                f"Page {self.id} shows nothing yet: the server of its address has not answered.",
                hint="Try again later, or close it with close_page.",
            )
        return DeadlineExceeded(
            f"Chrome did not hand over page {self.id} within {seconds:g} s.",
            hint="Try again; the machine may be busy.",
        )

    async def _new_page(self) -> Page:
        # With all its parts, which no server needs until an agent uses a tab.
        from tabmux.page.page import Page

        channel = await self._attacher(self.target_id)
        page = Page(self, channel)
        channel.on_close(lambda _: self._detached(page))
        try:
            await page.prepare()
            if self.state is not None:
                await self.state.apply(page)
        except BaseException:
            channel.browser.send("Target.detachFromTarget", {"sessionId": channel.id})
            raise
        self.page, self.gone, self.state = page, False, None
        return page

    def close(self) -> None:
        """Note that the tab is gone; everything that waits on it wakes."""
        self._groups.close(self)
        self._detached(self.page)

    def _detached(self, page: Page | None) -> None:
        self.gone = True
        if page is not None:
            page.close()
        if self.page is page:
            self.page = None
        FILLED.forget()
        # Nobody works on a tab that is gone; calls that wait for it are told so.
        self.control.give_back(self.control.person)
        self.signal.notify()
