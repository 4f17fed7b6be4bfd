from __future__ import annotations

from pathlib import Path
from typing import Any

from tabmux.analysis.trace.call_frames import CallFrame
from tabmux.analysis.trace.handlers.cpu_profile import CpuProfile
from tests.analysis.trace_builder import START, TraceBuilder, recorded

APP = "https://shop.test/app.js"


def node(number: int, name: str, parent: int = 0, url: str = "") -> dict[str, Any]:
    frame = {"functionName": name, "url": url, "lineNumber": 4, "columnNumber": 0}
    return {"id": number, "parent": parent, "callFrame": frame}


NODES = [
    node(1, "(root)"),
    node(2, "(idle)", 1),
    node(3, "(program)", 1),
    node(4, "work", 1, APP),
    node(5, "appendChild", 4),
]


def chunks(
    builder: TraceBuilder, name: str, at: float, samples: list[int], deltas: list[float]
) -> TraceBuilder:
    builder.add("Profile", at, id=name, args={"data": {"startTime": START + at * 1000}})
    data = {"cpuProfile": {"nodes": NODES, "samples": samples}, "timeDeltas": deltas}
    return builder.add("ProfileChunk", at + 5, id=name, tid=9, args={"data": data})


def profile(folder: Path, samples: list[int], deltas: list[float]) -> CpuProfile:
    builder = chunks(TraceBuilder().begin().navigate(), "0x1", 0, samples, deltas)
    found = builder.only(folder).profile
    assert found is not None
    return found


def test_time_is_charged_to_the_function_that_ran(tmp_path: Path) -> None:
    found = profile(tmp_path, [4, 3, 4, 2, 3], [0, 1000, 500, 2000, 3000])

    times = found.self_times(START, START + 99_000)
    assert times == [(CallFrame("work", APP, 5, 1), 3.0), (CallFrame("(program)"), 0.5)]


def test_builtin_function_is_charged_to_its_caller(tmp_path: Path) -> None:
    found = profile(tmp_path, [5, 3], [0, 1000])

    assert found.self_times(START, START + 9000) == [(CallFrame("work", APP, 5, 1), 1.0)]


def test_only_the_asked_period_counts(tmp_path: Path) -> None:
    found = profile(tmp_path, [4, 3, 4], [0, 1000, 1000])

    assert found.self_times(START + 400, START + 1200) == [
        (CallFrame("work", APP, 5, 1), 0.6),
        (CallFrame("(program)"), 0.2),
    ]
    assert found.self_times(START - 900, START - 100) == []


def test_time_never_runs_backwards(tmp_path: Path) -> None:
    found = profile(tmp_path, [4, 4, 3], [0, 1000, -400])

    assert list(found.times) == [START, START + 1000, START + 1000]


def test_unknown_node_is_named_so(tmp_path: Path) -> None:
    found = profile(tmp_path, [99, 3], [0, 1000])

    assert found.self_times(START, START + 5000) == [(CallFrame("(unknown)"), 1.0)]


def test_running_script_is_known_at_any_moment(tmp_path: Path) -> None:
    found = profile(tmp_path, [4, 3], [0, 1000])

    assert found.at(START + 500) == CallFrame("work", APP, 5, 1)
    assert found.at(START + 1500) is None
    assert found.at(START - 1) is None


def test_profiles_of_one_thread_are_joined(tmp_path: Path) -> None:
    builder = chunks(TraceBuilder().begin().navigate(), "0x2", 50, [4], [7])
    found = chunks(builder, "0x1", 0, [4], [0]).only(tmp_path).profile

    assert found is not None
    assert list(found.times) == [START, START + 50_007]


def test_thread_without_samples_has_no_profile(tmp_path: Path) -> None:
    assert TraceBuilder().begin().navigate().only(tmp_path).profile is None


def test_recorded_click_spent_its_time_in_its_handler() -> None:
    part = recorded("click").sets[0]
    assert part.profile is not None
    assert part.metrics.inp is not None
    start = part.metrics.inp.start
    call_frame, ms = part.profile.self_times(start, start + 236_000)[0]

    assert (call_frame.function, call_frame.line) == ("spin", 3)
    assert 200 < ms < 220
