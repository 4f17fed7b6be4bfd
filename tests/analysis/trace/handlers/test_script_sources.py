from __future__ import annotations

from pathlib import Path

from tests.analysis.trace_builder import TraceBuilder, recorded


def test_long_script_is_put_together_from_its_pieces(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.data("ScriptCatchup", 1, isolate="1", scriptId=5, url="https://shop.test/a.js")
    for index, text in ((1, "world"), (0, "hello ")):
        builder.data(
            "LargeScriptCatchup", 2, isolate="1", scriptId=5, splitIndex=index, sourceText=text
        )
    (script,) = builder.only(tmp_path).scripts

    assert (script.url, script.text) == ("https://shop.test/a.js", "hello world")


def test_script_without_address_or_text_is_left_out(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.data("ScriptCatchup", 1, isolate="1", scriptId=1, sourceText="x")
    builder.data("ScriptCatchup", 1, isolate="1", scriptId=2, url="https://shop.test/a.js")

    assert builder.only(tmp_path).scripts == []


def test_recorded_bundles_have_their_text() -> None:
    texts = {script.url[-4:]: len(script.text) for script in recorded("bundles").sets[0].scripts}

    assert texts.keys() == {"a.js", "b.js"}
    assert all(length > 20_000 for length in texts.values())
