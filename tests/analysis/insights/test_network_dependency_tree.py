from __future__ import annotations

from inline_snapshot import snapshot

from tabmux.analysis.insights.network_dependency_tree import DEEPEST, analyse
from tabmux.analysis.trace.call_frames import CallFrame
from tabmux.analysis.trace.handlers.network_requests import Preconnect
from tests.analysis.insight_set_samples import PAGE, loaded, request
from tests.analysis.trace_builder import recorded


def test_modules_that_load_modules_make_a_deep_tree() -> None:
    found = analyse(recorded("navigations").sets[1])

    assert found.noteworthy
    assert found.details == snapshot(
        (
            "40 ms http://127.0.0.1:9399/pre",
            "  81 ms http://127.0.0.1:9399/mod.js",
            "    145 ms http://127.0.0.1:9399/mod2.js",
            "      220 ms http://127.0.0.1:9399/data.json",
            "preconnect http://localhost:9399: never used",
            "preconnect http://unused.test: never used",
        )
    )


def test_slowest_branch_comes_first() -> None:
    short = request("a.css", 60, 100, priority="High", initiator_url=PAGE)
    script = request("b.js", 60, 90, priority="High", initiator_url=PAGE)
    data = request("c.json", 100, 400, priority="High", caller=CallFrame("load", PAGE + "b.js"))
    found = analyse(loaded(short, script, data))

    assert [line.strip() for line in found.details] == [
        "50 ms https://shop.test/",
        "90 ms https://shop.test/b.js",
        "400 ms https://shop.test/c.json",
        "100 ms https://shop.test/a.css",
    ]
    assert found.finding.startswith(
        "2 critical chains, up to 3 requests deep; the longest ends 400 ms"
    )
    assert found.resources == (PAGE, PAGE + "b.js", PAGE + "c.json")


def test_what_rendering_does_not_need_is_left_out() -> None:
    requests = (
        request("a.jpg", kind="Image", priority="High", initiator_url=PAGE),
        request("b.svg", mime="image/svg+xml", priority="High", initiator_url=PAGE),
        request("c.js", preload=True, priority="High", initiator_url=PAGE),
        request("d.js", priority="Low", initiator_url=PAGE),
        request("e.html", kind="Document", priority="High", initiator_url=PAGE),
        request("f.js", priority="High"),
    )
    found = analyse(loaded(*requests))

    assert found.details == ("50 ms https://shop.test/",)
    assert not found.noteworthy


def test_unused_preconnect_is_worth_a_line() -> None:
    asked = [
        Preconnect(0, "https://cdn.test/"),
        Preconnect(0, "https://idle.test/"),
    ]
    used = request("https://cdn.test/a.css", priority="High", initiator_url=PAGE)
    found = analyse(loaded(used, preconnects=asked))

    assert found.noteworthy
    assert found.details[-2:] == (
        "preconnect https://cdn.test: used",
        "preconnect https://idle.test: never used",
    )


def test_large_tree_is_cut() -> None:
    many = [request(f"{i}.js", priority="High", initiator_url=PAGE) for i in range(60)]
    details = analyse(loaded(*many)).details

    assert (len(details), details[-1]) == (41, "… 21 more")


def test_endless_chain_does_not_exhaust_the_stack() -> None:
    chain = [
        request(f"{i}.js", priority="High", initiator_url=f"{PAGE}{i - 1}.js") for i in range(5000)
    ]

    assert f"up to {DEEPEST} requests deep" in analyse(loaded(*chain)).finding
