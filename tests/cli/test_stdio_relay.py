from __future__ import annotations

import json
import os
from typing import Any

import pytest

from tabmux.cli.stdio_relay import (
    PATH_FLAGS,
    PendingRequests,
    _environment_flags,
    _with_absolute_paths,
)
from tabmux.mcp import rpc
from tabmux.settings import parse_flags, path_flags


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


def test_requests_wait_until_they_are_answered() -> None:
    requests = asked(1, "two", 3)
    requests.note_output(rpc.result("two", {"a": 1}) + b"\n")
    assert requests.take_all() == [1, 3]
    assert requests.take_all() == []


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
    assert requests.take_all() == [3]


def test_notifications_and_requests_of_the_server_answer_nothing() -> None:
    requests = asked(1)
    requests.note_output(rpc.request(1, "roots/list", {}) + b"\n")
    requests.note_output(rpc.notification("notifications/message", {"id": 1}) + b"\n")
    assert requests.take_all() == [1]


def test_cancelled_requests_are_not_waited_for() -> None:
    requests = asked(1, 2)
    requests.note_request(line("notifications/cancelled", requestId=1))
    requests.note_request(line("notifications/cancelled", requestId=[]))
    requests.note_request(b'{"method": "notifications/cancelled", "params": [2]}')
    assert requests.take_all() == [2]


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
    assert requests.take_all() == [1]
    assert not requests.inside_a_line


def test_line_that_was_begun_is_known() -> None:
    requests = asked(1)
    requests.note_output(rpc.result(1, {})[:20])
    assert requests.inside_a_line
    assert requests.take_all() == [1]


def test_settings_of_the_environment_go_with_the_flags() -> None:
    variables = {"TABMUX_READ_ONLY": "1", "TABMUX_DENY_URL": "a.com\nb.com", "TABMUX_OTHER": "1"}
    words = _environment_flags({**variables, "TABMUX_NO_JAVASCRIPT_EVALUATION": "0"})
    assert parse_flags(words) == {"read_only": True, "deny_url": ("a.com", "b.com")}
    assert _environment_flags({"TABMUX_SESSION": "a", "HOME": "/"}) == []


@pytest.mark.parametrize(
    ("flag", "name"),
    [
        ("--config", "config"),
        ("--executable-path", "executable_path"),
        ("--userDataDir", "user_data_dir"),
        ("--log-file", "log_file"),
        ("--policy", "policy"),
    ],
)
def test_paths_are_absolute_for_the_daemon(flag: str, name: str) -> None:
    for words in ([flag, "a/b"], [f"{flag}=a/b"]):
        assert parse_flags(_with_absolute_paths([*words, "--headless"])) == {
            name: os.path.abspath("a/b"),
            "headless": True,
        }


def test_folders_under_every_name_are_absolute_for_the_daemon() -> None:
    for flag in ("--allow-path", "--allowPath", "--filesystem-root", "--workspace"):
        words = _with_absolute_paths([flag, "a", flag, "/b"])
        assert parse_flags(words) == {"allow_path": (os.path.abspath("a"), "/b")}


def test_flags_without_paths_are_passed_on_as_they_are() -> None:
    assert _with_absolute_paths(["--oops"]) == ["--oops"]


def test_relay_knows_every_flag_that_is_a_path() -> None:
    assert {name.replace("_", "") for name in path_flags()} == PATH_FLAGS
