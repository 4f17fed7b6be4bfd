from __future__ import annotations

import asyncio
import os
import re
import socket
from pathlib import Path

import pytest

from tabmux.bridge import proofs
from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.messages import ExtensionNotification
from tabmux.bridge.pairing import user_keys
from tabmux.daemon.bridge.local_bridge import LocalBridge, is_wanted, port_of
from tabmux.daemon.http.http_server import listen
from tabmux.errors import Misuse
from tabmux.settings import Settings, resolve_settings
from tests.clock import AT_ONCE


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("BROWSER_MCP_DAEMON_PORT", "BROWSER_MCP_DAEMON_URL"):
        monkeypatch.delenv(name, raising=False)


def local(settings: Settings) -> LocalBridge:
    async def forward(event: ExtensionNotification) -> None:
        raise AssertionError(event)

    def welcome(link: ExtensionLink) -> None:
        raise AssertionError(link)

    return LocalBridge(settings, welcome, forward)


async def test_it_listens_on_loopback_only_and_on_both_of_its_addresses() -> None:
    """Nobody else can take the other address that localhost means."""
    async with local(Settings(bridge=True, bridge_port=0)) as bridge:
        await bridge.listen_if_wanted()
        assert bridge.current is not None
        port = bridge.current.port
        found = addresses(port)

        assert found in ({"127.0.0.1"}, {"127.0.0.1", "::1"})
    assert addresses(port) == set()


async def test_a_taken_port_is_done_without_unless_it_was_asked_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    taken = listen("127.0.0.1", 0)
    taken.listen()
    port = taken.getsockname()[1]
    async with local(Settings(bridge=True, bridge_port=port)) as bridge:
        await bridge.listen_if_wanted()
        assert bridge.current is None
        with pytest.raises(Misuse, match=f"Port {port} is taken"):
            await bridge.listen()
    async with local(resolve_settings({"bridge_port": port}, {})) as asked:
        with pytest.raises(Misuse):
            await asked.listen_if_wanted()
    taken.close()

    assert "goes on without" in caplog.text


@pytest.mark.skipif(not socket.has_ipv6, reason="needs IPv6")
async def test_a_port_that_is_taken_on_the_other_address_is_taken() -> None:
    try:
        taken = listen("::1", 0)
    except OSError:
        pytest.skip("this machine has no IPv6")
    taken.listen()
    async with local(Settings(bridge_port=taken.getsockname()[1])) as bridge:
        with pytest.raises(Misuse):
            await bridge.listen()
    taken.close()


async def test_asking_twice_starts_it_once() -> None:
    async with local(Settings(bridge_port=0)) as bridge:
        one, two = await asyncio.gather(bridge.listen(), bridge.listen())

    assert one is two


async def test_insecure_is_said_aloud(capsys: pytest.CaptureFixture[str]) -> None:
    async with local(Settings(bridge_port=0, bridge_insecure=True)) as bridge:
        await bridge.listen_if_wanted()

    assert "Warning: --bridge-insecure" in capsys.readouterr().err


def test_it_is_wanted_when_asked_for_or_when_something_was_paired(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = is_wanted(Settings())
    user_keys().add(proofs.new_key(), "work")
    paired = is_wanted(Settings())
    monkeypatch.setenv("BROWSER_MCP_DAEMON_URL", "http://127.0.0.1:8765")
    elsewhere = is_wanted(Settings())

    assert (before, paired, elsewhere) == (False, True, False)
    assert is_wanted(Settings(bridge=True))
    assert is_wanted(resolve_settings({"bridge_port": 9000}, {}))
    assert not is_wanted(Settings())


def test_the_port_is_the_setting_or_else_the_variable() -> None:
    variable = {"BROWSER_MCP_DAEMON_PORT": "9001"}

    assert port_of(Settings(), {}) == 8765
    assert port_of(Settings(), variable) == 9001
    assert port_of(resolve_settings({"bridge_port": 9002}, {}), variable) == 9002
    with pytest.raises(Misuse, match="no port"):
        port_of(Settings(), {"BROWSER_MCP_DAEMON_PORT": "x"})


def addresses(port: int) -> set[str]:
    """Return where this process listens on a port, as the kernel says."""
    own = {
        match[1]
        for entry in os.scandir("/proc/self/fd")
        if (match := re.match(r"socket:\[(\d+)\]", _target(entry.path)))
    }
    found = set()
    for name, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        for line in Path(f"/proc/net/{name}").read_text(encoding="ascii").splitlines()[1:]:
            fields = line.split()
            address, _, hexadecimal = fields[1].partition(":")
            if fields[3] == "0A" and int(hexadecimal, 16) == port and fields[9] in own:
                words = [bytes.fromhex(address[i : i + 8])[::-1] for i in range(0, len(address), 8)]
                found.add(socket.inet_ntop(family, b"".join(words)))
    return found


def _target(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


async def test_bridge_that_fails_harms_nothing_else_and_can_be_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def defect(*_: object, listener: socket.socket, **__: object) -> None:
        listener.close()
        raise RecursionError("unexpected")

    async with local(Settings(bridge=True, bridge_port=0)) as bridge:
        with monkeypatch.context() as patch:
            patch.setattr("tabmux.daemon.http.http_server.serve_http", defect)
            async with asyncio.timeout(AT_ONCE):
                await bridge.listen_if_wanted()
        assert bridge.current is None
        assert addresses((await bridge.listen()).port)
