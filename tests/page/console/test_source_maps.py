from __future__ import annotations

import base64
import json
import time
from typing import Any

import pytest

from tabmux.analysis.source_map import OriginalPosition
from tabmux.page.console.source_maps import (
    ScriptPosition,
    original_positions,
    stack_positions,
    text_positions,
    with_original_positions,
)
from tests.page.wiring import PAGE, Wiring

URL = "http://x.test/app.js"
POSITION = ScriptPosition(URL, 0, 5, "7")
MAP = json.dumps({"version": 3, "sources": ["src/a.ts"], "names": [], "mappings": "AAKK"}).encode()
STACK = """Error: trouble
    at inner (http://x.test/app.js:1:6)
    at async http://x.test/app.js:2:1
    at Array.map (<anonymous>)"""


def debugging(wiring: Wiring, map_url: str) -> None:
    """Answer a debugger as Chrome does for one script."""

    def enable(_: dict[str, Any]) -> dict[str, Any]:
        wiring.say(
            "Debugger.scriptParsed", scriptId="7", url=URL, sourceMapURL=map_url,
            startLine=0, startColumn=0,
        )  # fmt: skip
        return {}

    wiring.peer.answers["Debugger.enable"] = enable


def serving(wiring: Wiring, *parts: bytes) -> None:
    """Answer the fetch of a map, part by part."""
    left = list(parts)
    wiring.peer.answers["Network.loadNetworkResource"] = lambda _: {"resource": {"stream": "S"}}
    wiring.peer.answers["IO.read"] = lambda _: {
        "data": base64.b64encode(left.pop(0)).decode(),
        "base64Encoded": True,
        "eof": not left,
    }


async def test_map_inside_the_script_is_read() -> None:
    wiring = Wiring()
    debugging(wiring, f"data:application/json;base64,{base64.b64encode(MAP).decode()}")
    found = await original_positions(wiring.channel(), "F", [POSITION])
    assert found == {POSITION: OriginalPosition("http://x.test/src/a.ts", 5, 5)}
    assert wiring.sent(PAGE)[-3:] == [
        "Debugger.enable",
        "Debugger.setSkipAllPauses",
        "Debugger.disable",
    ]


async def test_map_is_fetched_with_the_rights_of_the_frame() -> None:
    wiring = Wiring()
    debugging(wiring, "maps/app.js.map")
    serving(wiring, MAP[:10], MAP[10:])
    found = await original_positions(wiring.channel(), "F", [POSITION])
    assert found == {POSITION: OriginalPosition("http://x.test/maps/src/a.ts", 5, 5)}
    (asked,) = [e for e in wiring.peer.sent if e["method"] == "Network.loadNetworkResource"]
    assert asked["params"]["url"] == "http://x.test/maps/app.js.map"
    assert asked["params"]["frameId"] == "F"
    assert wiring.sent(PAGE)[-1] == "IO.close"


@pytest.mark.parametrize(
    "map_url",
    [
        "http://other.test/app.js.map",
        "https://x.test/app.js.map",
        "file:///etc/passwd",
        "data:application/json;base64,%%%",
        "data:nothing",
    ],
)
async def test_maps_from_elsewhere_and_broken_ones_are_left_alone(map_url: str) -> None:
    wiring = Wiring()
    debugging(wiring, map_url)
    serving(wiring, MAP)
    assert await original_positions(wiring.channel(), None, [POSITION]) == {}
    assert "Network.loadNetworkResource" not in wiring.sent(PAGE)


async def test_page_that_does_not_answer_costs_only_the_sources() -> None:
    assert await original_positions(Wiring().channel(), "F", [POSITION], seconds=0.05) == {}


async def test_map_that_is_too_large_is_left_alone() -> None:
    wiring = Wiring()
    debugging(wiring, "app.js.map")
    serving(wiring, MAP[:10], MAP[10:])
    few = len(MAP) - 1
    assert await original_positions(wiring.channel(), "F", [POSITION], most_bytes=few) == {}
    assert wiring.sent(PAGE)[-1] == "IO.close"


def test_written_stacks_are_rewritten_where_the_source_is_known() -> None:
    first, second = text_positions(STACK)
    assert (first, second) == (ScriptPosition(URL, 0, 5), ScriptPosition(URL, 1, 0))
    text = with_original_positions(STACK, {first: OriginalPosition("webpack://a/b.ts", 9, 2)})
    assert "at inner (webpack://a/b.ts:10:3)" in text
    assert "at async http://x.test/app.js:2:1" in text


def test_places_of_a_stack_leave_out_the_gaps() -> None:
    frame = {"url": URL, "lineNumber": 0, "columnNumber": 5, "scriptId": "7"}
    assert stack_positions([frame, {"async": "setTimeout"}]) == [POSITION]


@pytest.mark.parametrize("word", ["rl", "a:", "a:1:1", ":1", "1", "(a:1:1", "a: "])
def test_no_text_takes_long_to_search_for_places(word: str) -> None:
    started = time.thread_time()
    text_positions(f"a:{word * 100_000}!")
    assert time.thread_time() - started < 1
