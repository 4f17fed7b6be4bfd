"""Playwright trace: a run as a trace.zip of version 8, which Playwright's trace viewer opens.

Viewers upgrade older versions and refuse newer ones. Times in it are milliseconds.
"""

from __future__ import annotations

import base64
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from tabmux import __version__
from tabmux.record.call_entry import CallEntry, TouchedElement
from tabmux.record.export.http_archive import har_entry
from tabmux.record.export.webp_size import webp_size

VERSION = 8
Event = dict[str, Any]
Picture = Callable[[str], bytes | None]
_NAVIGATING = frozenset({"navigate_page", "navigate", "new_page"})
_DEFAULT_SIZE = (1280, 720)


def write_trace(file: Path, entries: Iterable[CallEntry], picture: Picture) -> None:
    """Write the trace of a run.

    Args:
        file: Where to.
        entries: The calls.
        picture: Returns a picture by its hash, where it is kept.
    """
    calls = list(entries)
    resources: dict[str, bytes] = {}
    for entry in calls:
        if entry.picture and (data := picture(entry.picture)) is not None:
            resources[f"{entry.picture}.webp"] = data
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("trace.trace", _lines(_events(calls, resources)))
        archive.writestr("trace.network", _lines(_requests(calls)))
        for name, data in resources.items():
            archive.writestr(f"resources/{name}", data)


def _lines(events: Iterable[Event]) -> str:
    return "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in events)


def _events(calls: list[CallEntry], resources: dict[str, bytes]) -> Iterator[Event]:
    first = calls[0] if calls else None
    began = first.time * 1000 if first is not None else 0.0
    sizes = [webp_size(data) for data in resources.values()]
    width, height = sizes[0] if sizes else _DEFAULT_SIZE
    yield {
        "version": VERSION,
        "type": "context-options",
        "origin": "library",
        "browserName": "chromium",
        "options": {"viewport": {"width": width, "height": height}},
        "platform": "",
        "wallTime": began,
        "monotonicTime": began,
        "sdkLanguage": "python",
        "title": f"{first.session} ({first.client})" if first is not None else "",
        "contextId": "context@1",
        "libraryVersion": __version__,
    }
    shown = dict[str, str]()
    for number, entry in enumerate(calls, 1):
        yield from _call(f"call@{number}", entry, resources, shown)


def _call(
    ident: str, entry: CallEntry, resources: dict[str, bytes], shown: dict[str, str]
) -> Iterator[Event]:
    """Yield the events of a call; `shown` has the last snapshot of each page."""
    start, end = entry.time * 1000, entry.time * 1000 + entry.milliseconds
    page = f"page@{entry.page or 1}"
    picture = f"{entry.picture}.webp" if f"{entry.picture}.webp" in resources else ""
    yield {
        "type": "before",
        "callId": ident,
        "startTime": start,
        "class": "Page",
        "method": entry.tool,
        "title": title(entry),
        "params": dict(entry.arguments),
        "pageId": page,
        **({"beforeSnapshot": shown[page]} if page in shown else {}),
    }
    for number, step in enumerate(entry.steps, 1):
        yield from _step(f"{ident}.{number}", ident, step, page)
    for message in entry.console:
        yield _console(message.type, message.text, message.source, end, page)
    if entry.diff:
        yield {"type": "log", "callId": ident, "time": end, "message": entry.diff}
    yield _after(ident, entry, end, picture)
    if picture:
        width, height = webp_size(resources[picture])
        frame = {"type": "screencast-frame", "pageId": page, "sha1": picture}
        yield {**frame, "width": width, "height": height, "timestamp": end}
        shown[page] = f"after@{ident}"
        yield _snapshot(ident, entry, page, resources[picture], end)
    if entry.failed:
        yield {"type": "error", "message": f"{entry.code}: {entry.error}", "stack": []}


def _after(ident: str, entry: CallEntry, end: float, picture: str) -> Event:
    event: Event = {"type": "after", "callId": ident, "endTime": end, "result": {"url": entry.url}}
    if entry.failed:
        event["error"] = {"name": entry.code, "message": entry.error}
    if picture:
        event["afterSnapshot"] = f"after@{ident}"
        event["attachments"] = [{"name": "picture", "contentType": "image/webp", "sha1": picture}]
    return event


def _step(ident: str, above: str, step: CallEntry, page: str) -> Iterator[Event]:
    yield {
        "type": "before",
        "callId": ident,
        "parentId": above,
        "startTime": step.time * 1000,
        "class": "Page",
        "method": step.tool,
        "title": title(step),
        "params": dict(step.arguments),
        "pageId": page,
    }
    yield _after(ident, step, step.time * 1000 + step.milliseconds, "")


def _snapshot(ident: str, entry: CallEntry, page: str, picture: bytes, end: float) -> Event:
    """Show the picture where the viewer has the page; it must come after the end of its call."""
    source = f"data:image/webp;base64,{base64.b64encode(picture).decode()}"
    image = ["IMG", {"style": "display:block;width:100%", "src": source}]
    width, height = webp_size(picture)
    return {
        "type": "frame-snapshot",
        "snapshot": {
            "callId": ident,
            "snapshotName": f"after@{ident}",
            "pageId": page,
            "frameId": f"frame@{page}",
            "frameUrl": entry.url or "about:blank",
            "doctype": "html",
            "html": ["HTML", {}, ["BODY", {"style": "margin:0"}, image]],
            "viewport": {"width": width, "height": height},
            "timestamp": end,
            "wallTime": end,
            "collectionTime": 0,
            "resourceOverrides": [],
            "isMainFrame": True,
        },
    }


def _console(kind: str, text: str, source: str, time: float, page: str) -> Event:
    kinds = {"warn": "warning", "exception": "error"}
    url, _, line = source.rpartition(":")
    return {
        "type": "console",
        "messageType": kinds.get(kind, kind),
        "text": text,
        "args": [],
        "location": {
            "url": url if line.isdecimal() else source,
            "lineNumber": int(line) if line.isdecimal() else 0,
            "columnNumber": 0,
        },
        "time": time,
        "pageId": page,
    }


def _requests(calls: list[CallEntry]) -> Iterator[Event]:
    for entry in calls:
        for request in entry.requests:
            made = har_entry(request)
            made |= {"pageref": f"page@{entry.page or 1}", "_monotonicTime": request.time * 1000}
            yield {"type": "resource-snapshot", "snapshot": made}


def _name(element: TouchedElement) -> str:
    known = element.role and element.name
    return f'{element.role} "{element.name}"' if known else element.locator


def title(entry: CallEntry) -> str:
    """Say in a line what a call did."""
    named = ", ".join(filter(None, map(_name, entry.elements)))
    if named:
        return f"{entry.tool} {named}"
    if entry.tool in _NAVIGATING:
        return f"{entry.tool} {entry.arguments.get('url') or entry.arguments.get('type', '')}"
    words = [str(v) for v in entry.arguments.values() if isinstance(v, str | int | float)]
    return " ".join([entry.tool, *words])[:120]
