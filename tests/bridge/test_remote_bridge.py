from __future__ import annotations

import asyncio

import pytest

from tabmux.bridge.remote_bridge import RemoteCommands, local_address
from tabmux.errors import BrowserTrouble, DeadlineExceeded, Misuse
from tests.bridge.place import TOKEN, Place
from tests.ports import free_port


async def test_a_command_is_carried_out_by_the_bridge_of_another_process(place: Place) -> None:
    remote = RemoteCommands(place.http, TOKEN)
    async with place.socket("/session/s1") as stub, asyncio.TaskGroup() as group:
        asked = group.create_task(remote.run("s1", "js.execute", {"code": "1"}, tab=5))
        command = await stub.receive()
        data = {"success": False, "error": "no", "tabId": 5}
        await stub.send({"type": "response", "id": command["id"], "data": data})

    assert command["tabId"] == 5
    assert asked.result() == {"data": data, "error": "no"}


async def test_what_the_bridge_refuses_is_an_error_that_says_why(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BrowserTrouble, match="No extension is connected"):
        await RemoteCommands(place.http, TOKEN).run("s1", "x", {})
    with pytest.raises(BrowserTrouble, match="token is missing or wrong"):
        await RemoteCommands(place.http, "wrong").run("s1", "x", {})
    run = place.bridge.commands.run
    monkeypatch.setitem(run.__func__.__kwdefaults__, "seconds", 0.05)  # type: ignore[attr-defined]
    async with place.socket("/session/s1"):
        with pytest.raises(DeadlineExceeded):
            await RemoteCommands(place.http, TOKEN).run("s1", "x", {})


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
