"""The pipeline: from a name and arguments to a reply, with everything a tool need not know."""

from __future__ import annotations

import asyncio
import difflib
import json
import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tabmux.browsers.registry import Browsers
from tabmux.content import Progress, Reply, ToolSpec, untold
from tabmux.errors import DeadlineExceeded, Refused, TabmuxError, UnknownTool
from tabmux.page.element import Element
from tabmux.page.page import Page
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.policy import FilePolicy, Policy
from tabmux.sessions.session import Session
from tabmux.tools.pipeline import access, catalog
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.delivery import delivered
from tabmux.tools.pipeline.routing import Kit, Route, Run, take_route
from tabmux.tools.pipeline.tool import Tool

logger = logging.getLogger(__name__)

# A call that names its own timeout gets a little more, to report what happened.
GRACE_SECONDS = 5.0
# Arguments that may hold a password.
_TYPED = frozenset({"value", "text", "promptText"})
# Tools whose arguments are the page's own business, and may hold anything.
_OPAQUE = frozenset({"call_page_tool", "execute_webmcp_tool", "execute_3p_developer_tool"})
_PAGE_ID = {"type": "integer"}
_BROWSER = {"description": "Index or name, see list_browsers."}


@dataclass
class _Context:
    """What arguments are checked against; notes the pages whose elements and workers they name."""

    session: Session
    policy: Policy
    page_id: int | None = None
    pages: list[Page] = field(default_factory=list)

    def element(self, uid: str) -> Element:
        element = self.session.element(uid)
        self.pages.append(element.page)
        return element

    def worker(self, name: str) -> str:
        self.pages += self.session.pages_of_worker(name, self.page_id)[:1]
        return name

    def url(self, url: str) -> str:
        # Which patterns count is known when the browser is; the page checks those.
        return self.policy.urls.check_form(url)

    def readable(self, path: str) -> Path:
        return self._files.readable(path)

    def writable(self, path: str) -> Path:
        return self._files.writable(path)

    def script(self, text: str) -> str:
        if not self.policy.scripts:
            raise Refused("tabmux was started so that agents can run no scripts of their own.")
        return text

    @property
    def _files(self) -> FilePolicy:
        return self.policy.files.joined(self.session.roots)


class Pipeline:
    """The tools that are switched on, and how they are called.

    Args:
        tools: Every tool, in the order they are listed.
        browsers: The registry.
        policy: What agents may do.
        worker: Where files are analysed.
        shelf: What pages offer.
        routed: Whether tools take a pageId.
    """

    def __init__(
        self,
        tools: Iterable[Tool],
        browsers: Browsers,
        policy: Policy,
        worker: AnalysisProcess,
        shelf: PageCatalogs | None = None,
        *,
        routed: bool = True,
    ) -> None:
        self._refusals: dict[str, Refused] = {}
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if (refusal := access.refusal(policy, tool)) is not None:
                self._refusals[tool.name] = refusal
            else:
                self._tools[tool.name] = tool
        self._browsers, self._policy, self._routed = browsers, policy, routed
        self._kit = Kit(browsers, worker, shelf or PageCatalogs(), policy.headers)
        # Groups that sessions have switched on for themselves.
        self._groups: dict[str, dict[str, Tool]] = {}

    def specs(self, session: Session | None = None) -> list[ToolSpec]:
        """Describe the tools; routing arguments appear only where they can matter."""
        return [self._spec(tool) for tool in self._known(session).values()]

    async def call(
        self,
        session: Session,
        name: str,
        given: Mapping[str, Any],
        progress: Progress = untold,
    ) -> Reply:
        """Run a tool for a session. Only cancellation leaves as an exception."""
        return await delivered(await self._answer(session, name, given, progress), self._policy)

    async def _answer(
        self, session: Session, name: str, given: Mapping[str, Any], progress: Progress
    ) -> Reply:
        logger.info("%s request: %s", name, "…" if name in _OPAQUE else _Shown(given))
        try:
            with session.calling():
                return await self._call(session, self._find(name, session), dict(given), progress)
        except TabmuxError as error:
            return _failure(error)
        except Exception:  # the tool pipeline is a rim
            logger.exception("%s failed", name)
            text = f"Error [internal]: {name} failed inside tabmux; its log says why."
            return Reply(text, code="internal")

    def _known(self, session: Session | None) -> dict[str, Tool]:
        """Return the tools of a session: everyone's, and those it has switched on."""
        known = self._tools
        for group in session.groups if session is not None else ():
            if group not in self._groups:
                allowed = (t for t in catalog.tools([group]) if not access.refusal(self._policy, t))
                self._groups[group] = {tool.name: tool for tool in allowed}
            known = known | self._groups[group]
        return known

    def _find(self, name: str, session: Session) -> Tool:
        known = self._known(session)
        if tool := known.get(name):
            return tool
        if refusal := self._refusals.get(name):
            raise refusal
        close = difflib.get_close_matches(name, known, 1)
        hint = f"Did you mean {close[0]}?" if close else "See tools/list."
        raise UnknownTool(f"There is no tool {name}.", hint=hint)

    async def _call(
        self, session: Session, tool: Tool, given: dict[str, Any], progress: Progress
    ) -> Reply:
        route = take_route(tool, given)
        context = _Context(session, self._policy, route.page_id)
        arguments = tool.arguments(given, context)
        route = replace(route, pages=context.pages)
        tagged = self._browsers.tagged(route.browser) if tool.each else []
        if not tagged:
            return await self._bounded(session, tool, route, arguments, progress=progress)
        reply = Reply()
        for browser in tagged:
            there = replace(route, browser=browser.index)
            answer = await self._attempt(session, tool, there, arguments)
            reply.add(f"[{browser.index}] {browser.name or browser.spec.label}").add(answer.text)
            reply.images += answer.images
            reply.code = reply.code or answer.code
        return reply

    def names_files(self, session: Session, name: str, given: Mapping[str, Any]) -> bool:
        """Whether a call names a file, itself or in one of its steps."""
        tool, steps = self._known(session).get(name), given.get("steps")
        if tool is None or not isinstance(steps, list):
            return tool is not None and not tool.file_arguments.isdisjoint(given)
        inner = [
            (step.get("tool"), step.get("arguments")) for step in steps if isinstance(step, dict)
        ]
        return any(
            isinstance(inside, str)
            and isinstance(arguments, dict)
            and self.names_files(session, inside, arguments)
            for inside, arguments in inner
        )

    def takes(self, name: str, argument: str) -> bool:
        """Whether a tool knows an argument."""
        tool = self._tools.get(name)
        return tool is not None and argument in tool.schema["properties"]

    async def call_inside(
        self, session: Session, page: Page, name: str, given: Mapping[str, Any]
    ) -> Reply:
        """Run a tool for another one that has its turn on the page."""
        try:
            tool = self._find(name, session)
            context = _Context(session, self._policy, page.id)
            arguments = tool.arguments(given, context)
            route = Route(page.id if tool.on_page else None, None, context.pages)
            return await self._bounded(session, tool, route, arguments, inside=True)
        except TabmuxError as error:
            return Reply(f"{error.message} {error.hint}".strip(), code=error.code)

    async def _attempt(
        self, session: Session, tool: Tool, route: Route, arguments: dict[str, Any]
    ) -> Reply:
        try:
            return await self._bounded(session, tool, route, arguments)
        except TabmuxError as error:
            return _failure(error)

    async def _bounded(
        self,
        session: Session,
        tool: Tool,
        route: Route,
        arguments: dict[str, Any],
        *,
        inside: bool = False,
        progress: Progress = untold,
    ) -> Reply:
        """Run the tool within its time; a page that it leaves stuck is freed."""
        seconds = tool.seconds
        if isinstance(timeout := arguments.get("timeout"), int) and timeout > 0:
            seconds = max(seconds, timeout / 1000 + GRACE_SECONDS)
        run = Run(self._kit, session, tool, route, _Inner(self), inside=inside, progress=progress)
        started, failed = time.monotonic(), True
        try:
            async with asyncio.timeout(seconds):
                reply = await run(arguments)
            failed = False
        except TimeoutError as error:
            run.abandon()
            raise DeadlineExceeded(
                f"{tool.name} did not finish within {seconds:g} s{run.blocker}.",
                hint="The page was freed; take a snapshot to see where it stands.",
            ) from error
        except asyncio.CancelledError:
            run.abandon()
            raise
        finally:
            if run.browser is not None:
                run.browser.count(time.monotonic() - started, failed=failed)
        return reply

    def _spec(self, tool: Tool) -> ToolSpec:
        properties = dict(access.arguments(self._policy, tool))
        if tool.on_page and self._routed:
            properties.setdefault("pageId", _PAGE_ID)
        if self._browsers.has_multiple:
            properties.setdefault("browserIndex", _BROWSER)
        schema = {**tool.schema, "properties": properties}
        return ToolSpec(
            tool.name, tool.description, schema, tool.reads, tool.destroys, tool.repeatable
        )


class _Inner:
    """The toolbox as a tool sees it that calls others."""

    def __init__(self, toolbox: Pipeline) -> None:
        self.takes, self.call = toolbox.takes, toolbox.call_inside


class _Shown:
    """Arguments as the log may show them: what is typed into pages stays out of it."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given

    def __str__(self) -> str:
        return json.dumps(_masked(self._given), default=str, ensure_ascii=False)


def _masked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: "…" if k in _TYPED else _masked(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_masked(each) for each in value]
    return value


def _failure(error: TabmuxError) -> Reply:
    text = f"Error [{error.code}]: {error.message}"
    return Reply(f"{text} {error.hint}" if error.hint else text, code=error.code)
