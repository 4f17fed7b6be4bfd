from __future__ import annotations

import json
from typing import Any

import pytest

from tabmux.cli.talk import Talk
from tabmux.mcp import rpc


def line(method: str, ident: str | int | None = None, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}
    if ident is None:
        del message["id"]
    return json.dumps(message).encode() + b"\n"


def asked(*idents: str | int) -> Talk:
    talk = Talk()
    for ident in idents:
        talk.asked(line("tools/call", ident))
    return talk


def test_requests_wait_until_they_are_answered() -> None:
    talk = asked(1, "two", 3)
    talk.answered(rpc.result("two", {"a": 1}) + b"\n")
    assert talk.abandon() == [1, 3]
    assert talk.abandon() == []


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_answers_count_however_they_are_cut(size: int) -> None:
    talk = asked(1, 'a"b\\', 3)
    data = b"".join(
        each + b"\n"
        for each in (rpc.result(1, {"text": "x" * 2000}), rpc.result('a"b\\', {"id": 3}))
    )
    for start in range(0, len(data), size):
        talk.answered(data[start : start + size])
    assert not talk.inside_a_line
    assert talk.abandon() == [3]


def test_notifications_and_requests_of_the_server_answer_nothing() -> None:
    talk = asked(1)
    talk.answered(rpc.request(1, "roots/list", {}) + b"\n")
    talk.answered(rpc.notification("notifications/message", {"id": 1}) + b"\n")
    assert talk.abandon() == [1]


def test_cancelled_requests_are_not_waited_for() -> None:
    talk = asked(1, 2)
    talk.asked(line("notifications/cancelled", requestId=1))
    talk.asked(line("notifications/cancelled", requestId=[]))
    talk.asked(b'{"method": "notifications/cancelled", "params": [2]}')
    assert talk.abandon() == [2]


def test_introduction_is_kept_and_replaced_by_a_later_one() -> None:
    talk = Talk()
    for word in ("one", "two"):
        talk.asked(line("initialize", 1, word=word))
        talk.asked(line("notifications/initialized", word=word))
        talk.asked(line("tools/list", 2))
    assert [json.loads(each)["method"] for each in talk.opening] == [
        "initialize",
        "notifications/initialized",
    ]
    assert all(b"two" in each for each in talk.opening)


@pytest.mark.parametrize(
    "noise", [b"\n", b"{", b"3\n", b'{"id":[]}\n', b'[1,{"method":2}]\n', b"[" * 100_000 + b"\n"]
)
def test_what_is_no_message_is_passed_over(noise: bytes) -> None:
    talk = asked(1)
    talk.asked(noise)
    talk.answered(noise)
    assert talk.abandon() == [1]
    assert not talk.inside_a_line


def test_line_that_was_begun_is_known() -> None:
    talk = asked(1)
    talk.answered(rpc.result(1, {})[:20])
    assert talk.inside_a_line
    assert talk.abandon() == [1]
