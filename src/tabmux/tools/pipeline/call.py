"""Calls: what a client asked for, and one run of a tool that comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from tabmux.browsers.browser import Browser
from tabmux.browsers.registry import BrowserKey
from tabmux.content import CallingClient, Reply
from tabmux.page.handle import PageHandle
from tabmux.page.page import Page
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.secrets.secret import Secrets
from tabmux.secrets.usable_secrets import UsableSecrets
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.analysis_process import AnalysisProcess

# What makes tools brings pydantic along; a server imports both with the tools themselves.
if TYPE_CHECKING:
    from tabmux.tools.pipeline.tool import Tool
    from tabmux.tools.pipeline.toolset import Toolset


class Caller(Protocol):
    """Calls other tools on the page that a tool has its turn on."""

    async def call(self, page: Page, name: str, given: Mapping[str, Any]) -> Reply:
        """Run a tool; failures are replies."""

    def takes(self, name: str, argument: str) -> bool:
        """Whether a tool knows an argument."""


@dataclass(frozen=True)
class Services:
    """What all calls share, and tools can be given by type."""

    analysis: AnalysisProcess
    page_catalogs: PageCatalogs
    secrets: Secrets = field(default_factory=Secrets)


@dataclass(frozen=True)
class Call:
    """One `tools/call`, as the client sent it."""

    session: Session
    toolset: Toolset
    name: str
    given: Mapping[str, Any]
    client: CallingClient


@dataclass(frozen=True)
class Route:
    """What a call says of where it goes: routing arguments, and the pages of its elements."""

    page_id: int | None = None
    browser: BrowserKey | None = None
    pages: tuple[PageHandle, ...] = ()


@dataclass
class ToolRun:
    """One run of a tool: its checked arguments, and what the steps find out on the way.

    Attributes:
        nested: Whether another tool, which has the page's lock already, makes the call.
        browser: The browser that the run concerns, once it is known.
        handle: The page that the run concerns, once it is known.
        page: The same, once it is attached.
        acting: Whether the tool's own function has begun.
    """

    session: Session
    tool: Tool
    route: Route
    arguments: dict[str, Any]
    client: CallingClient
    caller: Caller
    secrets: UsableSecrets
    nested: bool = False
    browser: Browser | None = None
    handle: PageHandle | None = None
    page: Page | None = None
    acting: bool = field(default=False)

    @property
    def blocker(self) -> str:
        """Say that the run never got its turn, if so."""
        waiting = (self.handle is not None or self.tool.exclusive) and not self.acting
        where = "browser" if self.tool.exclusive else "page"
        return f" because another call on the {where} was still running" if waiting else ""

    def begin(self) -> None:
        """Note that the tool's own function begins; the calls of a batch are one action."""
        self.acting = True
        if self.page is not None and not (self.tool.reads or self.nested):
            self.page.begin_action()

    def abandon(self) -> None:
        """Free the page from what this run left going on in it."""
        if self.acting and self.page is not None:
            self.page.recover()
