"""Both connections against a daemon that the test plays, line by line."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import uvloop

from tabmux import exceptions
from tabmux.library.async_connection import AsyncSocketConnection
from tabmux.library.sync_connection import SyncSocketConnection
from tabmux.library.wire import CallNotSent

FOLDERS = (Path("/some/folder"),)
Play = Callable[["FakeDaemon"], None]


class FakeDaemon:
    """The daemon's end of a socket."""

    def __init__(self, end: socket.socket) -> None:
        self._end, self._file = end, end.makefile("rb")
        self.heard: list[dict[str, Any]] = []

    def hear(self) -> dict[str, Any]:
        """Read one message."""
        message: dict[str, Any] = json.loads(self._file.readline())
        self.heard.append(message)
        return message

    def say(self, **message: Any) -> None:
        """Write one message."""
        self._end.sendall(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def welcome(self) -> None:
        """Let a client introduce itself."""
        self.say(id=self.hear()["id"], result={})
        self.hear()

    def hang_up(self) -> None:
        """End the connection."""
        self._file.close()
        self._end.close()


def played(play: Play) -> tuple[socket.socket, FakeDaemon, threading.Thread]:
    near, far = socket.socketpair()
    far.settimeout(20)
    daemon = FakeDaemon(far)

    def run() -> None:
        daemon.welcome()
        play(daemon)
        daemon.hang_up()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return near, daemon, thread


def answer_in_pieces(daemon: FakeDaemon) -> None:
    """Answer amid notifications, noise and a question, in pieces of any size."""
    ident = daemon.hear()["id"]
    daemon.say(method="notifications/message", params={})
    daemon._end.sendall(b"no json\n[1, 2]\n")
    daemon.say(id=ident + 1000, result={"wrong": True})
    daemon.say(id=ident, method="roots/list")
    assert daemon.hear()["result"] == {"roots": [{"uri": "file:///some/folder"}]}
    daemon.say(id="x", method="elicitation/create")
    assert daemon.hear()["error"]["code"] == -32601
    answer = json.dumps({"jsonrpc": "2.0", "id": ident, "result": {"text": "ä" * 5000}}).encode()
    for start in range(0, len(answer), 999):
        daemon._end.sendall(answer[start : start + 999])
    daemon._end.sendall(b"\n")


async def ask_async(link: socket.socket) -> dict[str, Any]:
    connection = await AsyncSocketConnection.over(link, FOLDERS)
    try:
        return await connection.request("tools/call", {})
    finally:
        await connection.close()


def ask_sync(link: socket.socket) -> dict[str, Any]:
    connection = SyncSocketConnection.over(link, FOLDERS)
    try:
        return connection.request("tools/call", {})
    finally:
        connection.close()


async def ask(twin: str, link: socket.socket) -> dict[str, Any]:
    return await (ask_async(link) if twin == "async" else asyncio.to_thread(ask_sync, link))


@pytest.mark.parametrize("twin", ["async", "sync"])
async def test_answer_is_found_amid_everything_else(twin: str) -> None:
    link, _, thread = played(answer_in_pieces)
    assert await ask(twin, link) == {"text": "ä" * 5000}
    thread.join(20)


@pytest.mark.parametrize("twin", ["async", "sync"])
async def test_daemon_that_hangs_up_fails_the_call(twin: str) -> None:
    link, _, _ = played(lambda daemon: daemon.heard.append(daemon.hear()))
    with pytest.raises(exceptions.OutcomeUnknown, match="how far the call came is unknown"):
        await ask(twin, link)


@pytest.mark.parametrize("twin", ["async", "sync"])
async def test_answer_that_cannot_be_read_fails_its_call(twin: str) -> None:
    def answer_too_deep(daemon: FakeDaemon) -> None:
        ident, deep = daemon.hear()["id"], "[" * 200 + "]" * 200
        answer = f'{{"jsonrpc":"2.0","id":{ident},"result":{{"structuredContent":{deep}}}}}'
        daemon._end.sendall(answer.encode() + b"\n")
        daemon.say(id=ident, result={"late": True})

    link, _, _ = played(answer_too_deep)
    with pytest.raises(exceptions.TabmuxError, match="nested more than 100 levels") as failure:
        await ask(twin, link)
    assert "file_path" in failure.value.hint


@pytest.mark.parametrize("twin", ["async", "sync"])
async def test_call_after_the_daemon_has_hung_up_is_known_not_to_be_made(twin: str) -> None:
    link, _, thread = played(lambda daemon: None)
    if twin == "sync":
        blocking = SyncSocketConnection.over(link, FOLDERS)
        await asyncio.to_thread(thread.join, 20)
        with pytest.raises(CallNotSent):
            blocking.request("tools/call", {})
        blocking.close()
        return
    connection = await AsyncSocketConnection.over(link, FOLDERS)
    await connection.close()
    with pytest.raises(CallNotSent):
        await connection.request("tools/call", {})


async def test_end_of_the_daemon_that_is_noticed_by_the_call_is_no_unknown_outcome() -> None:
    link, _, thread = played(lambda daemon: None)
    connection = await AsyncSocketConnection.over(link, FOLDERS)
    # The event loop does not come to read the end before.
    thread.join(20)
    with pytest.raises(CallNotSent):
        await connection.request("tools/call", {})
    assert connection.has_ended
    await connection.close()


def test_connection_that_was_lost_can_be_closed_in_a_loop_that_is_strict_about_it() -> None:
    link, _, _ = played(lambda daemon: daemon.heard.append(daemon.hear()))
    with pytest.raises(exceptions.OutcomeUnknown):
        uvloop.run(ask_async(link))


@pytest.mark.parametrize("twin", ["async", "sync"])
async def test_error_of_the_protocol_is_raised(twin: str) -> None:
    def refuse(daemon: FakeDaemon) -> None:
        daemon.say(id=daemon.hear()["id"], error={"code": -32000, "message": "Too much."})

    link, _, _ = played(refuse)
    with pytest.raises(exceptions.Busy, match="Too much"):
        await ask(twin, link)


@pytest.mark.parametrize("twin", ["async", "sync"])
async def test_link_that_is_not_let_in_is_closed(twin: str) -> None:
    near, far = socket.socketpair()
    far.settimeout(20)
    daemon = FakeDaemon(far)

    def refuse_and_wait_for_the_end() -> bytes:
        error = {"code": -32000, "message": "Too many."}
        daemon.say(id=daemon.hear()["id"], error=error)
        far.shutdown(socket.SHUT_WR)
        try:
            return far.recv(1)
        finally:
            daemon.hang_up()

    loop = asyncio.get_running_loop()
    refusing = loop.run_in_executor(None, refuse_and_wait_for_the_end)
    with pytest.raises(exceptions.Busy, match="Too many"):
        await ask(twin, near)
    assert await refusing == b""


async def test_cancelled_request_is_cancelled_in_the_daemon() -> None:
    def wait(daemon: FakeDaemon) -> None:
        daemon.hear()
        daemon.hear()

    link, daemon, thread = played(wait)
    connection = await AsyncSocketConnection.over(link, FOLDERS)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await connection.request("tools/call", {})
    await asyncio.to_thread(thread.join, 20)
    asked, cancelled = daemon.heard[-2:]
    assert cancelled["params"] == {"requestId": asked["id"]}
    await connection.close()


async def test_many_requests_share_a_connection() -> None:
    def answer_backwards(daemon: FakeDaemon) -> None:
        idents = [daemon.hear()["id"] for _ in range(20)]
        for ident in reversed(idents):
            daemon.say(id=ident, result={"id": ident})

    link, _, _ = played(answer_backwards)
    connection = await AsyncSocketConnection.over(link, FOLDERS)
    found = await asyncio.gather(*(connection.request("tools/call", {}) for _ in range(20)))
    assert [each["id"] for each in found] == sorted(each["id"] for each in found)
    await connection.close()
