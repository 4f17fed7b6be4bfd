from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tabmux.analysis.trace.trace import read_trace
from tabmux.errors import BadArguments
from tests.analysis.trace_builder import TraceBuilder, recorded


def test_set_is_found_by_its_id() -> None:
    trace = recorded("navigations")

    assert trace.set("NAVIGATION_1") is trace.sets[1]


def test_unknown_set_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BadArguments) as refusal:
        recorded("navigations").set("NAVIGATION_7")

    assert "NAVIGATION_0, NAVIGATION_1" in refusal.value.hint


def test_throttling_is_taken_from_the_notes_of_devtools(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.metadata = {"cpuThrottling": 4, "networkThrottling": "Slow 4G"}

    assert builder.trace(tmp_path).throttling == "CPU 4x slower, network Slow 4G"


@pytest.mark.parametrize(
    "notes",
    [{}, {"cpuThrottling": 1, "networkThrottling": "No throttling"}, {"cpuThrottling": "?"}],
)
def test_ordinary_recording_mentions_no_throttling(
    notes: dict[str, object], tmp_path: Path
) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.metadata = notes

    assert builder.trace(tmp_path).throttling == ""


def test_source_maps_come_from_the_file_and_from_the_caller(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.metadata = {
        "sourceMaps": [{"url": "https://shop.test/a.js", "sourceMap": {"version": 3}}]
    }
    builder.trace(tmp_path)
    trace = read_trace(tmp_path / "story.json", {"https://shop.test/b.js": "{}"})

    assert trace.sets[0].source_maps == {
        "https://shop.test/a.js": '{"version": 3}',
        "https://shop.test/b.js": "{}",
    }


def test_trace_travels_between_processes() -> None:
    trace = recorded("click")

    assert pickle.loads(pickle.dumps(trace)).sets[0].metrics == trace.sets[0].metrics


def test_bounds_leave_out_histograms(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().add("Other", 100, 20).add("Late::UMA", 900)
    trace = builder.trace(tmp_path)

    assert (trace.end - trace.start) / 1000 == 130


def test_trace_without_a_start_begins_with_its_first_event(tmp_path: Path) -> None:
    trace = TraceBuilder().navigate().add("Other", 5, 7).trace(tmp_path)

    assert (trace.start, trace.end) == (1_005_000, 1_012_000)


def test_trace_of_marks_alone_has_no_length(tmp_path: Path) -> None:
    trace = TraceBuilder().add("mark", 5, ph="R").trace(tmp_path)

    assert (trace.start, trace.end) == (0, 0)
