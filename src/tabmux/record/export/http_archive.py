"""HTTP archive: the requests of a run as HAR 1.2, without headers and bodies."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tabmux import __version__
from tabmux.record.call_entry import CallEntry, RecordedRequest

_UNKNOWN = -1


def archive_of(entries: Iterable[CallEntry]) -> dict[str, Any]:
    """Return the archive; every call that caused requests is a page of it."""
    pages, made = [], []
    for entry in entries:
        if not entry.requests:
            continue
        ident = f"call_{entry.number}"
        pages.append(
            {
                "id": ident,
                "title": f"{entry.tool} {entry.url}",
                "startedDateTime": _moment(entry.time),
                "pageTimings": {"onContentLoad": _UNKNOWN, "onLoad": _UNKNOWN},
            }
        )
        made += [{**har_entry(each), "pageref": ident} for each in entry.requests]
    creator = {"name": "tabmux", "version": __version__}
    return {"log": {"version": "1.2", "creator": creator, "pages": pages, "entries": made}}


def har_entry(request: RecordedRequest) -> dict[str, Any]:
    """Return one request as the archive has it."""
    taken = max(request.milliseconds, 0)
    return {
        "startedDateTime": _moment(request.time),
        "time": taken,
        "request": {
            "method": request.method,
            "url": request.url,
            "httpVersion": "unknown",
            "cookies": [],
            "headers": [],
            "queryString": [{"name": name, "value": value} for name, value in _query(request.url)],
            "headersSize": _UNKNOWN,
            "bodySize": _UNKNOWN,
        },
        "response": {
            "status": request.status,
            "statusText": "",
            "httpVersion": "unknown",
            "cookies": [],
            "headers": [],
            "content": {"size": request.bytes, "mimeType": request.mime or "x-unknown"},
            "redirectURL": "",
            "headersSize": _UNKNOWN,
            "bodySize": request.bytes,
            "_transferSize": request.bytes,
            **({"_failureText": request.failure} if request.failure else {}),
        },
        "cache": {},
        "timings": {"send": 0, "wait": taken, "receive": 0},
        "_resourceType": request.type.lower(),
    }


def _query(url: str) -> list[tuple[str, str]]:
    """Return what an address asks for; pages choose addresses that are none, too."""
    try:
        return parse_qsl(urlsplit(url).query, keep_blank_values=True)
    except ValueError:
        return []


def _moment(time: float) -> str:
    return (
        datetime.fromtimestamp(time, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )
