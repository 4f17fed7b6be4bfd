from __future__ import annotations

from pathlib import Path

from tests.analysis.trace_builder import FRAME, TraceBuilder, recorded


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


def test_selector_costs_are_added_up_without_the_browsers_own(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    for at in (30, 20):
        timings = [
            {
                "selector": ".a",
                "style_sheet_id": "s1",
                "elapsed (us)": 300,
                "match_attempts": 5,
                "match_count": 1,
            },
            {"selector": "p", "style_sheet_id": "ua-style-sheet", "elapsed (us)": 900},
        ]
        builder.add("SelectorStats", at, args={"selector_stats": {"selector_timings": timings}})
    (selector,) = builder.only(tmp_path).selectors

    assert (selector.text, selector.us, selector.attempts, selector.matches) == (".a", 600, 10, 2)


def test_document_marks_are_taken_from_the_main_frame_only(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.data("MarkDOMContent", 30, frame="KID").data("MarkDOMContent", 60, frame=FRAME)
    builder.data("MarkLoad", 70, frame=FRAME).data("MarkLoad", 90, frame=FRAME)
    metrics = builder.only(tmp_path).metrics

    assert (metrics.parsed, metrics.loaded) == (60, 70)


def test_viewport_of_an_iframe_is_not_the_pages() -> None:
    first, second = recorded("navigations").sets

    assert first.not_mobile_friendly
    assert second.not_mobile_friendly
    assert second.viewport is None


def test_last_word_on_the_charset_counts(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.data("MetaCharsetCheck", 30, frame=FRAME, disposition="found-in-first-1024-bytes")
    builder.data("MetaCharsetCheck", 20, frame=FRAME, disposition="not-found")

    assert builder.only(tmp_path).charset == "found-in-first-1024-bytes"


def test_font_is_known_by_the_name_it_turned_out_to_have(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    font = {"id": 21, "url": "https://shop.test/f.woff2", "display": "auto"}
    builder.add("BeginRemoteFontLoad", 30, args=font)
    builder.add("RemoteFontLoaded", 90, args={"url": font["url"], "name": "Open Sans"})
    (found,) = builder.only(tmp_path).fonts

    assert (found.request, found.display, found.name) == ("7.21", "auto", "Open Sans")


def test_size_of_the_document_is_noted(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    deepest, widest = (
        {"depth": 4, "nodeId": 5, "nodeName": "I"},
        {"numChildren": 9, "nodeId": 6, "nodeName": "UL"},
    )
    builder.data(
        "DOMStats", 30, frame=FRAME, totalElements=12, maxDepth=deepest, maxChildren=widest
    )
    (size,) = builder.only(tmp_path).dom_sizes

    assert (size.elements, size.depth, size.deepest, size.children, size.widest) == (
        12,
        4,
        "I",
        9,
        "UL",
    )
