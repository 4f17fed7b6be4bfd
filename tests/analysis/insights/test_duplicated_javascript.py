from __future__ import annotations

import json

import pytest

from tabmux.analysis.insights.duplicated_javascript import analyse, module_path
from tabmux.analysis.trace.handlers.documents_and_scripts import TraceScript
from tests.analysis.insight_set_samples import PAGE, part, request
from tests.analysis.trace_builder import recorded


def test_module_in_two_bundles_is_found_through_their_inline_maps() -> None:
    found = analyse(recorded("bundles").sets[0])

    assert found.finding == "1 module sent more than once, 6.1 kB too much"
    assert found.details == ("6.1 kB lodash/index.js: a.js 6.1 kB, b.js 6.1 kB",)


def test_given_maps_are_used_and_bytes_count_as_sent() -> None:
    maps = {
        PAGE + name: json.dumps({"sources": [source], "mappings": "AAAA"})
        for name, source in (("a.js", "./src/x.js"), ("b.js", "webpack:///./src/x.js"))
    }
    scripts = [TraceScript(7, url, "x" * 4000) for url in maps]
    sent = [request(name, encoded=2000, decoded=4000) for name in ("a.js", "b.js")]
    found = analyse(part(*sent, scripts=scripts, source_maps=maps))

    assert found.savings.bytes == 2000


def test_small_or_much_smaller_copies_are_no_duplicates() -> None:
    text = {"sources": ["./a.js", "webpack/bootstrap"], "mappings": "AAAA;ACAA"}
    maps = {PAGE + "a.js": json.dumps(text), PAGE + "b.js": json.dumps(text)}
    scripts = [
        TraceScript(7, PAGE + "a.js", "x" * 9000 + "\n" + "y" * 9000),
        TraceScript(7, PAGE + "b.js", "x" * 800 + "\n" + "y" * 9000),
    ]
    found = analyse(part(request("a.js"), request("b.js"), scripts=scripts, source_maps=maps))

    assert found.finding == "no module is in 2 scripts twice"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("webpack:///./node_modules/lodash/index.js?1234", "lodash/index.js"),
        ("../a/node_modules/b/node_modules/c/x.js", "c/x.js"),
        ("webpack://app/webpack/bootstrap", "app/webpack/bootstrap"),
        ("webpack:///webpack/bootstrap", ""),
        ('webpack:///external "react"', ""),
        ("./src/app.js", "src/app.js"),
    ],
)
def test_source_is_known_by_what_is_the_same_in_every_bundle(source: str, expected: str) -> None:
    assert module_path(source) == expected
