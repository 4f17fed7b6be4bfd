"""View state: what the live view shows of sessions, browsers and requests, as JSON."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from tabmux.browsers.browser import Browser
from tabmux.page.handle import PageHandle
from tabmux.page_text import visible, visible_line
from tabmux.record.call_entry import CallEntry
from tabmux.secrets.filled_values import FILLED
from tabmux.sessions.human_requests import HumanRequest
from tabmux.sessions.session import Session

if TYPE_CHECKING:
    from tabmux.browsers.grid.grid import Grid
    from tabmux.daemon.app import App

Json = dict[str, Any]
# What a screen has room for; a page may make a title of megabytes.
MOST_SESSIONS = 200
MOST_PAGES = 100
LONGEST_TITLE = 200
LONGEST_URL = 500
LONGEST_TEXT = 1_000
LONGEST_DIFF = 5_000


def state(app: App, person: str) -> Json:
    """Return all that one person sees at a glance."""
    sessions = app.sessions.all()[:MOST_SESSIONS]
    return {
        "type": "state",
        "sessions": [_session(each, person, app.grid) for each in sessions],
        "browsers": [_browser(each, app.grid) for each in app.browsers.all()],
        "grid": _grid(app.grid),
        "requests": [_request(each) for each in app.services.people.open_ones()],
    }


def metrics(app: App) -> Json:
    """Return the numbers that charts are made of."""
    import psutil  # only where somebody looks

    counted, process = app.metrics, psutil.Process()
    times = process.cpu_times()
    return {
        "type": "metrics",
        "time": time.time(),
        "running": counted.running,
        "queued": sum(session.calls for session in app.sessions.all()),
        "calls": counted.calls.total(),
        "failures": counted.failures.total(),
        "seconds": sum(counted.seconds.values()),
        "memory": process.memory_info().rss,
        "cpu": times.user + times.system,
    }


def _session(session: Session, person: str, grid: Grid | None) -> Json:
    browsers = session.browsers.all() if grid is not None else ()
    return {
        "id": session.name,
        "name": shown(session.visible_name, LONGEST_TITLE),
        "label": shown(session.label, LONGEST_TITLE),
        "client": shown(session.client, LONGEST_TITLE),
        # Moments, not ages: what does not change need not be sent again.
        "opened": _moment(session.opened),
        "used": _moment(session.last_used),
        "connected": session.connections > 0,
        "lastCall": shown(session.last_call, LONGEST_TITLE),
        "calls": session.calls,
        "made": session.made,
        "paused": session.steering.is_paused,
        "policy": _policy(session),
        "places": [place for each in browsers for place in _places(each, grid)],
        "pages": [
            _page(each, session, person) for each in list(session.pages.values())[:MOST_PAGES]
        ],
    }


def _policy(session: Session) -> Json:
    """Return what its agent may do, and how much of its budget there is."""
    policy = session.policy
    return {
        "sections": [shown(each, LONGEST_TITLE) for each in session.policy_sections],
        "readOnly": policy.read_only,
        "calls": policy.calls,
        "minutes": policy.minutes,
    }


def _page(page: PageHandle, session: Session, person: str) -> Json:
    dialog = page.page.dialogs.current if page.page is not None else None
    holder = page.control.person
    return {
        "id": page.id,
        "title": shown(page.title, LONGEST_TITLE),
        "url": shown(page.url, LONGEST_URL),
        "attached": page.page is not None,
        "selected": session.selected == page.id,
        "holder": "" if not holder else "me" if holder == person else "other",
        "dialog": dialog and {"kind": dialog.kind, "message": shown(dialog.message, LONGEST_TEXT)},
    }


def _grid(grid: Grid | None) -> Json | None:
    """Return how full the grid is, if there is one."""
    if grid is None:
        return None
    return {
        "line": shown(grid.state.line, LONGEST_TITLE),
        "trouble": shown(grid.trouble, LONGEST_TEXT),
        "waiting": len(grid.line),
    }


def _places(browser: Browser, grid: Grid | None) -> list[str]:
    """Say where a browser is; what the grid says of itself is shown once."""
    line = grid.state.line if grid is not None else ""
    return [shown(each, LONGEST_TITLE) for each in browser.facts() if each != line]


def _browser(browser: Browser, grid: Grid | None) -> Json:
    health = browser.health
    return {
        "index": browser.index,
        "name": shown(browser.name or browser.spec.label, LONGEST_TITLE),
        "state": str(browser.state),
        "places": _places(browser, grid),
        "pages": len(browser.pages),
        "calls": health.calls,
        "errors": health.errors,
        "latency": round(health.latency * 1000),
    }


def _request(request: HumanRequest) -> Json:
    return {
        "id": request.id,
        "kind": request.kind,
        "reason": shown(request.reason, LONGEST_TEXT),
        "session": request.session.name,
        "page": request.page.id if request.page is not None else None,
        "until": _moment(request.until),
    }


def shown(text: str, longest: int) -> str:
    """Return what somebody else wrote, short, on one line, and without what is kept secret."""
    return FILLED.text(visible_line(text[: 2 * longest], longest))


def _moment(monotonic: float) -> int:
    return round(monotonic - time.monotonic() + time.time())


def entry(call: CallEntry) -> Json:
    """Return a call of the record, as the log of actions shows it."""
    return {
        "run": call.run,
        "number": call.number,
        "time": call.time,
        "session": shown(call.session, LONGEST_TITLE),
        "tool": shown(call.tool, LONGEST_TITLE),
        "arguments": shown(json.dumps(call.arguments, ensure_ascii=False), LONGEST_TEXT),
        "elements": [
            shown(each.locator, LONGEST_TITLE) for each in call.elements[:10] if each.locator
        ],
        "page": call.page,
        "url": shown(call.url, LONGEST_URL),
        "code": call.code,
        "error": shown(call.error, LONGEST_TEXT),
        "milliseconds": round(call.milliseconds, 1),
        "characters": call.characters,
        # Lines matter here; the page's script shows it as text.
        "diff": FILLED.text(visible(call.diff[:LONGEST_DIFF])),
        "picture": call.picture,
        "steps": [entry(each) for each in call.steps[:50]],
    }
