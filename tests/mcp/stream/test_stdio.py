from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

from tabmux.mcp.stream.handshake import Handshake
from tabmux.mcp.stream.stdio import serve_stdio
from tests.mcp.fake_backend import FakeBackend
from tests.mcp.raw_clients import INITIALIZE, SECONDS, request

SERVER = [sys.executable, "-m", "tests.mcp.stdio_server"]


async def run(*messages: bytes | dict[str, object]) -> tuple[list[dict[str, object]], str, int]:
    """Start the server, send it all messages, close its input and wait for its end."""
    process = await asyncio.create_subprocess_exec(*SERVER, stdin=-1, stdout=-1, stderr=-1)
    lines = [m if isinstance(m, bytes) else json.dumps(m).encode() for m in messages]
    async with asyncio.timeout(4 * SECONDS):
        out, error = await process.communicate(b"\n".join(lines) + b"\n")
    assert process.returncode is not None
    return [json.loads(line) for line in out.splitlines()], error.decode(), process.returncode


async def test_only_messages_reach_standard_output() -> None:
    answers, error, _ = await run(
        request(1, "initialize", **INITIALIZE), b"garbage", request(2, "tools/call", name="echo")
    )

    assert [answer["id"] for answer in answers] == [1, None, 2]
    assert "a stray print\na stray write\n" in error


async def test_the_end_of_input_ends_the_process_and_its_session() -> None:
    _, error, code = await run(
        request(1, "initialize", **INITIALIZE), request(2, "tools/call", name="slow")
    )

    assert code == 0
    assert error.endswith("left open: 0\n")


async def test_nothing_to_read_ends_the_process() -> None:
    process = await asyncio.create_subprocess_exec(
        *SERVER, stdin=asyncio.subprocess.DEVNULL, stdout=-1, stderr=-1
    )
    async with asyncio.timeout(4 * SECONDS):
        out, _ = await process.communicate()

    assert (out, process.returncode) == (b"", 0)


async def test_files_stand_in_for_pipes(backend: FakeBackend, tmp_path: Path) -> None:
    asked, answered = tmp_path / "in", tmp_path / "out"
    messages = [request(1, "initialize", **INITIALIZE), request(2, "tools/list")]
    asked.write_text("\n".join(json.dumps(m) for m in messages), encoding="utf-8")

    with asked.open("rb") as stdin, answered.open("wb") as stdout:
        await serve_stdio(backend, stdin=stdin.fileno(), stdout=stdout.fileno(), version="1")

    lines = answered.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == [1, 2]
    assert backend.opened[0].closed.is_set()


async def test_given_pipes_are_served_and_left_as_they_were(backend: FakeBackend) -> None:
    (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
    os.write(ours_out, json.dumps(request(1, "ping")).encode() + b"\n")
    os.close(ours_out)

    async with asyncio.timeout(SECONDS):
        await serve_stdio(backend, stdin=theirs_in, stdout=theirs_out, version="1")

    assert os.get_blocking(theirs_in)
    assert os.get_blocking(theirs_out)
    assert json.loads(os.read(ours_in, 1000))["id"] == 1
    for descriptor in (theirs_in, theirs_out, ours_in):
        os.close(descriptor)


async def test_a_client_that_was_answered_before_is_served_on(backend: FakeBackend) -> None:
    (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
    os.write(ours_out, json.dumps(request(3, "tools/list")).encode() + b"\n")
    os.close(ours_out)
    read = json.dumps(request(2, "ping")).encode() + b"\n"

    async with asyncio.timeout(SECONDS):
        await serve_stdio(
            backend,
            stdin=theirs_in,
            stdout=theirs_out,
            version="1",
            handshake=Handshake(INITIALIZE, read),
        )

    answers = [json.loads(line) for line in os.read(ours_in, 60_000).splitlines()]
    assert [answer["id"] for answer in answers] == [2, 3]
    assert answers[1]["result"]["tools"]
    assert backend.opened[0].client == "test/1"
    for descriptor in (theirs_in, theirs_out, ours_in):
        os.close(descriptor)


async def test_a_client_that_stops_reading_does_not_keep_the_server_alive(
    backend: FakeBackend,
) -> None:
    (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
    big = request(2, "tools/call", name="echo", arguments={"text": "x" * 40_000})
    messages = [request(1, "initialize", **INITIALIZE), *[{**big, "id": i} for i in range(2, 9)]]

    async with asyncio.timeout(2 * SECONDS), asyncio.TaskGroup() as group:
        group.create_task(serve_stdio(backend, stdin=theirs_in, stdout=theirs_out, version="1"))
        await asyncio.to_thread(_write_all, ours_out, messages)
        os.close(ours_out)

    assert backend.opened[0].closed.is_set()
    for descriptor in (theirs_in, theirs_out, ours_in):
        os.close(descriptor)


def _write_all(descriptor: int, messages: list[dict[str, object]]) -> None:
    data = b"".join(json.dumps(m).encode() + b"\n" for m in messages)
    while data:
        data = data[os.write(descriptor, data) :]
