"""The pipeline: from a name and arguments to a reply, with everything a tool need not know."""

from __future__ import annotations

import asyncio
import difflib
import logging
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tabmux.browsers.browser import Browser
from tabmux.browsers.registry import Browsers
from tabmux.content import Reply, ToolSpec
from tabmux.errors import BadArguments, DeadlineExceeded, Misuse, TabmuxError, UnknownTool
from tabmux.page.element import Element
from tabmux.page.page import Page
from tabmux.policy import FilePolicy, UrlPolicy
from tabmux.sessions.session import Session
from tabmux.tools.tool import Tool

logger = logging.getLogger(__name__)

# A call that names its own timeout gets a little more, to report what happened.
GRACE_SECONDS = 5.0
_PAGE_ID = {"type": "integer", "description": "A page of list_pages; the selected one when absent."}
_BROWSER = {"description": "Index or name of the browser, see list_browsers."}


@dataclass
class _Context:
    """What arguments are checked against; notes the pages that uids belong to."""

    session: Session
    urls: UrlPolicy
    files: FilePolicy
    elements: list[Element] = field(default_factory=list)

    def element(self, uid: str) -> Element:
        element = self.session.element(uid)
        self.elements.append(element)
        return element

    def url(self, url: str) -> str:
        return self.urls.check(url)

    def readable(self, path: str) -> Path:
        return self.files.readable(path)

    def writable(self, path: str) -> Path:
        return self.files.writable(path)


@dataclass(frozen=True)
class _Route:
    page_id: int | None
    browser: int | str | None


class Toolbox:
    """The tools that are switched on, and how they are called.

    Args:
        tools: Every tool, in the order they are listed.
        browsers: The registry.
        urls: Where tabs may go.
        files: Where files may be.
    """

    def __init__(
        self, tools: Iterable[Tool], browsers: Browsers, urls: UrlPolicy, files: FilePolicy
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._browsers, self._urls, self._files = browsers, urls, files

    def specs(self) -> list[ToolSpec]:
        """Describe the tools; routing arguments appear only where they can matter."""
        return [self._spec(tool) for tool in self._tools.values()]

    async def call(self, session: Session, name: str, given: Mapping[str, Any]) -> Reply:
        """Run a tool for a session. Only cancellation leaves as an exception."""
        try:
            return await self._call(session, self._find(name), dict(given))
        except TabmuxError as error:
            return _failure(error)
        except Exception:  # the tool pipeline is a rim
            logger.exception("%s failed", name)
            text = f"Error [internal]: {name} failed inside tabmux; its log says why."
            return Reply(text, code="internal")

    def _find(self, name: str) -> Tool:
        if tool := self._tools.get(name):
            return tool
        close = difflib.get_close_matches(name, self._tools, 1)
        hint = f"Did you mean {close[0]}?" if close else "See tools/list."
        raise UnknownTool(f"There is no tool {name}.", hint=hint)

    async def _call(self, session: Session, tool: Tool, given: dict[str, Any]) -> Reply:
        route = _route(tool, given)
        context = _Context(session, self._urls, self._files)
        arguments = tool.arguments(given, context)
        seconds = tool.seconds
        if isinstance(timeout := arguments.get("timeout"), int) and timeout > 0:
            seconds = max(seconds, timeout / 1000 + GRACE_SECONDS)
        run = _Run(self._browsers, session, tool, route, context.elements)
        try:
            async with asyncio.timeout(seconds):
                return await run(arguments)
        except TimeoutError as error:
            run.abandon()
            raise DeadlineExceeded(
                f"{tool.name} did not finish within {seconds:g} s{run.blocker}.",
                hint="The page was freed; take a snapshot to see where it stands.",
            ) from error
        except asyncio.CancelledError:
            run.abandon()
            raise

    def _spec(self, tool: Tool) -> ToolSpec:
        schema = {**tool.schema, "properties": dict(tool.schema["properties"])}
        if tool.on_page and "pageId" not in schema["properties"]:
            schema["properties"]["pageId"] = _PAGE_ID
        if self._browsers.has_multiple and Browsers not in tool.subjects.values():
            schema["properties"]["browserIndex"] = _BROWSER
        return ToolSpec(
            tool.name, tool.description, schema, tool.reads, tool.destroys, tool.repeatable
        )


class _Run:
    """One call on its way: finds what it acts on, waits for its turn, acts."""

    def __init__(
        self,
        browsers: Browsers,
        session: Session,
        tool: Tool,
        route: _Route,
        elements: list[Element],
    ) -> None:
        self._browsers, self._session, self._tool = browsers, session, tool
        self._route, self._elements = route, elements
        self._page: Page | None = None
        self._acting = False

    async def __call__(self, arguments: dict[str, Any]) -> Reply:
        subjects = {name: await self._subject(kind) for name, kind in self._tool.subjects.items()}
        async with AsyncExitStack() as stack:
            if self._page is not None:
                await self._take_turn(stack, self._page)
            self._acting = True
            reply = await self._tool.function(**subjects, **arguments)
        return self._with_dialog(reply)

    @property
    def blocker(self) -> str:
        """Say that the call never got its turn, if so."""
        return "" if self._acting else " because another call on the page was still running"

    def abandon(self) -> None:
        """Free the page from what this call left running in it."""
        if self._acting and self._page is not None and self._page.attached:
            self._page.recover()

    async def _take_turn(self, stack: AsyncExitStack, page: Page) -> None:
        if self._tool.turn:
            await stack.enter_async_context(page.lock)
        await page.attach()
        if not self._tool.over_dialog:
            page.dialogs.refuse_if_open()

    async def _subject(self, kind: type) -> Any:
        if kind is Page:
            self._page = await self._find_page()
            return self._page
        if kind is Browser:
            return await self._browsers.connected(self._browsers.choose(self._route.browser))
        return self._session if kind is Session else self._browsers

    async def _find_page(self) -> Page:
        named = {element.page.id: element.page for element in self._elements}
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
        if named:
            return next(iter(named.values()))
        browser = await self._browsers.connected(self._browsers.choose(self._route.browser))
        return await self._session.selected_page(browser)

    def _with_dialog(self, reply: Reply) -> Reply:
        page = self._page
        if page is not None and page.attached and (dialog := page.dialogs.current):
            reply.add(
                f"# Open dialog\n{dialog.line}\nCall handle_dialog to handle it before continuing."
            )
        return reply


def _route(tool: Tool, given: dict[str, Any]) -> _Route:
    """Take the routing arguments out of what the caller gave."""
    own = tool.schema["properties"]
    page_id = given.pop("pageId", None) if tool.on_page and "pageId" not in own else None
    if page_id is not None and (isinstance(page_id, bool) or not isinstance(page_id, int)):
        raise BadArguments(f"Invalid arguments for {tool.name}: pageId: must be a number.")
    browser = None if "browserIndex" in own else given.pop("browserIndex", None)
    return _Route(page_id, browser)


def _failure(error: TabmuxError) -> Reply:
    text = f"Error [{error.code}]: {error.message}"
    return Reply(f"{text} {error.hint}" if error.hint else text, code=error.code)
