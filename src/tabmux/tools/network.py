"""The requests of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from tabmux.content import Reply
from tabmux.errors import BadArguments, Misuse
from tabmux.page.network import Request
from tabmux.page.page import Page
from tabmux.policy import redacted
from tabmux.tools.files import save, with_suffix
from tabmux.tools.paging import PageIndex, PageSize, paged
from tabmux.tools.tool import tool
from tabmux.tools.types import OutputFile

ResourceType = Literal[
    "document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch",
    "prefetch", "eventsource", "websocket", "manifest", "signedexchange", "ping",
    "cspviolationreport", "preflight", "fedcm", "other",
]  # fmt: skip
BODY_LIMIT = 10_000


@tool(reads=True, turn=False, over_dialog=True)
async def list_network_requests(
    page: Page,
    resource_types: Sequence[ResourceType] = (),
    page_size: PageSize | None = None,
    page_idx: PageIndex = 0,
    include_preserved_requests: bool = False,
) -> Reply:
    """List the requests of the page since it last navigated, with status, time and size.

    Args:
        resource_types:
        page_size:
        page_idx:
        include_preserved_requests: Also of the last two navigations.
    """
    kept = page.network.history.items(preserved=include_preserved_requests)
    found = [r for r in kept if not resource_types or r.type.lower() in resource_types]
    lines = [request.line for request in found]
    reply = paged("## Network requests", lines, page_size, page_idx, empty="No requests found.")
    if dropped := page.network.history.dropped:
        reply.add(f"({dropped} older ones were dropped)")
    return reply


@tool(reads=True, turn=False, over_dialog=True)
async def get_network_request(
    page: Page,
    reqid: int | None = None,
    request_file_path: OutputFile | None = None,
    response_file_path: OutputFile | None = None,
) -> Reply:
    """Show one request whole: headers, bodies, timing, redirects, WebSocket messages.

    Args:
        reqid:
        request_file_path: Write the body that was sent to this file.
        response_file_path: Write the body that came back to this file.
    """
    if reqid is None:
        raise BadArguments("Say which request.", hint="Give a reqid of list_network_requests.")
    request = page.network.find(reqid)
    if request is None:
        raise Misuse(
            f"There is no request {reqid}.",
            hint="Call list_network_requests to see which there are.",
            code="no_such_request",
        )
    reply = Reply(f"## Request {request.url}").add("\n".join(_facts(request)))
    reply.add("### Request headers").add(_headers(request.request_headers))
    await _body(reply, "Request", await page.network.request_body(request), request_file_path)
    if request.response_headers:
        reply.add("### Response headers").add(_headers(request.response_headers))
    if request.type == "WebSocket":
        return reply.add("### Messages").add(_messages(request))
    if request.ended is not None and not request.failure:
        body = await page.network.response_body(request)
        await _body(reply, "Response", body, response_file_path, known=True)
    if request.redirected_from is not None:
        reply.add("### Redirect chain").add("\n".join(_chain(request)))
    return reply


def _facts(request: Request) -> list[str]:
    facts = [f"{request.method}, status {request.outcome}, type {request.type.lower()}"]
    if request.milliseconds is not None:
        facts.append(f"took {request.milliseconds:.0f} ms")
    if request.mime:
        facts.append(f"content type {request.mime}")
    if request.initiator:
        facts.append(f"initiated by {request.initiator}")
    return facts


def _headers(headers: Mapping[str, Any]) -> str:
    return "\n".join(f"- {name}: {redacted(name, str(text))}" for name, text in headers.items())


async def _body(
    reply: Reply, what: str, body: bytes | None, path: OutputFile | None, *, known: bool = False
) -> None:
    if body is None and not known:
        return
    reply.add(f"### {what} body")
    if body is None:
        reply.add("<not available any more>")
    elif path is not None:
        saved = await save(with_suffix(path, f".network-{what.lower()}"), body)
        reply.add(f"Saved to {saved}.")
    else:
        reply.add(_text(body))


def _text(body: bytes) -> str:
    if not body:
        return "<empty>"
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return f"<{len(body)} bytes of binary data; give a file path to save them>"
    if len(text) <= BODY_LIMIT:
        return text
    return f"{text[:BODY_LIMIT]}… <{len(text) - BODY_LIMIT} more characters>"


def _messages(request: Request) -> str:
    lines = [f"{'→' if frame.sent else '←'} {frame.text}" for frame in request.frames]
    if request.frames_dropped:
        lines.insert(0, f"({request.frames_dropped} older ones were dropped)")
    return "\n".join(lines) or "none yet"


def _chain(request: Request) -> list[str]:
    lines, before = [], request.redirected_from
    while before is not None:
        lines.append(before.line)
        before = before.redirected_from
    return lines
