"""Content: replies of tools and their wording, tools as clients see them, and questions to them."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tabmux.errors import TabmuxError

# Stand around text that a page wrote until the reply is delivered. No page can know them.
_SECRET = os.urandom(8).hex()
OPEN, CLOSE = f"\x02{_SECRET}", f"\x03{_SECRET}"

# A JSON object that is made only where somebody wants it.
Data = Callable[[], dict[str, Any]]


def quoted(text: str) -> str:
    """Mark text that a page wrote, so that the agent can tell it from what tabmux says."""
    for mark in (OPEN, CLOSE):
        # No reader sees its first letter, which is found ten times as fast as the whole mark.
        if mark[0] in text:
            text = text.replace(mark, "").replace(mark[0], "")
    return f"{OPEN}{text}{CLOSE}" if text else ""


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a number of things."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


@dataclass(frozen=True)
class Image:
    """An encoded picture; `data` is base64 as Chrome delivers it."""

    data: str
    mime: str


@dataclass
class Reply:
    """The answer to one tool call.

    `text` is for the agent. `code` is set when the call failed. `question` is set when it only
    wants a confirmation, which the user could be asked for. `is_ours` says of a tool that reads
    pages that this time nothing in the text is a page's word. `data` says the same as the text
    to programs. `hint` is the end of a failure's text, which says what to do next. `changes` is
    what became another in the page, as the text says.
    """

    text: str = ""
    images: list[Image] = field(default_factory=list)
    code: str | None = None
    # Further content blocks, in MCP's own words.
    attachments: list[dict[str, Any]] = field(default_factory=list)
    question: str = ""
    is_ours: bool = False
    data: Data | None = None
    changes: str = ""
    hint: str = ""

    @classmethod
    def lines(cls, lines: Iterable[str], empty: str = "") -> Reply:
        """Make a reply of one line each, or of `empty` when there are none."""
        return cls("\n".join(lines) or empty)

    @classmethod
    def failure(cls, error: TabmuxError) -> Reply:
        """Make the reply that reports an error."""
        return cls(error.labelled, code=error.code, hint=error.hint)

    @property
    def failed(self) -> bool:
        """Whether this reply reports a failure."""
        return self.code is not None

    def add(self, text: str) -> Reply:
        """Append a paragraph of text, and return the reply itself."""
        if text:
            self.text = f"{self.text}\n{text}" if self.text else text
        return self

    def quote(self, text: str) -> Reply:
        """Append a paragraph that a page wrote, and return the reply itself."""
        return self.add(quoted(text))


class QuestionPending(Exception):
    """A call that goes on when its client sends it again, with an answer."""


class Progress(Protocol):
    """Tells whoever waits for a call how far it has come."""

    def __call__(self, done: float, total: float | None, message: str, /) -> Awaitable[None]:
        """Report a step; each must be further than the one before."""


class CallingClient(Protocol):
    """The client of one call: what a tool may tell it, and what it may be asked.

    Attributes:
        has_begun: Whether the action that it asks for has been noted as begun.
    """

    has_begun: bool

    @property
    def is_patient(self) -> bool:
        """Whether it waits as long as the call takes, and not for a minute or so."""

    @property
    def traceparent(self) -> str:
        """What the client says the call is a part of, as W3C's Trace Context writes it."""

    @property
    def request_key(self) -> str:
        """What no other request has, in this server or the next; empty where that is unknown."""

    async def progress(self, done: float, total: float | None, message: str, /) -> None:
        """Report how far the call has come."""

    async def confirm(self, question: str, *, about: str = "confirm") -> bool | None:
        """Ask the user; None if the client cannot. `about` tells questions of one call apart."""

    async def roots(self) -> Sequence[str]:
        """Return the URIs of the folders that the client works in."""


class SilentClient:
    """A client that is told nothing and can be asked nothing."""

    is_patient = has_begun = False
    traceparent = request_key = ""

    async def progress(self, done: float, total: float | None, message: str, /) -> None:
        """Report to nobody."""

    async def confirm(self, question: str, *, about: str = "confirm") -> bool | None:
        """Leave the question open."""
        return None

    async def roots(self) -> Sequence[str]:
        """Know of no folder."""
        return ()


@dataclass(frozen=True)
class ToolSpec:
    """A tool as a client sees it."""

    name: str
    description: str
    schema: dict[str, Any]
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False
    # The schema of the data in its replies.
    output: Data | None = None
    # Whether it may take longer than clients wait for a call.
    lasts: bool = False
    # Whether clients get the schema as it is, also with keywords that some of them refuse.
    exact: bool = False
