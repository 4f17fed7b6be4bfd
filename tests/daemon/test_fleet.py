from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tabmux.cli.checks import grid_checks
from tabmux.cli.checks.grid_checks import check_grid
from tabmux.daemon.fleet import daemon_id, grid_pool
from tabmux.daemon.http.status_pages import MetricsPage
from tabmux.errors import Misuse
from tabmux.settings import Settings
from tabmux.timings import Timings
from tests.browsers.grid.fake_grid import FakeGrid, served
from tests.daemon.http.test_status_pages import SAMPLE
from tests.serving import running


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


def test_grid_knows_the_daemon_by_the_same_name_after_a_restart() -> None:
    with daemon_id() as first:
        pass
    with daemon_id() as second:
        assert first == second


def test_two_servers_of_one_user_have_names_of_their_own() -> None:
    with daemon_id() as first, daemon_id() as second:
        assert first != second


def test_nothing_of_the_grid_is_loaded_where_none_is_named() -> None:
    code = (
        "import sys, tabmux.daemon.app\n"
        "found = [n for n in sys.modules if '.grid' in n or 'shared_socket' in n]\n"
        "sys.exit(','.join(found) or 0)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")


async def test_hub_elsewhere_without_credentials_is_refused_at_the_start() -> None:
    with pytest.raises(Misuse, match="credentials"):
        async with grid_pool(Settings(grid="https://hub.example:4444"), Timings()):
            raise AssertionError("it must not start")


async def test_metrics_show_slots_queue_and_the_node_of_each_browser() -> None:
    async with served(FakeGrid(3, 2)) as grid:
        settings = Settings(grid=grid.url, grid_options=(("warm", 0),))
        async with running(settings, timings={"grid_watch": 0.05}) as app:
            assert app.grid is not None
            pool, session = app.grid, app.open()
            await session.browsers.ensure_connected(session.browsers.all()[0])
            await grid.until(lambda: pool.state.used == 1)
            lines = list(MetricsPage(app).lines())
            samples = [line for line in lines if not line.startswith("#")]
            assert [line for line in samples if not SAMPLE.fullmatch(line)] == []
            for line in (
                "tabmux_grid_up 1.0",
                "tabmux_grid_slots 5.0",
                "tabmux_grid_slots_used 1.0",
                "tabmux_grid_queue 0.0",
                "tabmux_grid_browsers 1.0",
                f'tabmux_grid_browser_sessions{{browser="{grid.started[0]}",'
                'node="http://node1.test:5555"} 1.0',
            ):
                assert line in samples


async def test_doctor_looks_at_the_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(FakeGrid(2)) as grid:
        grid.manages_downloads = True
        monkeypatch.setenv("TABMUX_GRID", grid.url)
        check = await asyncio.to_thread(check_grid, "grid")
        assert check.state == "ok"
        assert (
            check.detail == f"{grid.url}: Selenium 4.48.0, 0 of 2 slots in use, 0 queued, 1 node."
        )
        grid.nodes.clear()
        assert (await asyncio.to_thread(check_grid, "grid")).state == "warning"
    check = await asyncio.to_thread(check_grid, "grid")
    assert check.state == "problem"
    assert "cannot be reached" in check.detail


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        (["--grid", "http://127.0.0.1:4"], {}),
        (["--slim", "--grid=http://127.0.0.1:4"], {}),
        (["--slim"], {"TABMUX_GRID": "http://127.0.0.1:4"}),
    ],
)
def test_doctor_sees_the_grid_of_the_daemon_however_it_was_named(
    words: list[str], environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started = SimpleNamespace(
        cmdline=lambda: ["python", "-m", "tabmux", "daemon", "run", *words],
        environ=lambda: environment,
    )
    monkeypatch.setattr(grid_checks, "find_daemon", lambda: started)
    monkeypatch.delenv("TABMUX_GRID", raising=False)
    assert "http://127.0.0.1:4 cannot be reached" in check_grid("grid").detail


def test_doctor_has_nothing_to_say_where_no_grid_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABMUX_GRID", raising=False)
    assert check_grid("grid").state == "ok"
