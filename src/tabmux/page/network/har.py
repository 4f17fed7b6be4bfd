"""HTTP archives: requests in the form that other tools read, HAR 1.2."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tabmux import __version__
from tabmux.page.network.network_request import Request, StreamMessage

Redact = Callable[[str, str], str]
Json = dict[str, Any]

_UNKNOWN = -1


@dataclass(frozen=True)
class Bodies:
    """What was sent and what came back, where it is known."""

    sent: bytes | None = None
    received: bytes | None = None


def archive(title: str, entries: Iterable[tuple[Request, Bodies]], redact: Redact) -> Json:
    """Return the archive of a page.

    Args:
        title: The page's address.
        entries: Its requests.
        redact: Makes of a header's name and value the value to be shown.
    """
    made = [_entry(request, bodies, redact) for request, bodies in entries]
    began = min((entry["startedDateTime"] for entry in made), default=_time(0))
    page = {
        "id": "page_1",
        "title": title,
        "startedDateTime": began,
        "pageTimings": {"onContentLoad": _UNKNOWN, "onLoad": _UNKNOWN},
    }
    creator = {"name": "tabmux", "version": __version__}
    return {"log": {"version": "1.2", "creator": creator, "pages": [page], "entries": made}}


def _entry(request: Request, bodies: Bodies, redact: Redact) -> Json:
    timings = {name: round(value, 3) for name, value in request.phases().items()}
    # The time of a secure handshake is part of that of the connection.
    total = sum(value for name, value in timings.items() if name != "ssl" and value > 0)
    entry: Json = {
        "pageref": "page_1",
        "startedDateTime": _time(request.wall),
        "time": round(total, 3),
        "request": _asked(request, bodies.sent, redact),
        "response": _answered(request, bodies.received, redact),
        "cache": {},
        "timings": timings,
        "_resourceType": request.type.lower(),
        "_initiator": request.initiator,
    }
    if request.address:
        entry["serverIPAddress"] = request.address.strip("[]")
    if request.failure:
        entry["response"]["_error"] = request.failure
    if request.packets:
        entry["_webSocketMessages"] = [_message(request, packet) for packet in request.packets]
    return entry


def _asked(request: Request, body: bytes | None, redact: Redact) -> Json:
    query = parse_qsl(urlsplit(request.url).query, keep_blank_values=True)
    asked: Json = {
        "method": request.method,
        "url": request.url,
        "httpVersion": request.protocol or "unknown",
        "cookies": [],
        "headers": _headers(request.request_headers, redact),
        "queryString": [{"name": name, "value": value} for name, value in query],
        "headersSize": _UNKNOWN,
        "bodySize": _UNKNOWN if request.has_body and body is None else len(body or b""),
    }
    if body is not None:
        kind = _header(request.request_headers, "content-type")
        asked["postData"] = {"mimeType": kind, "text": body.decode(errors="replace")}
    return asked


def _answered(request: Request, body: bytes | None, redact: Redact) -> Json:
    content: Json = {"size": _UNKNOWN, "mimeType": request.mime or "x-unknown"}
    if body is not None:
        content |= {"size": len(body), **_text(body)}
    return {
        "status": request.status or 0,
        "statusText": request.status_text,
        "httpVersion": request.protocol or "unknown",
        "cookies": [],
        "headers": _headers(request.response_headers, redact),
        "content": content,
        "redirectURL": _header(request.response_headers, "location"),
        "headersSize": _UNKNOWN,
        "bodySize": _UNKNOWN,
        "_transferSize": _UNKNOWN if request.size is None else request.size,
    }


def _headers(headers: Json, redact: Redact) -> list[Json]:
    # Chrome joins headers of one name by line breaks.
    return [
        {"name": name, "value": redact(name, line)}
        for name, text in headers.items()
        for line in str(text).split("\n")
    ]


def _header(headers: Json, wanted: str) -> str:
    return next((str(text) for name, text in headers.items() if name.lower() == wanted), "")


def _text(body: bytes) -> Json:
    try:
        return {"text": body.decode()}
    except UnicodeDecodeError:
        return {"text": base64.b64encode(body).decode(), "encoding": "base64"}


def _message(request: Request, packet: StreamMessage) -> Json:
    at = request.wall + packet.at - request.started
    return {
        "type": "send" if packet.sent else "receive",
        "time": round(at, 6),
        "opcode": 1,
        "data": packet.text,
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
