from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from tabmux.bridge import proofs
from tabmux.bridge.extension_package import extension_origin
from tabmux.bridge.pairing import PairedKeys
from tabmux.folders import data_folder
from tests.bridge.processes import process
from tests.bridge.served_bridge import ExtensionClient
from tests.homes import home_in
from tests.ports import free_port


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return home_in(tmp_path)


def run(home: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tabmux", "extension", *arguments],
        capture_output=True, text=True, timeout=60, env=home, check=False,
    )  # fmt: skip


def keys_in(home: dict[str, str]) -> PairedKeys:
    return PairedKeys(Path(data_folder(home["HOME"])) / "bridge" / "keys")


def test_path_is_a_folder_that_chrome_can_load(home: dict[str, str]) -> None:
    folder = Path(run(home, "path").stdout.strip())

    assert (
        json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["manifest_version"] == 3
    )


def test_pack_writes_the_same_zip_twice(home: dict[str, str], tmp_path: Path) -> None:
    files = [tmp_path / "one.zip", tmp_path / "two.zip"]
    printed = [run(home, "pack", str(file)).stdout.strip() for file in files]

    assert printed == [str(file) for file in files]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert "manifest.json" in zipfile.ZipFile(files[0]).namelist()


def test_a_token_can_be_made_listed_and_taken_back(home: dict[str, str]) -> None:
    token = run(home, "token", "mine").stdout.strip()
    found = keys_in(home).of_token(token)
    listed = json.loads(run(home, "list", "--json").stdout)
    shown = run(home, "list").stdout
    revoked = run(home, "revoke", "mine")
    again = run(home, "revoke", "mine")

    assert found is not None
    assert [(each["name"], each["connected"]) for each in listed] == [("mine", False)]
    assert token not in shown + json.dumps(listed)
    assert (revoked.returncode, again.returncode) == (0, 1)
    assert keys_in(home).all() == []


def test_two_installations_have_different_secrets_and_the_files_hold_none(
    home: dict[str, str], tmp_path: Path
) -> None:
    """S-19."""
    other = home_in(tmp_path / "other")
    tokens = [run(each, "token").stdout.strip() for each in (home, other)]
    zipped = tmp_path / "e.zip"
    run(home, "pack", str(zipped))
    with zipfile.ZipFile(zipped) as archive:
        texts = [archive.read(name).decode(errors="replace") for name in archive.namelist()]

    assert tokens[0] != tokens[1]
    assert not any(token in text for token in tokens for text in texts)


async def test_pair_shows_a_code_that_pairs_and_says_with_whom(home: dict[str, str]) -> None:
    """The bridge is that of a server that runs already; the extension is played by the test."""
    port = free_port()
    serve = ["serve", "--http", "--port", "0", "--bridge-port", str(port)]
    async with process(serve, home, "is ready"):
        async with process(
            ["extension", "pair", "--name", "laptop", "--port", str(port)], home, "Code:"
        ) as pairing:
            file = Path(data_folder(home["HOME"])) / "bridge" / "pairing.json"
            code = json.loads(file.read_text(encoding="utf-8"))["code"]
            url = f"ws://localhost:{port}/"
            origin = Origin(extension_origin())
            async with connect(url, origin=origin, compression=None, proxy=None) as websocket:
                client = ExtensionClient(websocket)
                browser = {"name": "Chromium", "version": "156", "profileId": "p"}
                await client.shake(proofs.key_of_code(code), port, browser)
                assert pairing.stdout is not None
                said = (await pairing.stdout.read()).decode()

    assert said.strip() == "Paired with Chromium as laptop."
    assert not file.exists()
    assert [each.name for each in keys_in(home).all()] == ["laptop"]


def test_pair_has_the_daemon_listen_when_nobody_does(home: dict[str, str]) -> None:
    home |= {"TABMUX_BRIDGE_PORT": str(free_port())}
    port = home["TABMUX_BRIDGE_PORT"]
    try:
        shown = run(home, "pair", "--no-wait", "--port", port)
        again = run(home, "pair", "--no-wait", "--port", port)
    finally:
        subprocess.run(
            [sys.executable, "-m", "tabmux", "daemon", "stop"], env=home, check=False, timeout=60
        )

    codes = [re.fullmatch(r"Code:  ([0-9A-Z-]{23})\n", each.stdout) for each in (shown, again)]
    assert all(codes), shown
    assert f"port {port}" in shown.stderr


def test_pair_has_the_daemon_listen_on_the_port_that_is_named(home: dict[str, str]) -> None:
    port = free_port()
    try:
        shown = run(home, "pair", "--no-wait", "--port", str(port))
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            pass
    finally:
        subprocess.run(
            [sys.executable, "-m", "tabmux", "daemon", "stop"], env=home, check=False, timeout=60
        )

    assert shown.stdout.startswith("Code:  ")
    assert f"Set the port {port}" in shown.stderr
