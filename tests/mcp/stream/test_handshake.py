from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabmux.mcp.server_info import ServerInfo
from tabmux.mcp.stream.handshake import Handshake, shake_hands
from tests.mcp.raw_clients import INITIALIZE, request

SERVER = ServerInfo("1.2.3", instructions="Be kind.", offered={"resources": {"subscribe": True}})
HELLO = json.dumps(request(1, "initialize", **INITIALIZE)).encode() + b"\n"


class Pipes:
    """Standard input and output of a server, as its client holds them."""

    def __init__(self) -> None:
        (self.stdin, self._writing), (self._reading, self.stdout) = os.pipe(), os.pipe()
        os.set_blocking(self._reading, False)

    def write(self, data: bytes) -> None:
        os.write(self._writing, data)

    def hang_up(self) -> None:
        os.close(self._writing)
        self._writing = -1

    def stop_reading(self) -> None:
        os.close(self._reading)
        self._reading = -1

    def read(self) -> bytes:
        """Return what was answered by now."""
        try:
            return os.read(self._reading, 100_000)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        for descriptor in (self.stdin, self._writing, self._reading, self.stdout):
            if descriptor >= 0:
                os.close(descriptor)


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    made = Pipes()
    yield made
    made.close()


def test_a_client_that_has_introduced_itself_is_answered(pipes: Pipes) -> None:
    pipes.write(HELLO)

    handshake = shake_hands(SERVER, pipes.stdin, pipes.stdout)

    answer = json.loads(pipes.read())
    assert answer["id"] == 1
    assert answer["result"] == SERVER.initialize(INITIALIZE)[1]
    assert answer["result"]["capabilities"]["resources"] == {"subscribe": True}
    assert handshake == Handshake(INITIALIZE, b"")


def test_what_follows_the_introduction_is_left_to_be_served(pipes: Pipes) -> None:
    following = json.dumps(request(2, "tools/list")).encode() + b"\n"
    pipes.write(HELLO + following)

    assert shake_hands(SERVER, pipes.stdin, pipes.stdout).rest == following
    assert pipes.read().count(b"\n") == 1


def test_a_client_that_has_said_nothing_yet_is_not_waited_for(pipes: Pipes) -> None:
    assert shake_hands(SERVER, pipes.stdin, pipes.stdout) == Handshake()


def test_a_client_that_has_left_is_noticed_later(pipes: Pipes) -> None:
    pipes.hang_up()
    assert shake_hands(SERVER, pipes.stdin, pipes.stdout) == Handshake()


def test_a_client_that_no_longer_reads_is_noticed_later(pipes: Pipes) -> None:
    pipes.write(HELLO)
    pipes.stop_reading()
    assert shake_hands(SERVER, pipes.stdin, pipes.stdout) == Handshake(rest=HELLO)


@pytest.mark.parametrize(
    "said",
    [
        HELLO[:40],
        HELLO.rstrip(),
        b"garbage\n",
        b"\n" + HELLO,
        json.dumps(request(1, "ping")).encode() + b"\n",
        json.dumps({"jsonrpc": "2.0", "method": "initialize", "params": INITIALIZE}).encode()
        + b"\n",
        json.dumps(request(1, "initialize", protocolVersion=3)).encode() + b"\n",
    ],
)
def test_everything_else_is_left_to_the_connection(pipes: Pipes, said: bytes) -> None:
    pipes.write(said)

    assert shake_hands(SERVER, pipes.stdin, pipes.stdout) == Handshake(rest=said)
    assert pipes.read() == b""


def test_a_file_is_left_to_the_connection(pipes: Pipes, tmp_path: Path) -> None:
    asked = tmp_path / "in"
    asked.write_bytes(HELLO)
    with asked.open("rb") as stdin:
        assert shake_hands(SERVER, stdin.fileno(), pipes.stdout) == Handshake()
        assert stdin.read() == HELLO
