"""Results: what tools return, as dataclasses.

Written by scripts/library.py from the tools themselves; do not edit.
"""

# fmt: off
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from tabmux.library.result_data import DataPart, ToolResult

__all__ = ["ToolResult"]


@dataclass(frozen=True, kw_only=True)
class TabEntry(DataPart):
    """A page in a list."""

    id: int
    title: str
    url: str
    selected: bool
    attached: bool
    isolated_context: str | None = None
    KEYS: ClassVar[Mapping[str, str]] = {
        "id": "id", "title": "title", "url": "url", "selected": "selected", "attached": "attached",
        "isolatedContext": "isolated_context",
    }


@dataclass(frozen=True, kw_only=True)
class TabList(ToolResult):
    """The pages that a session sees."""

    pages: tuple[TabEntry, ...] = ()
    others: int | None = None
    KEYS: ClassVar[Mapping[str, str]] = {"pages": "pages", "others": "others"}
    PARTS: ClassVar[Mapping[str, type[DataPart]]] = {"pages": TabEntry}


@dataclass(frozen=True, kw_only=True)
class LoggedMessage(DataPart):
    """A console message in a list."""

    id: int
    type: str
    text: str
    count: int
    worker: str | None = None
    KEYS: ClassVar[Mapping[str, str]] = {
        "id": "id", "type": "type", "text": "text", "count": "count", "worker": "worker",
    }


@dataclass(frozen=True, kw_only=True)
class ConsoleMessages(ToolResult):
    """Console messages."""

    total: int | None = None
    page_idx: int | None = None
    page_count: int | None = None
    messages: tuple[LoggedMessage, ...] = ()
    KEYS: ClassVar[Mapping[str, str]] = {
        "total": "total", "pageIdx": "page_idx", "pageCount": "page_count", "messages": "messages",
    }
    PARTS: ClassVar[Mapping[str, type[DataPart]]] = {"messages": LoggedMessage}


@dataclass(frozen=True, kw_only=True)
class RequestSummary(DataPart):
    """A network request in a list."""

    id: int
    method: str
    url: str
    type: str
    status: int | None = None
    failure: str | None = None
    milliseconds: float | None = None
    bytes: int | None = None
    KEYS: ClassVar[Mapping[str, str]] = {
        "id": "id", "method": "method", "url": "url", "type": "type", "status": "status",
        "failure": "failure", "milliseconds": "milliseconds", "bytes": "bytes",
    }


@dataclass(frozen=True, kw_only=True)
class NetworkRequests(ToolResult):
    """Network requests."""

    total: int | None = None
    page_idx: int | None = None
    page_count: int | None = None
    requests: tuple[RequestSummary, ...] = ()
    KEYS: ClassVar[Mapping[str, str]] = {
        "total": "total", "pageIdx": "page_idx", "pageCount": "page_count", "requests": "requests",
    }
    PARTS: ClassVar[Mapping[str, type[DataPart]]] = {"requests": RequestSummary}


@dataclass(frozen=True, kw_only=True)
class PageSnapshot(ToolResult):
    """A snapshot, or the file that it was saved to."""

    snapshot: str | None = None
    file_path: str | None = None
    KEYS: ClassVar[Mapping[str, str]] = {"snapshot": "snapshot", "filePath": "file_path"}


@dataclass(frozen=True, kw_only=True)
class PageDialog(DataPart):
    """A dialog that is open."""

    kind: str
    message: str
    KEYS: ClassVar[Mapping[str, str]] = {"kind": "kind", "message": "message"}


@dataclass(frozen=True, kw_only=True)
class Change(ToolResult):
    """What a page made of an action."""

    page_closed: bool = False
    navigated: str | None = None
    load_failure: str | None = None
    opened: tuple[TabEntry, ...] = ()
    dialog: PageDialog | None = None
    diff: str = ""
    snapshot: str | None = None
    still_changing: tuple[str, ...] = ()
    KEYS: ClassVar[Mapping[str, str]] = {
        "pageClosed": "page_closed", "navigatedTo": "navigated", "loadFailure": "load_failure",
        "openedPages": "opened", "dialog": "dialog", "changes": "diff", "snapshot": "snapshot",
        "stillChanging": "still_changing",
    }
    PARTS: ClassVar[Mapping[str, type[DataPart]]] = {"opened": TabEntry, "dialog": PageDialog}


@dataclass(frozen=True, kw_only=True)
class ScriptResult(Change):
    """What a script returned, or the file that it was saved to."""

    result: Any = None
    file_path: str | None = None
    KEYS: ClassVar[Mapping[str, str]] = {
        "pageClosed": "page_closed", "navigatedTo": "navigated", "loadFailure": "load_failure",
        "openedPages": "opened", "dialog": "dialog", "changes": "diff", "snapshot": "snapshot",
        "stillChanging": "still_changing", "result": "result", "filePath": "file_path",
    }
    PARTS: ClassVar[Mapping[str, type[DataPart]]] = {"opened": TabEntry, "dialog": PageDialog}


@dataclass(frozen=True, kw_only=True)
class CookieSummary(DataPart):
    """A cookie, without its value."""

    name: str
    domain: str
    path: str
    expires: float | None = None
    http_only: bool
    secure: bool
    same_site: str
    KEYS: ClassVar[Mapping[str, str]] = {
        "name": "name", "domain": "domain", "path": "path", "expires": "expires",
        "httpOnly": "http_only", "secure": "secure", "sameSite": "same_site",
    }


@dataclass(frozen=True, kw_only=True)
class CookieList(ToolResult):
    """Cookies."""

    cookies: tuple[CookieSummary, ...] = ()
    KEYS: ClassVar[Mapping[str, str]] = {"cookies": "cookies"}
    PARTS: ClassVar[Mapping[str, type[DataPart]]] = {"cookies": CookieSummary}


@dataclass(frozen=True, kw_only=True)
class PageToolSummary(DataPart):
    """A tool of the page."""

    name: str
    description: str
    destroys: bool
    arguments: Mapping[str, Any]
    KEYS: ClassVar[Mapping[str, str]] = {
        "name": "name", "description": "description", "destroys": "destroys",
        "arguments": "arguments",
    }


@dataclass(frozen=True, kw_only=True)
class PageToolList(ToolResult):
    """The tools of the page."""

    tools: tuple[PageToolSummary, ...] = ()
    KEYS: ClassVar[Mapping[str, str]] = {"tools": "tools"}
    PARTS: ClassVar[Mapping[str, type[DataPart]]] = {"tools": PageToolSummary}


@dataclass(frozen=True, kw_only=True)
class HumanOutcome(ToolResult):
    """What became of a request to a person."""

    state: Literal["done", "waiting"] | None = None
    handle: str | None = None
    KEYS: ClassVar[Mapping[str, str]] = {"state": "state", "handle": "handle"}
