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
        pairs = _pairs(labels)
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
        yield from self._durations()
        yield from self._browsers()
        yield from self._record()
        yield from self._grid()
        yield from self._cluster()
        yield from self._own()

    def _sessions(self) -> Iterator[str]:
        opened, now = self._app.sessions.opened, len(self._app.sessions.all())
        yield from family("sessions", "gauge", "Sessions that are open.", [({}, now)])
        sessions = self._app.sessions.all()
        pages = sum(len(session.pages) for session in sessions)
        queued = sum(session.calls for session in sessions)
        yield from family("session_pages", "gauge", "Pages that sessions have.", [({}, pages)])
        held = sum(bool(page.control.person) for each in sessions for page in each.pages.values())
        yield from family("pages_held_by_people", "gauge", "Pages taken over.", [({}, held)])
        yield from family("calls_queued", "gauge", "Calls under way or waiting.", [({}, queued)])
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

    def _durations(self) -> Iterator[str]:
        """Yield the histogram that OpenTelemetry's conventions for MCP name."""
        name = "mcp_server_operation_duration_seconds"
        yield f"# HELP {name} How long requests took."
        yield f"# TYPE {name} histogram"
        for (tool, code), found in sorted(self._app.metrics.durations.items()):
            about = {"mcp_method_name": "tools/call", "gen_ai_tool_name": tool}
            if code:
                about["error_type"] = code
            for bound, number in found.cumulative():
                yield f"{name}_bucket{{{_pairs({**about, 'le': bound})}}} {number}"
            yield f"{name}_sum{{{_pairs(about)}}} {found.sum!r}"
            yield f"{name}_count{{{_pairs(about)}}} {sum(found.counts)}"

    def _record(self) -> Iterator[str]:
        if (writer := self._app.run_writer) is None:
            return
        numbers: list[tuple[str, str, str, float]] = [
            ("record_calls_total", "counter", "Calls written down.", writer.written),
            ("record_lost_total", "counter", "Calls that could not be.", writer.lost),
            ("record_bytes_total", "counter", "What they took.", writer.bytes),
            ("record_waiting", "gauge", "Calls that wait to be.", writer.waiting),
        ]
        for name, kind, text, number in numbers:
            yield from family(name, kind, text, [({}, number)])

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

    def _grid(self) -> Iterator[str]:
        if (grid := self._app.grid) is None:
            return
        state = grid.state
        sessions = [
            ({"browser": each.id, "node": each.node_uri}, float(len(each.leases)))
            for each in grid.browsers.values()
        ]
        draining = sum(each.is_draining for each in grid.browsers.values())
        for name, text, number in (
            ("grid_up", "Whether the hub answers.", not grid.trouble),
            ("grid_slots", "Browsers that the grid has room for.", state.slots),
            ("grid_slots_used", "Browsers that it runs, for anybody.", state.used),
            ("grid_queue", "Requests in the queue of the grid.", state.queued),
            ("grid_browsers", "Browsers of the grid that are ours.", len(sessions)),
            ("grid_browsers_draining", "Those of them whose node drains.", draining),
            ("grid_waiting", "Sessions that wait for a browser.", len(grid.line)),
        ):
            yield from family(name, "gauge", text, [({}, float(number))])
        yield from family("grid_browser_sessions", "gauge", "Sessions in a browser.", sessions)

    def _cluster(self) -> Iterator[str]:
        if (cluster := self._app.cluster) is None:
            return
        member, router = cluster.membership, cluster.router
        numbers: list[tuple[str, str, str, float]] = [
            ("cluster_daemons", "gauge", "Daemons of the cluster.", member.daemons),
            ("cluster_lease_valid", "gauge", "Whether it may act.", member.lease.is_valid),
            ("cluster_shards", "gauge", "Shards it answers for.", len(member.epochs)),
            ("cluster_takeovers_total", "counter", "Daemons taken over from.", member.takeovers),
            (
                "cluster_forwarded_total",
                "counter",
                "Requests passed on to other daemons.",
                router.forwarded if router is not None else 0,
            ),
        ]
        for name, kind, text, number in numbers:
            yield from family(name, kind, text, [({}, number)])

    def _own(self) -> Iterator[str]:
        import psutil  # not everyone looks at this page

        process = psutil.Process()
        times = process.cpu_times()
        memory = float(process.memory_info().rss)
        yield from family("memory_bytes", "gauge", "Resident memory.", [({}, memory)])
        yield from family("cpu_seconds_total", "counter", "CPU.", [({}, times.user + times.system)])


def _pairs(labels: Labels) -> str:
    return ",".join(f'{key}="{_escaped(str(each))}"' for key, each in labels.items())


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
