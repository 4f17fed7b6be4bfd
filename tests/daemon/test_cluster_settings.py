from __future__ import annotations

import subprocess
import sys

import pytest

from tabmux.daemon.cluster_settings import KEY_VARIABLE, _address, cluster_of
from tabmux.errors import Misuse
from tabmux.settings import Settings

TOKEN = "a token of more than twenty characters"


async def test_server_without_a_cluster_has_none() -> None:
    async with cluster_of(Settings(), 3000, TOKEN, {}) as cluster:
        assert cluster is None


def test_server_without_a_cluster_loads_nothing_of_it() -> None:
    code = (
        "import sys, tabmux.daemon.app, tabmux.daemon.server, tabmux.daemon.http.http_server;"
        "print([m for m in sys.modules if m.startswith(('redis', 'tabmux.cluster'))])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("token", "environment", "problem"),
    [
        (None, {}, "needs a key of its own"),
        (None, {KEY_VARIABLE: "short"}, "fewer than 20"),
        (TOKEN, {KEY_VARIABLE: "short"}, "fewer than 20"),
    ],
)
async def test_key_that_cannot_be_is_refused(
    token: str | None, environment: dict[str, str], problem: str
) -> None:
    with pytest.raises(Misuse, match=problem):
        async with cluster_of(Settings(cluster="redis://x"), 3000, token, environment):
            pass


async def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [m for m in sys.modules if m.startswith("tabmux.cluster")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(Misuse, match="needs the Python package redis") as refused:
        async with cluster_of(Settings(cluster="redis://x"), 3000, TOKEN, {}):
            pass
    assert "tabmux[cluster]" in refused.value.text


@pytest.mark.parametrize(
    ("settings", "own", "address"),
    [
        (Settings(), "10.0.0.5", "http://127.0.0.1:3000"),
        (Settings(host="0.0.0.0"), "10.0.0.5", "http://10.0.0.5:3000"),
        (Settings(host="::"), "fd00::5", "http://[fd00::5]:3000"),
        (Settings(host="0.0.0.0"), "", "http://127.0.0.1:3000"),
        (Settings(cluster_address="http://box:80/"), "10.0.0.5", "http://box:80"),
    ],
)
def test_others_reach_a_daemon_at_its_own_address(
    settings: Settings, own: str, address: str
) -> None:
    assert _address(settings, 3000, own) == address


def test_address_of_another_scheme_is_refused() -> None:
    with pytest.raises(Misuse, match="is no address"):
        _address(Settings(cluster_address="box:3000"), 3000, "")
