"""Small traces, told event by event in milliseconds after the page set off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.analysis.trace.trace import Trace, read_trace

DATA = Path(__file__).parent / "data"
TRACE1 = Path(__file__).parents[2].parent / "shared" / "fixtures" / "trace1" / "trace.json.gz"

PAGE = "https://shop.test/"
FRAME = "MAIN"
START = 1_000_000.0


class TraceBuilder:
    """A trace in the making; the page's renderer is process 7, thread 7."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.metadata: dict[str, Any] = {}
        self._requests = 0

    def add(self, name: str, at: float, ms: float = 0, **more: Any) -> TraceBuilder:
        event: dict[str, Any] = {"name": name, "ph": "X", "ts": START + at * 1000, "dur": ms * 1000}
        self.events.append({**event, "pid": 7, "tid": 7, "args": {}, **more})
        return self

    def data(self, name: str, at: float, ms: float = 0, **data: Any) -> TraceBuilder:
        return self.add(name, at, ms, args={"data": data})

    def begin(self, at: float = -10, url: str = "about:blank") -> TraceBuilder:
        main = {"frame": FRAME, "url": url, "processId": 7}
        main |= {"isOutermostMainFrame": True, "isInPrimaryMainFrame": True}
        self.data("TracingStartedInBrowser", at, frames=[main])
        return self.add("thread_name", at, ph="M", args={"name": "CrRendererMain"})

    def navigate(self, at: float = 0, url: str = PAGE, name: str = "NAV") -> TraceBuilder:
        data = {"documentLoaderURL": url, "navigationId": name, "isOutermostMainFrame": True}
        return self.add("navigationStart", at, ph="R", args={"frame": FRAME, "data": data})

    def end(self, at: float) -> TraceBuilder:
        """Let the recording go on for a while."""
        return self.add("Other", at)

    def request(self, url: str, start: float, end: float, **sent: Any) -> TraceBuilder:
        self._requests += 1
        request = sent.pop("id", f"7.{self._requests}")
        response, finish = sent.pop("response", {}), sent.pop("finish", {})
        told = {"requestId": request, "url": url, "frame": FRAME, "resourceType": "Script"}
        self.data("ResourceSendRequest", start, **(told | sent))
        self.data("ResourceReceiveResponse", end, requestId=request, statusCode=200, **response)
        sizes = {"encodedDataLength": 1000, "decodedBodyLength": 900}
        finished = {"finishTime": (START + end * 1000) / 1e6}
        return self.data(
            "ResourceFinish", end + 1, requestId=request, **(sizes | finished | finish)
        )

    def document(
        self, end: float = 50, url: str = PAGE, name: str = "NAV", **more: Any
    ) -> TraceBuilder:
        return self.request(url, 1, end, id=name, resourceType="Document", **more)

    def paint(self, at: float, name: str = "NAV") -> TraceBuilder:
        self.data("firstPaint", at, navigationId=name)
        return self.data("firstContentfulPaint", at, navigationId=name)

    def text(self) -> str:
        lines = ",\n".join(json.dumps(event) for event in self.events)
        return f'{{"traceEvents":[\n{lines}],"metadata":{json.dumps(self.metadata)}}}'

    def trace(self, folder: Path) -> Trace:
        path = folder / "story.json"
        path.write_text(self.text(), encoding="utf-8")
        return read_trace(path)

    def only(self, folder: Path) -> InsightSet:
        (part,) = self.trace(folder).sets
        return part


def recorded(name: str) -> Trace:
    """Read one of our own recordings (Chromium 156, trimmed to the events that matter)."""
    return read_trace(DATA / f"{name}.json.gz")
