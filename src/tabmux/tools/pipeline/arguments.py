"""Arguments of a call: routing arguments are added and taken here, the others are checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabmux.content import ToolSpec
from tabmux.errors import BadArguments, Refused
from tabmux.page.element import Element
from tabmux.page.handle import PageHandle
from tabmux.policy.file_policy import FilePolicy
from tabmux.policy.policy import Policy
from tabmux.sessions.element_search import locate
from tabmux.sessions.locators import Locator
from tabmux.sessions.session import Session
from tabmux.tools.pipeline import access
from tabmux.tools.pipeline.call import Route, ToolRun

if TYPE_CHECKING:
    from tabmux.page.page import Page
    from tabmux.tools.pipeline.tool import Tool

_BROWSER = {
    "type": "string",
    "description": "Index of the browser to use (1-based), or its name. REQUIRED when multiple "
    "browsers are connected. Use list_browsers to see available browser indices.",
}


def listed(tool: Tool, policy: Policy, *, browser: bool) -> ToolSpec:
    """Describe a tool; `pageId`, which every tool on a page takes, is left to the instructions.

    Args:
        tool: The tool.
        policy: What agents may do; arguments that it forbids are left out.
        browser: Whether calls must name a browser.
    """
    properties = dict(access.arguments(policy, tool))
    if browser:
        properties.setdefault("browserIndex", _BROWSER)
    schema = {**tool.schema, "properties": properties}
    return ToolSpec(
        tool.name,
        tool.description,
        schema,
        tool.reads,
        tool.destroys,
        tool.repeatable,
        tool.output if tool.result is not None else None,
        lasts=tool.lasts,
    )


def checked(tool: Tool, given: Mapping[str, Any], session: Session) -> tuple[Route, dict[str, Any]]:
    """Return where a call goes and the values of its arguments; uids are elements by then."""
    own = dict(given)
    page_id, browser = _taken(tool, own)
    context = _SessionContext(session, page_id)
    values = tool.arguments(own, context)
    return Route(page_id, browser, tuple(context.pages)), values


def nested(
    tool: Tool, given: Mapping[str, Any], session: Session, page: Page
) -> tuple[Route, dict[str, Any]]:
    """Return the same for a call that another tool makes on the page it has."""
    context = _SessionContext(session, page.id)
    values = tool.arguments(given, context)
    return Route(page.id if tool.on_page else None, None, tuple(context.pages)), values


def refuse_one_file_for_all(run: ToolRun) -> None:
    """Refuse to write the answers of several browsers to one file."""
    if run.tool.reads and any(isinstance(value, Path) for value in run.arguments.values()):
        raise BadArguments(
            "This tag means several browsers, whose answers cannot all be in one file.",
            hint="Leave the file out, or name one browser.",
        )


async def locate_elements(run: ToolRun) -> None:
    """Put elements in the place of locators, in the page that the run has."""
    values = run.arguments.items()
    run.arguments = {name: await _located(run, value) for name, value in values}


async def _located(run: ToolRun, value: Any) -> Any:
    from pydantic import BaseModel  # came with the tool

    from tabmux.tools.pipeline.argument_types import Unlocated

    if isinstance(value, Unlocated) and run.page is not None:
        return await locate(run.session, run.page, value.locator)
    if isinstance(value, list | tuple):
        return [await _located(run, each) for each in value]
    if isinstance(value, BaseModel):
        fields = {name: await _located(run, each) for name, each in value}
        return value.model_copy(update=fields)
    return value


def _taken(tool: Tool, given: dict[str, Any]) -> tuple[int | None, int | str | None]:
    """Take the routing arguments out of what the caller gave."""
    own = tool.schema["properties"]
    page_id = given.pop("pageId", None) if tool.on_page and "pageId" not in own else None
    if isinstance(page_id, str) and page_id.isdecimal():
        page_id = int(page_id)
    if page_id is not None and (isinstance(page_id, bool) or not isinstance(page_id, int)):
        raise BadArguments(f"Invalid arguments for {tool.name}: pageId: must be a number.")
    browser = None if "browserIndex" in own else given.pop("browserIndex", None)
    if browser == "":
        browser = None
    if browser is not None and (isinstance(browser, bool) or not isinstance(browser, int | str)):
        raise BadArguments(
            f"Invalid arguments for {tool.name}: browserIndex: must be a number or a name."
        )
    return page_id, browser


@dataclass
class _SessionContext:
    """What arguments are checked against; notes the pages whose elements and workers they name."""

    session: Session
    page_id: int | None = None
    pages: list[PageHandle] = field(default_factory=list)

    def element(self, text: str) -> Element | Locator:
        if locator := Locator.read(text):
            return locator
        element = self.session.element(text)
        self.pages.append(element.page)
        return element

    def worker(self, name: str) -> str:
        self.pages += self.session.pages_of_worker(name, self.page_id)[:1]
        return name

    def url(self, url: str) -> str:
        # Which patterns count is known when the browser is; the page checks those.
        return self.session.policy.urls.check_form(url)

    def readable(self, path: str) -> Path:
        return self._files.readable(path)

    def writable(self, path: str) -> Path:
        return self._files.writable(path)

    def script(self, text: str) -> str:
        policy = self.session.policy
        if source := policy.sources.get("scripts"):
            raise Refused(f"Agents run no scripts of their own: {source.setter}.", rule=source)
        if not policy.scripts:
            raise Refused("tabmux was started so that agents can run no scripts of their own.")
        return text

    @property
    def _files(self) -> FilePolicy:
        return self.session.policy.files.joined(self.session.roots)
