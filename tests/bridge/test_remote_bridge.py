from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tabmux.bridge import proofs
from tabmux.bridge.bridge_limits import BridgeLimits
from tabmux.bridge.remote_bridge import RemoteCommands, local_address
from tabmux.concurrency import Signal, TaskOwner
from tabmux.errors import BrowserTrouble, DeadlineExceeded, Misuse
from tests.bridge.served_bridge import SECONDS, TOKEN, ServedBridge, serve_bridge
from tests.ports import free_port


async def test_a_command_is_carried_out_by_the_bridge_of_another_process(
    served: ServedBridge,
) -> None:
    remote = RemoteCommands(served.http, TOKEN)
    async with served.socket("/session/s1") as stub, asyncio.TaskGroup() as group:
        asked = group.create_task(remote.run("s1", "js.execute", {"code": "1"}, tab=5))
        command = await stub.receive()
        data = {"success": False, "error": "no", "tabId": 5}
        await stub.send({"type": "response", "id": command["id"], "data": data})

    assert command["tabId"] == 5
    assert asked.result() == {"data": data, "error": "no"}


async def test_sessions_that_the_other_process_can_serve_are_known_at_once(
    served: ServedBridge,
) -> None:
    remote, signal = RemoteCommands(served.http, TOKEN), Signal()
    key = proofs.new_key()
    served.keys.add(key, "work")

    async def until_served(name: str | None) -> None:
        assert await signal.until(lambda: remote.served(("secret", "s1")) == name, SECONDS)

    async with TaskOwner() as owner:
        owner.start(remote.watch(signal.notify))
        await until_served(None)
        async with served.socket("/session/s1"):
            await until_served("s1")
        await until_served(None)
        async with served.extension(key):  # one of ours serves any session
            await until_served("secret")
        await until_served(None)


async def test_bridge_that_is_away_serves_nobody_until_it_is_back(tmp_path: Path) -> None:
    port = free_port()
    remote, signal = RemoteCommands(f"http://127.0.0.1:{port}", TOKEN), Signal()
    async with TaskOwner() as owner:
        owner.start(remote.watch(signal.notify))
        for _ in range(2):
            async with serve_bridge(tmp_path, port=port) as served, served.socket("/session/s1"):
                assert await signal.until(lambda: remote.served(["s1"]) == "s1", SECONDS)
            assert await signal.until(lambda: remote.served(["s1"]) is None, SECONDS)


async def test_what_the_bridge_refuses_is_an_error_that_says_why(served: ServedBridge) -> None:
    with pytest.raises(BrowserTrouble, match="No extension is connected"):
        await RemoteCommands(served.http, TOKEN).run("s1", "x", {})
    with pytest.raises(BrowserTrouble, match="token is missing or wrong"):
        await RemoteCommands(served.http, "wrong").run("s1", "x", {})


async def test_an_extension_that_does_not_answer_is_a_deadline_here_too(tmp_path: Path) -> None:
    limits = BridgeLimits(command_seconds=0.05)
    async with serve_bridge(tmp_path, limits=limits) as served, served.socket("/session/s1"):
        with pytest.raises(DeadlineExceeded):
            await RemoteCommands(served.http, TOKEN).run("s1", "x", {})


async def test_no_bridge_and_no_http_are_told_apart_from_a_slow_extension() -> None:
    with pytest.raises(BrowserTrouble, match="No bridge answers") as caught:
        await RemoteCommands(f"http://127.0.0.1:{free_port()}", TOKEN).run("s1", "x", {})
    assert "tabmux bridge" in caught.value.hint

    async def mumble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 smtp.example\r\n")
        writer.close()

    server = await asyncio.start_server(mumble, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(BrowserTrouble, match="not HTTP"):
            await RemoteCommands(f"http://127.0.0.1:{port}", TOKEN).run("s1", "x", {})


@pytest.mark.parametrize(
    "address",
    ["https://127.0.0.1:1", "http://example.com", "http://127.0.0.1.evil.example", "x", ""],
)
def test_the_other_process_is_on_this_machine(address: str) -> None:
    with pytest.raises(Misuse, match="on this machine"):
        local_address(address, "BROWSER_MCP_DAEMON_URL")
    assert local_address("http://localhost:8765/", "X") == "http://localhost:8765"
