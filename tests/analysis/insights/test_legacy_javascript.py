from __future__ import annotations

import pytest

from tabmux.analysis.insights.legacy_javascript import analyse, matches
from tabmux.analysis.trace.handlers.documents_and_scripts import TraceScript
from tests.analysis.insight_set_samples import PAGE, part, request


def features(text: str) -> list[str]:
    return [match.feature for match in matches(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Array.prototype.at = function(){}", ["Array.prototype.at"]),
        ("Object.fromEntries||(Object.fromEntries=f)", ["Object.fromEntries"]),
        ('Object.defineProperty(Array.prototype, "flat", {})', ["Array.prototype.flat"]),
        ("Object.defineProperty(Object,'values',{})", ["Object.values"]),
        ('$({target:"String",proto:!0},{padStart:f})', ["String.prototype.padStart"]),
        ('$({ target: "Object", stat: true }, { hasOwn: f })', ["Object.hasOwn"]),
        ('throw new TypeError("Cannot call a class as a function")', ["compiled classes"]),
        ("var x = regeneratorRuntime.mark(f)", ["compiled generators"]),
        ('"Invalid attempt to spread non-iterable instance"', ["compiled spread"]),
    ],
)
def test_stand_ins_for_modern_features_are_recognised(text: str, expected: list[str]) -> None:
    assert features(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "if (Array.prototype.at == null) {}",
        "Array.prototype.at === x",
        "Array.prototype.myMethod = f",
        "const at = Array.prototype.at;",
        "MyObject.assign = f",
    ],
)
def test_ordinary_code_is_not_taken_for_legacy(text: str) -> None:
    assert features(text) == []


def test_match_says_where_it_is() -> None:
    (match,) = matches("\n\n  Object.assign = f; Object.assign = g")

    assert (match.line, match.column) == (3, 3)


def test_scripts_are_listed_with_what_they_carry() -> None:
    scripts = [
        TraceScript(7, PAGE + "old.js", "Object.assign = f;" + " " * 6000),
        TraceScript(7, PAGE + "small.js", "Object.assign = f;"),
    ]
    found = analyse(part(request("old.js"), request("small.js"), scripts=scripts))

    assert found.finding == "1 polyfill or transform that current browsers do not need, in 1 script"
    assert found.details == (
        "1 match in 1 kB: https://shop.test/old.js",
        "  Object.assign at old.js:1:1",
    )


def test_script_that_was_loaded_before_the_recording_is_read() -> None:
    old = TraceScript(7, PAGE + "old.js", "Object.assign = f;" + " " * 6000)
    found = analyse(part(scripts=[old]))

    assert found.noteworthy
    assert found.details[0] == "1 match in 6 kB: https://shop.test/old.js"


def test_scripts_inside_the_document_are_told_apart() -> None:
    texts = ["Object.assign = f;" + " " * 6000, "Object.values = f;" + " " * 6000, " " * 6000]
    found = analyse(part(scripts=[TraceScript(7, PAGE, text) for text in texts]))

    assert found.finding.endswith("in 2 scripts")


def test_extensions_of_the_browser_are_not_the_page() -> None:
    injected = TraceScript(7, "chrome-extension://abc/x.js", "Object.assign = f;" + " " * 6000)

    assert not analyse(part(scripts=[injected])).noteworthy


@pytest.mark.parametrize("length", [10, 6000])
def test_clean_scripts_pass(length: int) -> None:
    clean = TraceScript(7, PAGE + "new.js", " " * length)

    assert analyse(part(request("new.js"), scripts=[clean])).finding == "none in 1 script"


def test_trace_without_script_text_says_so() -> None:
    finding = analyse(part(request("new.js"))).finding

    assert finding == "not known, because the trace holds no text of scripts"
