"""Status pages: metrics as Prometheus reads them, and one session for those who debug."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_state import BrowserState

if TYPE_CHECKING:
    from tabmux.daemon.app import App

DEBUG_VARIABLE = "BROWSER_MCP_ENABLE_DEBUG"
KIND = "text/plain; version=0.0.4; charset=utf-8"

Labels = Mapping[str, object]
Sample = tuple[Labels, float]


def family(name: str, kind: str, text: str, samples: Iterable[Sample]) -> Iterator[str]:
    """Yield the lines of one metric."""
    yield f"# HELP tabmux_{name} {text}"
    yield f"# TYPE tabmux_{name} {kind}"
    for labels, number in samples:
        value = float(number)
        pairs = ",".join(f'{key}="{_escaped(str(each))}"' for key, each in labels.items())
        yield f"tabmux_{name}{{{pairs}}} {value!r}" if pairs else f"tabmux_{name} {value!r}"


class MetricsPage:
    """The page at `/metrics`."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def show(self, request: Request) -> PlainTextResponse:
        """Show all counters."""
        return PlainTextResponse("\n".join(self.lines()) + "\n", media_type=KIND)

    def lines(self) -> Iterator[str]:
        """Yield the whole page."""
        yield from self._sessions()
        yield from self._calls()
        yield from self._browsers()
        yield from self._own()

    def _sessions(self) -> Iterator[str]:
        opened, now = self._app.sessions.opened, len(self._app.sessions.all())
        yield from family("sessions", "gauge", "Sessions that are open.", [({}, now)])
        yield from family("sessions_opened_total", "counter", "Sessions opened.", [({}, opened)])

    def _calls(self) -> Iterator[str]:
        counted = self._app.metrics
        calls = [({"tool": tool}, float(n)) for tool, n in sorted(counted.calls.items())]
        seconds = [({"tool": tool}, spent) for tool, spent in sorted(counted.seconds.items())]
        failed = [
            ({"tool": tool, "code": code}, float(n))
            for (tool, code), n in sorted(counted.failures.items())
        ]
        yield from family("calls_running", "gauge", "Calls under way.", [({}, counted.running)])
        yield from family("calls_total", "counter", "Calls by tool.", calls)
        yield from family("call_seconds_total", "counter", "Time spent in calls.", seconds)
        yield from family("call_failures_total", "counter", "Calls that failed.", failed)

    def _browsers(self) -> Iterator[str]:
        browsers = self._app.browsers.all()

        def each(value: Callable[[Browser], float]) -> list[Sample]:
            return [({"index": b.index, "name": b.name}, value(b)) for b in browsers]

        up = each(lambda b: b.state is BrowserState.CONNECTED)
        connections, pages = each(lambda b: b.history.connections), each(lambda b: len(b.pages))
        calls, errors = each(lambda b: b.health.calls), each(lambda b: b.health.errors)
        latency = each(lambda b: b.health.latency)
        yield from family("browser_up", "gauge", "Whether it is connected.", up)
        yield from family("browser_connections_total", "counter", "Connections.", connections)
        yield from family("browser_pages", "gauge", "Tabs.", pages)
        yield from family("browser_calls_total", "counter", "Calls.", calls)
        yield from family("browser_errors_total", "counter", "Calls that failed.", errors)
        yield from family("browser_latency_seconds", "gauge", "Running average.", latency)

    def _own(self) -> Iterator[str]:
        import psutil  # not everyone looks at this page

        process = psutil.Process()
        times = process.cpu_times()
        memory = float(process.memory_info().rss)
        yield from family("memory_bytes", "gauge", "Resident memory.", [({}, memory)])
        yield from family("cpu_seconds_total", "counter", "CPU.", [({}, times.user + times.system)])


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def may_debug(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the user wants sessions to be looked into."""
    return environment.get(DEBUG_VARIABLE) == "1"


def describe_session(app: App, ident: str) -> dict[str, Any] | None:
    """Describe a session; neither its handle nor what its pages show."""
    session = app.sessions.named(ident)
    if session is None or ident not in (session.handle, *session.aliases):
        return None
    extension = app.extensions.find(ident)
    tab = extension.tab if extension is not None else None
    return {
        "name": session.name,
        "label": session.label,
        "currentTabId": session.selected if tab is None else tab,
        "queueLength": session.calls + session.waiting_logs,
        "pages": sorted(session.pages),
        "idleSeconds": round(session.idle_seconds(), 1),
    }
