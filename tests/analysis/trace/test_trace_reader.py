from __future__ import annotations

import gzip
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabmux.analysis.trace.trace import read_trace
from tabmux.analysis.trace.trace_reader import open_trace
from tabmux.errors import Misuse
from tests.analysis.trace_builder import DATA, TraceBuilder

EVENTS = [
    {"name": f"e{i}", "ph": "X", "ts": i + 1, "args": {"list": [{"a": 1}, {"a": 2}]}}
    for i in range(5)
]
LINES = "[\n" + ",\n".join(json.dumps(event) for event in EVENTS) + "\n]"
LAYOUTS = {
    "a line each": LINES,
    "in an object": f'{{"traceEvents":{LINES},"metadata":{{"a":1}}}}',
    "metadata first": f'{{"metadata":{{"a":1}},"traceEvents":{LINES}}}',
    "one line": json.dumps(EVENTS, separators=(",", ":")),
    "pretty": json.dumps({"traceEvents": EVENTS}, indent=2),
    "no indent": json.dumps(EVENTS, indent=0, separators=(",", ":")),
    "trailing comma": LINES[:-2] + ",\n]",
}


def names(path: Path, **sizes: int) -> list[str]:
    with open_trace(path, **sizes) as file:
        return [event.name for batch in file.events() for event in batch]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_events_are_found_in_every_layout(layout: str, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(LAYOUTS[layout])

    assert names(path) == ["e0", "e1", "e2", "e3", "e4"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("block", [1, 7, 64])
def test_events_are_found_however_the_file_is_cut_into_blocks(
    layout: str, block: int, tmp_path: Path
) -> None:
    path = tmp_path / "trace.json"
    path.write_text(LAYOUTS[layout])

    assert names(path, block=block) == ["e0", "e1", "e2", "e3", "e4"]


@pytest.mark.parametrize("block", [1, 64])
@pytest.mark.parametrize("packed", [False, True])
def test_byte_order_mark_is_passed_over(block: int, packed: bool, tmp_path: Path) -> None:
    path, text = tmp_path / "trace.json", LINES.encode("utf-8-sig")
    path.write_bytes(gzip.compress(text) if packed else text)

    assert names(path, block=block) == ["e0", "e1", "e2", "e3", "e4"]


def test_gzip_is_told_by_content_and_not_by_name(tmp_path: Path) -> None:
    path = tmp_path / "trace.txt"
    path.write_bytes(gzip.compress(LINES.encode()))

    assert names(path) == ["e0", "e1", "e2", "e3", "e4"]


def test_what_is_no_event_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text('[\n{"name":"a","ph":"X"},\n{"name":"b","pid":"nine"},\n7,\n{"name":"c"}]')

    assert names(path) == ["a", "c"]


def test_non_ascii_text_does_not_shift_the_cuts(tmp_path: Path) -> None:
    events = [{"name": "é€😀" * i, "ph": "X", "ts": 1} for i in range(1, 4)]
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(events, indent=1, ensure_ascii=False), encoding="utf-8")

    assert names(path) == ["é€😀", "é€😀é€😀", "é€😀é€😀é€😀"]


def test_many_events_of_an_odd_layout_come_in_batches(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(json.dumps([{"name": "a", "ph": "X"}] * 4500, indent=1))

    with open_trace(path) as file:
        assert [len(batch) for batch in file.events()] == [2000, 2000, 500]


PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
BAD: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty"),
    "blank": (b" \n ", "is empty"),
    "text": (b"hello", "not JSON"),
    "picture": (PNG, "not JSON"),
    "heap snapshot": (b'{"snapshot":{"meta":{}},"nodes":[1,2]}', "looks like a heap snapshot"),
    "CPU profile": (b'{"nodes":[]}', "looks like a CPU profile"),
    "other JSON": (b'{"name":"x"}', "starts with 'name'"),
    "no events": (b'{"traceEvents":[]}', "holds no trace events"),
    "empty object": (b"{}", "holds no trace events"),
    "numbers": (b"[1,2,3]", "holds no trace events"),
    "other objects": (b'[\n{"a":1},\n{"a":2}]', "holds no trace events"),
    "cut in an event": (LINES[:-40].encode(), "truncated"),
    "cut after an event": (LINES[:-2].encode(), "truncated"),
    "cut in a name": (b'{"traceEve}', "truncated"),
    "cut before a value": (b'{"metadata":{}', "truncated"),
    "cut gzip": (gzip.compress(LINES.encode())[:-12], "truncated"),
    "broken gzip": (b"\x1f\x8b\x08" + bytes(30), "damaged"),
    "broken event": (b'[\n{"name":"a","ph":"X"},\n{"name":!!!!!!!!!!!!!!!!!!}]', "damaged"),
    "unnamed member": (b"{7:1}", "damaged"),
    "events that are no list": (b'{"traceEvents":{"a":1}}', "damaged"),
    "nested": (b"[" + b"[" * 100_000 + b"]" * 100_001, "damaged"),
    "nested in an event": (
        b'[\n{"a":' + b"[" * 100_000 + b"]" * 100_000 + b'},\n{"a":1}]',
        "damaged",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_file_is_refused_at_once_with_a_reason_and_a_hint(kind: str, tmp_path: Path) -> None:
    content, reason = BAD[kind]
    path = tmp_path / "trace.json"
    path.write_bytes(content)
    begun = time.process_time()

    with pytest.raises(Misuse) as refusal:
        read_trace(path)

    assert reason in refusal.value.message
    assert "trace.json" in refusal.value.message
    assert refusal.value.hint
    assert time.process_time() - begun < 1


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="there is no file"):
        read_trace(tmp_path / "nowhere.json")


def test_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="cannot be read"):
        read_trace(tmp_path)


def test_large_file_that_was_cut_is_refused_by_its_last_bytes(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_bytes(b"[\n" + b'{"name":"a","ph":"X","ts":1},\n' * 1_000_000)
    begun = time.process_time()

    with pytest.raises(Misuse, match="truncated"):
        read_trace(path)

    assert time.process_time() - begun < 0.5


def test_long_list_of_something_else_is_refused_early(tmp_path: Path) -> None:
    path = tmp_path / "numbers.json"
    path.write_text("[" + "1," * 3_000_000 + "1]")
    begun = time.process_time()

    with pytest.raises(Misuse, match="not a trace"):
        read_trace(path)

    assert time.process_time() - begun < 1


def test_endless_value_is_not_read_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text('[{"name":"' + "a" * 5000 + '"}]')

    with pytest.raises(Misuse, match="damaged"):
        names(path, largest=1000, block=256)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_cut_of_a_real_trace_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    whole = (DATA / "bundles.json.gz").read_bytes()
    plain = gzip.decompress(whole) if data.draw(st.booleans()) else whole
    at = data.draw(st.integers(0, len(plain) - 1))
    path = tmp_path / "cut.json"
    path.write_bytes(plain[:at])

    with pytest.raises(Misuse):
        read_trace(path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(sorted(TraceBuilder().begin().navigate().events[0])), max_size=3),
    json_values,
)
def test_odd_arguments_never_break_the_reading(
    tmp_path: Path, missing: list[str], odd: Any
) -> None:
    builder = TraceBuilder().begin().navigate().document().paint(80)
    for event in builder.events[2:]:
        event["args"] = odd
        for name in missing:
            event.pop(name, None)

    assert builder.trace(tmp_path).sets


def test_two_hundred_megabytes_that_were_cut_are_refused_in_a_second(tmp_path: Path) -> None:
    event = json.dumps({"name": "e", "ph": "X", "ts": 1, "args": {"data": "some text " * 20}})
    path = tmp_path / "trace.json.gz"
    with gzip.open(path, "wb", compresslevel=0) as file:
        file.write(b"[\n" + f"{event},\n".encode() * 750_000 + event.encode() + b"\n]")
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 1000)

    started = time.process_time()
    with pytest.raises(Misuse, match="truncated"):
        read_trace(path)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    "data",
    [
        b'{"\xff":[]}',
        b'{"traceEvents":[],"\xff":1}',
        b'{"traceEvents":[{"name":"a\xff","ph":"X"}]}',
        b'{"metadata":{"source":"\xff"},"traceEvents":[{"ph":"\xff"}]}',
    ],
)
def test_bytes_that_are_no_text_are_no_trouble_of_ours(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_bytes(data)
    with suppress(Misuse):
        read_trace(path)
