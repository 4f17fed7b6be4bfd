"""Interception tools: requests blocked, answered, changed or held up by rules."""

from __future__ import annotations

import mimetypes
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from tabmux.content import Reply
from tabmux.errors import BadArguments, Misuse
from tabmux.json_text import decoded
from tabmux.page.network.interception import InterceptionRule, RequestDecision, answering
from tabmux.page.page import Page
from tabmux.tools.pipeline.argument_types import InputFile, TextMap, Url
from tabmux.tools.pipeline.file_access import load
from tabmux.tools.pipeline.tool import tool

Action = Literal["block", "fulfill", "modify", "delay"]
ResourceType = Literal[
    "document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch",
    "prefetch", "eventsource", "manifest", "signedexchange", "ping", "cspviolationreport",
    "preflight", "other",
]  # fmt: skip
_REASONS = {
    "failed": "Failed", "aborted": "Aborted", "timedout": "TimedOut",
    "accessdenied": "AccessDenied", "connectionclosed": "ConnectionClosed",
    "connectionreset": "ConnectionReset", "connectionrefused": "ConnectionRefused",
    "namenotresolved": "NameNotResolved", "internetdisconnected": "InternetDisconnected",
    "blockedbyclient": "BlockedByClient",
}  # fmt: skip
Reason = Literal[
    "failed", "aborted", "timedout", "accessdenied", "connectionclosed", "connectionreset",
    "connectionrefused", "namenotresolved", "internetdisconnected", "blockedbyclient",
]  # fmt: skip
Status = Annotated[int, Field(ge=100, le=599)]
Count = Annotated[int, Field(ge=0)]
MOST_DELAY = 60_000


@tool(scripts=True)
async def route_requests(
    page: Page,
    action: Action,
    url: str = "*",
    resource_types: Sequence[ResourceType] = (),
    status: Status = 200,
    headers: TextMap | None = None,
    body: str | None = None,
    body_file: InputFile | None = None,
    new_url: Url | None = None,
    method: str | None = None,
    post_data: str | None = None,
    delay: Annotated[int, Field(ge=0, le=MOST_DELAY)] = 0,
    reason: Reason = "blockedbyclient",
    times: Count = 0,
) -> Reply:
    """Block, answer, change or delay requests of a page from now on; the newest rule decides.

    Args:
        action: What to do with them.
        url: Pattern with *, or a /regular expression/.
        resource_types: Only these; all when empty.
        status: For fulfill.
        headers: JSON object of the answer (fulfill), or for the request (modify; empty removes).
        body: For fulfill.
        body_file: For fulfill, instead of body.
        new_url: For modify.
        method: For modify.
        post_data: For modify.
        delay: Milliseconds; with any action.
        reason: How block fails.
        times: How often; 0 for always.
    """
    given = {"body": body, "bodyFile": body_file, "newUrl": new_url, "method": method,
             "postData": post_data, "headers": headers}  # fmt: skip
    _refuse_strays(action, given, delay)
    if action == "block":
        decision = RequestDecision(error=_REASONS[reason])
    elif action == "fulfill":
        decision = await _answer(status, headers or {}, body, body_file)
    else:
        decision = RequestDecision(changes=_changes(new_url, method, post_data))
    rule = InterceptionRule(
        url,
        action,
        RequestDecision(decision.error, decision.answer, decision.changes, delay / 1000),
        frozenset(resource_types),
        (headers or {}) if action == "modify" else {},
        times,
    )
    await page.interception.add(rule)
    return Reply(f"Added rule {rule.id}.")


@tool(reads=True, turn=False, over_dialog=True)
async def list_routes(page: Page) -> Reply:
    """List the rules of route_requests that are in force, newest first."""
    return Reply.lines((rule.line for rule in page.interception.rules), "There are no rules.")


@tool(repeatable=True)
async def unroute_requests(page: Page, ids: Sequence[int] = ()) -> Reply:
    """Remove rules of route_requests; all of them when none is named.

    Args:
        ids: Ids from list_routes.
    """
    known = {rule.id for rule in page.interception.rules}
    if unknown := set(ids) - known:
        raise Misuse(
            f"There is no rule {', '.join(map(str, sorted(unknown)))}.",
            hint="Call list_routes to see which there are.",
            code="no_such_rule",
        )
    count = await page.interception.remove(ids)
    return Reply(f"Removed {count} rule{'' if count == 1 else 's'}.")


_BELONGS = {
    "block": frozenset[str](),
    "delay": frozenset[str](),
    "fulfill": frozenset({"body", "bodyFile", "headers"}),
    "modify": frozenset({"newUrl", "method", "postData", "headers"}),
}


def _refuse_strays(action: Action, given: Mapping[str, Any], delay: int) -> None:
    named = {name for name, value in given.items() if value is not None}
    if strays := named - _BELONGS[action]:
        raise BadArguments(f"{', '.join(sorted(strays))} does not go with {action}.")
    if action == "modify" and not named:
        raise BadArguments("Say what to modify.", hint="Give newUrl, method, postData or headers.")
    if action == "delay" and not delay:
        raise BadArguments("Say how long to delay.", hint="Give delay in milliseconds.")


async def _answer(
    status: int, headers: Mapping[str, str], body: str | None, file: InputFile | None
) -> RequestDecision:
    if body is not None and file is not None:
        raise BadArguments("Give body or bodyFile, not both.")
    if file is not None:
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        return answering(status, headers, await load(file), kind)
    return answering(status, headers, (body or "").encode(), _kind(body or ""))


def _kind(body: str) -> str:
    """Guess what a body is, for callers who do not say."""
    try:
        decoded(body)
    except ValueError:
        return "text/html" if body.lstrip().startswith("<") else "text/plain"
    return "application/json"


def _changes(url: str | None, method: str | None, post_data: str | None) -> dict[str, Any]:
    data = None if post_data is None else b64encode(post_data.encode()).decode()
    changes = {"url": url, "method": method, "postData": data}
    return {name: value for name, value in changes.items() if value is not None}
