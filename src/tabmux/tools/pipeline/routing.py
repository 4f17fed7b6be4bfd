"""One call on its way: finds what it acts on, waits for its turn, acts."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tabmux.browsers.browser import Browser
from tabmux.browsers.registry import BrowserKey, Browsers
from tabmux.content import OPEN, Progress, Reply, quoted, untold
from tabmux.errors import BadArguments, Misuse, Refused
from tabmux.page.page import Page
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.policy import Redaction
from tabmux.policy.url_parser import shorten_url
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.tool import Caller, Tool

# Tools that show the page to the agent, beside those that report what they changed.
_SIGHTS = frozenset({"take_snapshot", "find", "take_screenshot", "wait_for"})


@dataclass(frozen=True)
class Route:
    """What a call says of where it goes."""

    page_id: int | None = None
    browser: BrowserKey | None = None
    pages: list[Page] = field(default_factory=list)


@dataclass(frozen=True)
class Kit:
    """What all calls share."""

    browsers: Browsers
    worker: AnalysisProcess
    shelf: PageCatalogs
    redaction: Redaction


class Run:
    """Runs a tool once, for a session."""

    def __init__(
        self,
        kit: Kit,
        session: Session,
        tool: Tool,
        route: Route,
        caller: Caller,
        *,
        inside: bool = False,
        progress: Progress = untold,
    ) -> None:
        self.browser: Browser | None = None
        # A call inside another has its turn already.
        self._caller, self._inside, self._progress = caller, inside, progress
        self._kit, self._browsers = kit, kit.browsers
        self._session, self._tool, self._route = session, tool, route
        self._page: Page | None = None
        self._acting = False

    async def __call__(self, arguments: dict[str, Any]) -> Reply:
        """Find the subjects, take the turn, and call the function."""
        self._check_browser()
        subjects = {name: await self._subject(kind) for name, kind in self._tool.subjects.items()}
        note = self._session.note_connection(self.browser) if self.browser is not None else ""
        async with AsyncExitStack() as stack:
            await self._pass_gate(stack)
            if self._page is not None:
                await self._take_turn(stack, self._page)
            self._acting = True
            reply = await self._tool.function(**subjects, **arguments)
            self._refuse_elsewhere()
            self._quote(reply, arguments)
            await self._add_news(reply)
        return self._completed(reply, note)

    def _quote(self, reply: Reply, arguments: dict[str, Any]) -> None:
        """Take for a page's words what a tool read there, unless it says itself which are."""
        seen = self._tool.on_page or AnalysisProcess in self._tool.subjects.values()
        written = any(isinstance(value, Path) for value in arguments.values())
        if self._tool.reads and seen and not (written or reply.images or OPEN in reply.text):
            reply.text = quoted(reply.text)

    async def _add_news(self, reply: Reply) -> None:
        """Name the page's tools when they have changed; tools for page tools do so themselves."""
        if self._page is None or self._inside or PageCatalogs in self._tool.subjects.values():
            return
        sighted = self._tool.name in _SIGHTS or "report" in self._tool.schema["properties"]
        acted = not self._tool.reads
        reply.add(await self._kit.shelf.news(self._page, acted=acted, sighted=sighted))

    @property
    def blocker(self) -> str:
        """Say that the call never got its turn, if so."""
        waiting = (self._page is not None or self._tool.exclusive) and not self._acting
        where = "browser" if self._tool.exclusive else "page"
        return f" because another call on the {where} was still running" if waiting else ""

    def abandon(self) -> None:
        """Free the page from what this call left running in it."""
        if self._acting and self._page is not None and self._page.attached:
            self._page.recover()

    def _check_browser(self) -> None:
        """A browser that is named must exist, also where the call does not need it."""
        if self._route.browser is not None:
            self._browsers.choose(self._route.browser)

    async def _pass_gate(self, stack: AsyncExitStack) -> None:
        """Let a call that concerns the whole browser run alone on it."""
        exclusive = self._tool.exclusive
        if exclusive and self._inside:
            raise Misuse(
                f"{self._tool.name} concerns the whole browser, so no batch can contain it.",
                hint="Call it by itself.",
            )
        if self.browser is not None and self._tool.turn and not self._inside:
            gate = self.browser.gate
            await stack.enter_async_context(gate.alone() if exclusive else gate.shared())

    async def _take_turn(self, stack: AsyncExitStack, page: Page) -> None:
        if self._tool.turn and not self._inside:
            await stack.enter_async_context(page.lock)
        await page.attach()
        self._refuse_elsewhere()
        if not self._tool.over_dialog:
            page.dialogs.refuse_if_open()

    def _refuse_elsewhere(self) -> None:
        """Show and touch nothing of a page that is where the policy would not let it go."""
        page = self._page
        if page is None or self._tool.anywhere or page.urls.shows(page.url):
            return
        raise Refused(
            f"Page {page.id} is at {shorten_url(page.url)}, which the policy does not allow.",
            hint="Go to another address with navigate_page.",
        )

    async def _subject(self, kind: type) -> Any:
        if kind is Page:
            self._page = await self._find_page()
            self.browser = self._browsers.browser_of(self._page)
            return self._page
        if kind is Browser:
            return await self._connected()
        shared: dict[type, Any] = {
            Session: self._session,
            Browsers: self._kit.browsers,
            AnalysisProcess: self._kit.worker,
            Caller: self._caller,
            Progress: self._progress,
            PageCatalogs: self._kit.shelf,
            Redaction: self._kit.redaction,
        }
        return shared[kind]

    async def _connected(self) -> Browser:
        self.browser = self._browsers.choose(self._route.browser)
        return await self._browsers.ensure_connected(self.browser)

    async def _find_page(self) -> Page:
        named = {page.id: page for page in self._route.pages}
        if self._route.page_id is not None:
            page = self._session.page(self._route.page_id)
            named[page.id] = page
        if len(named) > 1:
            ids = ", ".join(str(ident) for ident in sorted(named))
            raise Misuse(
                f"The call names several pages ({ids}).",
                hint="Use uids of one page, and its pageId or none.",
                code="wrong_page",
            )
        if not named:
            return await self._session.selected_page(await self._connected())
        page = next(iter(named.values()))
        self._check_page_browser(page)
        return page

    def _check_page_browser(self, page: Page) -> None:
        browser = self._browsers.browser_of(page)
        if self._route.browser is not None and browser is not None:
            wanted = self._browsers.choose(self._route.browser)
            if wanted is not browser:
                raise Misuse(
                    f"Page {page.id} is in browser {browser.index}, not {wanted.index}.",
                    hint="Leave browserIndex out, or name the right one.",
                    code="wrong_browser",
                )

    def _completed(self, reply: Reply, note: str) -> Reply:
        if note:
            reply.text = f"{note}\n{reply.text}"
        page = self._page
        if page is None or not page.attached:
            return reply
        reply.add("\n".join(page.emulation.current.lines))
        reply.add("\n".join(page.interception.lines))
        if self.browser is not None:
            for download in self.browser.downloads.news(page.id):
                reply.quote(f"Download {download.line}")
        if dialog := page.dialogs.current:
            reply.add(
                f"# Open dialog\n{quoted(dialog.line)}\n"
                "Call handle_dialog to handle it before continuing."
            )
        return reply


def take_route(tool: Tool, given: dict[str, Any]) -> Route:
    """Take the routing arguments out of what the caller gave."""
    own = tool.schema["properties"]
    page_id = given.pop("pageId", None) if tool.on_page and "pageId" not in own else None
    if page_id is not None and (isinstance(page_id, bool) or not isinstance(page_id, int)):
        raise BadArguments(f"Invalid arguments for {tool.name}: pageId: must be a number.")
    browser = None if "browserIndex" in own else given.pop("browserIndex", None)
    if browser is not None and (isinstance(browser, bool) or not isinstance(browser, int | str)):
        raise BadArguments(
            f"Invalid arguments for {tool.name}: browserIndex: must be a number or a name."
        )
    return Route(page_id, browser)
