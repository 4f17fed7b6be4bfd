from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path
from typing import Any, cast

import pytest
import uvloop

from tabmux.daemon.process import daemon_socket
from tabmux.daemon.process.daemon_socket import DaemonSocket
from tabmux.daemon.process.peer_credentials import peer_uid
from tests.clock import AT_ONCE


class Answering:
    """A line protocol that answers anything."""

    async def answer(self, line: str) -> list[str]:
        return [f"heard {line}"]


async def ask(folder: Path) -> bytes:
    daemon = DaemonSocket(cast(Any, None), cast(Any, Answering()))
    server = await daemon.listen(folder / "s")
    try:
        reader, writer = await asyncio.open_unix_connection(folder / "s")
        writer.write(b"status\n\n")
        async with asyncio.timeout(AT_ONCE):
            heard = await reader.read()
        writer.close()
        return heard
    except ConnectionError:
        return b""
    finally:
        server.close()


def test_user_at_the_other_end_is_known() -> None:
    for end in socket.socketpair():
        with end:
            assert peer_uid(end.fileno()) == os.getuid()


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_only_the_user_of_the_daemon_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any
) -> None:
    assert run(ask(tmp_path)) == b"heard status\n\n"
    monkeypatch.setattr(daemon_socket, "peer_uid", lambda _: os.getuid() + 1)
    assert run(ask(tmp_path)) == b""
