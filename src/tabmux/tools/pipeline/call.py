"""Calls: what a client asked for, and one run of a tool that comes of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from tabmux.browsers.browser import Browser
from tabmux.browsers.registry import BrowserKey
from tabmux.content import CallingClient, Reply
from tabmux.page.handle import PageHandle
from tabmux.page.noted_element import NotedElement, TakenStep
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.record.call_entry import CallEntry
from tabmux.record.hidden_input import HiddenInput
from tabmux.record.redaction import WITHOUT_DIFF
from tabmux.secrets.secret import Secrets
from tabmux.secrets.usable_secrets import UsableSecrets
from tabmux.sessions.human_requests import HumanRequests
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.analysis_process import AnalysisProcess

# What makes tools brings pydantic along; a server imports both with the tools themselves.
if TYPE_CHECKING:
    from tabmux.page.page import Page
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
    people: HumanRequests
    secrets: Secrets = field(default_factory=Secrets)


@dataclass
class CallNotes:
    """What the steps of a call note for the record.

    Attributes:
        began: When it began, in seconds since 1970.
        elements: The elements that its arguments name.
        handle: The page that it was about.
        hidden: What of it is not written down.
        picture: The hash of the picture that was taken afterwards.
        said: The reply without what people have to say to the agent.
        reads: Whether its tool changes nothing.
        page: The page whose network and console are its doing, attached.
        before: The newest ids of that page's network and console when it began.
        is_personal: Whether what the page does meanwhile is a person's doing.
        taken: What it did to elements of the page by itself.
        steps: The calls that it made itself.
    """

    began: float = field(default_factory=time.time)
    elements: Sequence[NotedElement] = ()
    handle: PageHandle | None = None
    hidden: HiddenInput = field(default_factory=HiddenInput)
    picture: str = ""
    said: str = ""
    reads: bool = False
    page: Page | None = None
    before: tuple[int, int] = (0, 0)
    is_personal: bool = False
    taken: Sequence[TakenStep] = ()
    steps: list[CallEntry] = field(default_factory=list)


@dataclass(frozen=True)
class Call:
    """One `tools/call`, as the client sent it."""

    session: Session
    toolset: Toolset
    name: str
    given: Mapping[str, Any]
    client: CallingClient
    notes: CallNotes = field(default_factory=CallNotes)


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
        timeout: What ends the run when its time is over.
        waits_for: Whom it waits for, where that is a person: the text for the agent.
    """

    session: Session
    tool: Tool
    route: Route
    arguments: dict[str, Any]
    client: CallingClient
    caller: Caller
    secrets: UsableSecrets
    notes: CallNotes = field(default_factory=CallNotes)
    nested: bool = False
    browser: Browser | None = None
    handle: PageHandle | None = None
    page: Page | None = None
    acting: bool = field(default=False)
    timeout: asyncio.Timeout | None = None
    waits_for: str = ""

    @property
    def blocker(self) -> str:
        """Say that the run never got its turn, if so."""
        waiting = (self.handle is not None or self.tool.exclusive) and not self.acting
        where = "browser" if self.tool.exclusive else "page"
        return f" because another call on the {where} was still running" if waiting else ""

    def begin(self) -> None:
        """Note that the tool's own function begins; the calls of a batch are one action."""
        self.acting = True
        self.notes.is_personal = self.tool.name in WITHOUT_DIFF
        if self.page is None:
            return
        if not (self.tool.reads or self.nested):
            self.page.begin_action()
        if not self.nested and (self.tool.turn or not self.tool.reads):
            network, console = self.page.network.records, self.page.console.records
            self.notes.page, self.notes.before = self.page, (network.last_id, console.last_id)
        self.page.drawing.note_call()
        self.notes.hidden, self.notes.taken = self.page.hidden_input, self.page.taken_steps

    def abandon(self) -> None:
        """Free the page from what this run left going on in it."""
        if self.acting and self.page is not None:
            self.page.recover()
