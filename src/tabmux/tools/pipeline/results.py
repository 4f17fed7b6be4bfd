"""Results: what tools answer as data, for clients that ask for it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

# A page may make a URL of megabytes.
LONGEST_URL = 2_000


class Result(BaseModel):
    """What a tool found out or did; what is not known is left out."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    def data(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return self.model_dump(by_alias=True, exclude_none=True)


class PageEntry(Result):
    """A page in a list."""

    id: int
    title: str
    url: str
    selected: bool
    attached: bool
    isolated_context: str | None = None


class PageListResult(Result):
    """The pages that a session sees."""

    pages: list[PageEntry] | None = None
    others: int | None = None


class ListPlace(Result):
    """Which part of a list is shown."""

    total: int | None = None
    page_idx: int | None = None
    page_count: int | None = None


class ConsoleEntry(Result):
    """A console message in a list."""

    id: int
    type: str
    text: str
    count: int
    worker: str | None = None


class ConsoleResult(ListPlace):
    """Console messages."""

    messages: list[ConsoleEntry] | None = None


class RequestEntry(Result):
    """A network request in a list."""

    id: int
    method: str
    url: str
    type: str
    status: int | None = None
    failure: str | None = None
    milliseconds: float | None = None
    bytes: int | None = None


class RequestsResult(ListPlace):
    """Network requests."""

    requests: list[RequestEntry] | None = None


class SnapshotResult(Result):
    """A snapshot, or the file that it was saved to."""

    snapshot: str | None = None
    file_path: str | None = None


class DialogEntry(Result):
    """A dialog that is open."""

    kind: str
    message: str


class ActionResult(Result):
    """What a page made of an action."""

    page_closed: bool | None = None
    navigated_to: str | None = None
    load_failure: str | None = None
    opened_pages: list[PageEntry] | None = None
    dialog: DialogEntry | None = None
    changes: str | None = None
    snapshot: str | None = None
    still_changing: list[str] | None = None


class EvaluationResult(ActionResult):
    """What a script returned, or the file that it was saved to."""

    result: Any = Field(None, description="The value; null for undefined, a text for NaN.")
    file_path: str | None = None


class CookieEntry(Result):
    """A cookie, without its value."""

    name: str
    domain: str
    path: str
    expires: float | None = Field(None, description="Seconds since 1970.")
    http_only: bool
    secure: bool
    same_site: str


class CookiesResult(Result):
    """Cookies."""

    cookies: list[CookieEntry] | None = None


class PageToolEntry(Result):
    """A tool of the page."""

    name: str
    description: str
    destroys: bool
    arguments: dict[str, Any] = Field(description="The schema of its arguments.")


class PageToolsResult(Result):
    """The tools of the page."""

    tools: list[PageToolEntry] | None = None


class HumanResult(Result):
    """What became of a request to a person."""

    state: Literal["done", "waiting"] | None = None
    handle: str | None = None
