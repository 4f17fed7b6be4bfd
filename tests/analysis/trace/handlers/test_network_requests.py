from __future__ import annotations

from pathlib import Path

from tabmux.analysis.trace.call_frames import CallFrame
from tests.analysis.trace_builder import PAGE, START, TraceBuilder, recorded

SCRIPT = "https://shop.test/app.js"


def test_request_knows_its_times_and_sizes(tmp_path: Path) -> None:
    timing = {
        "requestTime": START / 1e6 + 0.02,
        "sendStart": 5,
        "sendEnd": 6,
        "receiveHeadersStart": 30,
    }
    response = {"mimeType": "text/javascript", "protocol": "h2", "timing": timing}
    builder = TraceBuilder().begin().navigate().document()
    builder.request(SCRIPT, 10, 90, response=response, finish={"encodedDataLength": 500})
    request = builder.only(tmp_path).requests[1]

    assert (request.started, request.sent) == (START + 10_000, START + 25_000)
    assert (request.first_byte, request.network_end) == (START + 50_000, START + 90_000)
    assert (request.ended, request.ms, request.server_ms) == (START + 91_000, 81, 24)
    assert (request.status, request.mime, request.protocol) == (200, "text/javascript", "h2")
    assert (request.encoded, request.decoded) == (500, 900)


def test_request_without_timings_takes_the_moments_of_its_events(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().request(SCRIPT, 10, 90, finish={"finishTime": 0})
    (request,) = builder.only(tmp_path).requests

    assert (request.sent, request.first_byte) == (START + 10_000, START + 90_000)
    assert (request.network_end, request.server_ms) == (START + 91_000, 0)


def test_connection_that_never_sent_counts_no_server_time(tmp_path: Path) -> None:
    timing = {"requestTime": 1.0, "receiveHeadersEnd": 30}
    builder = TraceBuilder().begin().navigate().request(SCRIPT, 10, 90, response={"timing": timing})
    (request,) = builder.only(tmp_path).requests

    assert (request.server_ms, request.first_byte) == (0, 1_030_000)


def test_redirects_are_told_apart_from_the_final_request() -> None:
    document = recorded("navigations").sets[0].document

    assert document is not None
    assert document.url == "http://127.0.0.1:9399/nometa"
    assert len(document.redirects) == 1
    assert round(document.redirect_ms, 1) == 15.5


def test_redirect_without_announcement_starts_with_its_first_send(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.data("ResourceSendRequest", 5, requestId="7.1", url="http://shop.test/old.js")
    (request,) = builder.request(SCRIPT, 10, 90, id="7.1").only(tmp_path).requests

    assert (request.started, request.redirect_ms) == (START + 5000, 5)
    assert request.redirects == ("http://shop.test/old.js",)


def test_later_news_of_a_request_replaces_what_was_known(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.request(SCRIPT, 10, 90, id="7.1", priority="Low", renderBlocking="potentially_blocking")
    builder.data("ResourceChangePriority", 20, requestId="7.1", priority="High")
    builder.data(
        "PreloadRenderBlockingStatusChange", 30, requestId="7.1", renderBlocking="blocking"
    )
    builder.data("ResourceMarkAsCached", 40, requestId="7.1")
    (request,) = builder.only(tmp_path).requests

    assert (request.priority, request.blocks, request.cached) == ("High", True, True)


def test_unfinished_request_is_left_out(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().document()
    builder.data("ResourceSendRequest", 5, requestId="7.9", url=SCRIPT)
    builder.data("ResourceFinish", 6, requestId="7.10")

    assert [request.url for request in builder.only(tmp_path).requests] == [PAGE]


def test_request_is_asked_by_its_initiator_or_by_the_calling_script(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    stack = [
        {"functionName": "inner"},
        {"functionName": "load", "url": SCRIPT, "lineNumber": 3, "columnNumber": 4},
    ]
    builder.request("https://shop.test/a.css", 10, 20, initiator={"type": "parser", "url": PAGE})
    builder.request("https://shop.test/b.json", 30, 40, stackTrace=stack)
    builder.request("https://shop.test/c.json", 50, 60)
    parsed, called, unknown = builder.only(tmp_path).requests

    assert [request.asked_by for request in (parsed, called, unknown)] == [PAGE, SCRIPT, ""]
    assert called.caller == CallFrame("load", SCRIPT, 3, 4)


def test_preconnects_are_listed() -> None:
    asked = [preconnect.url for preconnect in recorded("navigations").sets[1].preconnects]

    assert asked == ["http://localhost:9399/", "http://unused.test/"]


def test_data_url_is_no_request(tmp_path: Path) -> None:
    """It came with the document; the other implementation leaves it out too."""
    builder = TraceBuilder().begin().navigate().document().request(SCRIPT, 10, 90)
    builder.request("data:text/css,a{}", 200, 1263, resourceType="Stylesheet", priority="VeryHigh")

    assert [request.url for request in builder.only(tmp_path).requests] == [PAGE, SCRIPT]
