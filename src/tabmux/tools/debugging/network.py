"""Network tools: the requests of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from tabmux.content import Reply
from tabmux.errors import BadArguments, Misuse
from tabmux.page.network.network_request import Request
from tabmux.page.page import Page
from tabmux.page_text import address
from tabmux.policy.header_redaction import Redaction
from tabmux.tools.debugging.paging import PageIndex, PageSize, paged
from tabmux.tools.pipeline.argument_types import AS_TEXT, OutputFile
from tabmux.tools.pipeline.file_access import save, with_suffix
from tabmux.tools.pipeline.results import LONGEST_URL, RequestEntry, RequestsResult
from tabmux.tools.pipeline.text_patterns import url_matcher
from tabmux.tools.pipeline.tool import tool

ResourceType = Literal[
    "document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch",
    "prefetch", "eventsource", "websocket", "manifest", "signedexchange", "ping",
    "cspviolationreport", "preflight", "fedcm", "other",
]  # fmt: skip
STATUS = "^([1-5](xx|[0-9]{2})|failed|pending)?$"
BODY_LIMIT = 10_000
# Long enough for any query; nobody reads on.
URL_SHOWN = 2000


@tool(reads=True, turn=False, over_dialog=True, result=RequestsResult)
async def list_network_requests(
    page: Page,
    resource_types: Sequence[Annotated[ResourceType, AS_TEXT]] = (),
    page_size: PageSize | None = None,
    page_idx: PageIndex = 0,
    include_preserved_requests: bool = False,
    url: str = "",
    method: str = "",
    status: Annotated[str, Field(pattern=STATUS)] = "",
    since_last_action: bool = False,
) -> Reply:
    """List requests since the last navigation: status, time, size.

    Args:
        resource_types: Only these: document, xhr, fetch, script, image and so on.
        page_size: Requests a page.
        page_idx: Page, from 0.
        include_preserved_requests: Also of the last two navigations.
        url: Part of the URL, pattern with *, or /regex/.
        method: Such as POST.
        status: Such as 404, 4xx, failed, pending.
        since_last_action: Only those.
    """
    records, matches = page.network.records, url_matcher(url)
    kept = records.items(preserved=include_preserved_requests)
    found = [
        each
        for each in (records.since_action() if since_last_action else kept)
        if (not resource_types or each.type.lower() in resource_types)
        and (not method or each.method == method.upper())
        and _has_status(each, status)
        and matches(each.url)
    ]
    reply = paged(
        "## Network requests",
        found,
        page_size,
        page_idx,
        empty="No requests found.",
        show=_line,
        data=lambda shown: RequestsResult(requests=[_entry(each) for each in shown]),
    )
    if dropped := page.network.records.dropped:
        reply.add(f"({dropped} older ones were dropped)")
    return reply


@tool(reads=True, turn=False, over_dialog=True)
async def get_network_request(
    page: Page,
    redaction: Redaction,
    reqid: int | None = None,
    request_file_path: OutputFile | None = None,
    response_file_path: OutputFile | None = None,
) -> Reply:
    """Show a request whole: headers, bodies, timing, redirects, WebSocket messages.

    Args:
        reqid: Id from list_network_requests.
        request_file_path: Write the sent body to this file.
        response_file_path: Write the received body to this file.
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
    reply = Reply(f"## Request {address(request.url, URL_SHOWN)}").add("\n".join(_facts(request)))
    reply.add("### Request headers").add(_headers(request.request_headers, redaction))
    await _body(reply, "Request", await page.network.request_body(request), request_file_path)
    if request.response_headers:
        reply.add("### Response headers").add(_headers(request.response_headers, redaction))
    if request.streams:
        return reply.add("### Messages").add(_messages(request))
    if request.ended is not None and not request.failure:
        body = await received_body(page, request)
        await _body(reply, "Response", body, response_file_path, known=True)
    elif request.status is not None and request.ended is None:
        reply.add("### Response body").add("<still on its way; ask again>")
    if request.redirected_from is not None:
        reply.add("### Redirect chain").add("\n".join(_chain(request)))
    return reply


def _entry(request: Request) -> RequestEntry:
    return RequestEntry(
        id=request.id,
        method=request.method,
        url=request.url[:LONGEST_URL],
        type=request.type.lower(),
        status=request.status,
        failure=request.failure or None,
        milliseconds=request.milliseconds,
        bytes=request.size,
    )


def _has_status(request: Request, wanted: str) -> bool:
    if wanted in ("failed", "pending"):
        waits = request.status is None and not request.failure
        return waits if wanted == "pending" else bool(request.failure)
    if not wanted:
        return True
    code = "" if request.status is None else str(request.status)
    return code[:1] == wanted[0] if wanted.endswith("xx") else code == wanted


def _line(request: Request) -> str:
    return request.line


async def received_body(page: Page, request: Request) -> bytes | None:
    """Return the body that came back, if it can still be had."""
    if request.streams or request.failure or request.ended is None:
        return None
    return await page.network.response_body(request)


def _facts(request: Request) -> list[str]:
    facts = [f"{request.method}, status {request.outcome}, type {request.type.lower()}"]
    if request.milliseconds is not None:
        facts.append(f"took {request.milliseconds:.0f} ms{_phases(request)}")
    if request.mime:
        facts.append(f"content type {request.mime}")
    if request.protocol:
        facts.append(f"{request.protocol} {request.address} {request.served_by}".rstrip())
    if request.initiator:
        facts.append(f"initiated by {request.initiator}")
    return facts


def _phases(request: Request) -> str:
    if request.timing is None:
        return ""
    spent = [f"{name} {value:.0f}" for name, value in request.phases().items() if value >= 0.5]
    return f" ({', '.join(spent)})" if spent else ""


def _headers(headers: Mapping[str, Any], redaction: Redaction) -> str:
    shown = redaction.shown
    return "\n".join(f"- {name}: {shown(name, str(text))}" for name, text in headers.items())


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
    lines = [f"{'→' if packet.sent else '←'} {packet.text}" for packet in request.packets]
    if dropped := request.packets_seen - len(request.packets):
        lines.insert(0, f"({dropped} older ones were dropped)")
    return "\n".join(lines) or "none yet"


def _chain(request: Request) -> list[str]:
    lines, before = [], request.redirected_from
    while before is not None:
        lines.append(before.line)
        before = before.redirected_from
    return lines
