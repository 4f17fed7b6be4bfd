from __future__ import annotations

from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from tabmux.daemon.call_spans import SpanMaker
from tests.record.runs import entry


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


def spans_of(
    exporter: InMemorySpanExporter, *, arguments: bool = False, **fields: Any
) -> tuple[ReadableSpan, ...]:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    SpanMaker(provider.get_tracer("test"), arguments=arguments).add(entry(**fields))
    return exporter.get_finished_spans()


def test_a_call_is_a_span_with_the_names_of_the_conventions(exporter: InMemorySpanExporter) -> None:
    (span,) = spans_of(exporter, milliseconds=250.0, arguments=False)
    assert span.name == "tools/call click"
    assert span.kind is SpanKind.SERVER
    assert span.attributes is not None
    assert span.attributes["mcp.method.name"] == "tools/call"
    assert span.attributes["gen_ai.tool.name"] == "click"
    assert "gen_ai.tool.call.arguments" not in span.attributes
    assert span.start_time == 1_700_000_000 * 10**9
    assert span.end_time == span.start_time + 250_000_000


def test_it_is_a_part_of_the_client_s_own_span(exporter: InMemorySpanExporter) -> None:
    (span,) = spans_of(
        exporter, trace="0af7651916cd43dd8448eb211c80319c", parent="b7ad6b7169203331"
    )
    assert span.parent is not None
    assert f"{span.parent.span_id:x}" == "b7ad6b7169203331"
    assert span.context is not None
    assert f"{span.context.trace_id:032x}" == "0af7651916cd43dd8448eb211c80319c"


def test_of_a_trace_that_the_client_does_not_keep_nothing_is_exported(
    exporter: InMemorySpanExporter,
) -> None:
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    assert not spans_of(exporter, trace=trace, parent=parent, unsampled=True)


def test_a_failure_has_its_type_and_a_batch_its_steps(exporter: InMemorySpanExporter) -> None:
    step, batch = spans_of(exporter, tool="batch", code="stale_uid", steps=(entry("fill"),))
    assert batch.attributes is not None
    assert batch.attributes["error.type"] == "tool_error"
    assert batch.attributes["tabmux.error.code"] == "stale_uid"
    assert step.parent is not None
    assert batch.context is not None
    assert step.parent.span_id == batch.context.span_id


def test_arguments_are_told_where_they_are_wanted(exporter: InMemorySpanExporter) -> None:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    made = entry(arguments={"uid": "a1_1"})
    SpanMaker(provider.get_tracer("test"), arguments=True).add(made)
    (span,) = exporter.get_finished_spans()
    assert span.attributes is not None
    assert span.attributes["gen_ai.tool.call.arguments"] == '{"uid": "a1_1"}'
