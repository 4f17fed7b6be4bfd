"""Call spans: tells OpenTelemetry of every call, where the user wants it (`tabmux[otel]`).

Spans are made from the record's entries once a call has ended, so calls know nothing of them.
The exporter is set up by OpenTelemetry's own variables, such as OTEL_EXPORTER_OTLP_ENDPOINT.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tabmux import __version__
from tabmux.errors import Misuse
from tabmux.record.call_entry import CallEntry
from tabmux.record.record import Record

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

# An exporter whose collector does not answer must not hold up the end of the server.
CLOSE_SECONDS = 3.0
_SECOND = 1_000_000_000


@asynccontextmanager
async def exported_spans(wanted: str, record: Record) -> AsyncIterator[None]:
    """Export a span for every call of the block.

    Args:
        wanted: "off", "calls", or "arguments" for those of the calls, too.
        record: Whose entries they are made of.
    """
    if wanted == "off":
        yield
        return
    provider = _provider(_exporter())
    spans = SpanMaker(provider.get_tracer("tabmux", __version__), arguments=wanted == "arguments")
    stop = record.on_entry(spans.add)
    try:
        yield
    finally:
        stop()
        thread = threading.Thread(target=provider.shutdown, name="spans", daemon=True)
        thread.start()
        await asyncio.to_thread(thread.join, CLOSE_SECONDS)


class SpanMaker:
    """Makes spans of entries.

    Args:
        tracer: What takes them.
        arguments: Whether they say what calls were given, as far as the record does.
    """

    def __init__(self, tracer: Tracer, *, arguments: bool = False) -> None:
        self._tracer, self._arguments = tracer, arguments

    def add(self, entry: CallEntry) -> None:
        """Take the entry of a call that has ended."""
        self._span(entry, _parent(entry))

    def _span(self, entry: CallEntry, parent: Context | None) -> None:
        from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context

        start = int(entry.time * _SECOND)
        span = self._tracer.start_span(
            f"tools/call {entry.tool}",
            parent,
            SpanKind.SERVER,
            self._attributes(entry),
            start_time=start,
        )
        if entry.failed:
            span.set_status(Status(StatusCode.ERROR, entry.code))
        inside = set_span_in_context(span)
        for step in entry.steps:
            self._span(step, inside)
        span.end(start + int(entry.milliseconds * _SECOND / 1000))

    def _attributes(self, entry: CallEntry) -> dict[str, Any]:
        found: dict[str, Any] = {
            "mcp.method.name": "tools/call",
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": entry.tool,
            "tabmux.session": entry.session,
            "tabmux.client": entry.client,
        }
        if entry.failed:
            found |= {"error.type": "tool_error", "tabmux.error.code": entry.code}
        if self._arguments:
            found["gen_ai.tool.call.arguments"] = json.dumps(entry.arguments, default=str)
        return {key: value for key, value in found.items() if value}


def _parent(entry: CallEntry) -> Context | None:
    """Return the client's own span, of which the call is a part; None where it named none."""
    from opentelemetry.trace import (
        NonRecordingSpan,
        SpanContext,
        TraceFlags,
        set_span_in_context,
    )

    if not entry.parent:
        return None
    flags = TraceFlags(TraceFlags.DEFAULT if entry.unsampled else TraceFlags.SAMPLED)
    parent = SpanContext(int(entry.trace, 16), int(entry.parent, 16), True, flags)
    return set_span_in_context(NonRecordingSpan(parent))


def _exporter() -> SpanExporter:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError as error:
        raise Misuse(
            "Spans need the extra otel, which is not installed.",
            hint="pip install 'tabmux[otel]', or leave --otel out.",
        ) from error
    return OTLPSpanExporter()


def _provider(exporter: SpanExporter) -> Any:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    about = Resource.create({"service.name": "tabmux", "service.version": __version__})
    provider = TracerProvider(resource=about)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider
