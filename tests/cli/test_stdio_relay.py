from __future__ import annotations

import json
from typing import Any

import pytest

from tabmux.cli.stdio_relay import PendingRequests
from tabmux.mcp import rpc


def line(method: str, ident: str | int | None = None, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}
    if ident is None:
        del message["id"]
    return json.dumps(message).encode() + b"\n"


def asked(*idents: str | int) -> PendingRequests:
    requests = PendingRequests()
    for ident in idents:
        requests.note_request(line("tools/call", ident))
    return requests


def waiting(requests: PendingRequests) -> list[str | int]:
    return [json.loads(each)["id"] for each in requests.waiting]


def test_requests_wait_until_they_are_answered() -> None:
    requests = asked(1, "two", 3)
    requests.note_output(rpc.result("two", {"a": 1}) + b"\n")
    assert waiting(requests) == [1, 3]


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_answers_count_however_they_are_cut(size: int) -> None:
    requests = asked(1, 'a"b\\', 3)
    data = b"".join(
        each + b"\n"
        for each in (rpc.result(1, {"text": "x" * 2000}), rpc.result('a"b\\', {"id": 3}))
    )
    for start in range(0, len(data), size):
        requests.note_output(data[start : start + size])
    assert not requests.inside_a_line
    assert waiting(requests) == [3]


def test_notifications_and_requests_of_the_server_answer_nothing() -> None:
    requests = asked(1)
    requests.note_output(rpc.request(1, "roots/list", {}) + b"\n")
    requests.note_output(rpc.notification("notifications/message", {"id": 1}) + b"\n")
    assert waiting(requests) == [1]


def test_cancelled_requests_are_not_waited_for() -> None:
    requests = asked(1, 2)
    requests.note_request(line("notifications/cancelled", requestId=1))
    requests.note_request(line("notifications/cancelled", requestId=[]))
    requests.note_request(b'{"method": "notifications/cancelled", "params": [2]}')
    assert waiting(requests) == [2]


def test_introduction_is_kept_and_replaced_by_a_later_one() -> None:
    requests = PendingRequests()
    for word in ("one", "two"):
        requests.note_request(line("initialize", 1, word=word))
        requests.note_request(line("notifications/initialized", word=word))
        requests.note_request(line("tools/list", 2))
    assert [json.loads(each)["method"] for each in requests.introduction] == [
        "initialize",
        "notifications/initialized",
    ]
    assert all(b"two" in each for each in requests.introduction)


@pytest.mark.parametrize(
    "noise", [b"\n", b"{", b"3\n", b'{"id":[]}\n', b'[1,{"method":2}]\n', b"[" * 100_000 + b"\n"]
)
def test_what_is_no_message_is_passed_over(noise: bytes) -> None:
    requests = asked(1)
    requests.note_request(noise)
    requests.note_output(noise)
    assert waiting(requests) == [1]


def test_line_that_was_begun_is_known() -> None:
    requests = asked(1)
    requests.note_output(rpc.result(1, {})[:20])
    assert requests.inside_a_line
    assert waiting(requests) == [1]
    requests.cut_line()
    assert not requests.inside_a_line
    requests.note_output(rpc.result(1, {}) + b"\n")
    assert waiting(requests) == []


def test_requests_of_one_line_wait_each_for_itself() -> None:
    requests = PendingRequests()
    messages = [json.loads(line("tools/call", each, name=str(each))) for each in (1, 2)]
    requests.note_request(json.dumps(messages).encode() + b"\n")
    requests.note_output(rpc.result(1, {}) + b"\n")
    assert [json.loads(each) for each in requests.waiting] == messages[1:]


def test_what_was_set_up_for_a_connection_is_part_of_the_introduction() -> None:
    requests = PendingRequests()
    requests.note_request(line("initialize", 1))
    for _ in range(2):
        requests.note_request(line("logging/setLevel", 2, level="debug"))
    assert [json.loads(each)["method"] for each in requests.introduction] == [
        "initialize",
        "logging/setLevel",
    ]
