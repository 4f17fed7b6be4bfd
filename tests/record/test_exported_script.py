"""An exported run as its user has it: a program, run by itself beside a daemon."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tabmux.record.export.library_script import library_script
from tabmux.record.replay_plan import ReplayPlan
from tabmux.record.run_files import read_run, runs
from tabmux.settings import Settings
from tests.agent import Agent
from tests.homes import home_in
from tests.record.shop import PASSWORD, serve_shop, work
from tests.serving import running
from tests.site import Site, _send

SECONDS = 60


@pytest.fixture
def home() -> Iterator[dict[str, str]]:
    """An environment with a home of its own, whose daemon is stopped at the end."""
    folder = tempfile.mkdtemp(prefix="tm-", dir="/tmp")
    variables = {**home_in(folder), "TABMUX_HEADLESS": "1", "TABMUX_ISOLATED": "1"}
    yield variables
    stop = [sys.executable, "-m", "tabmux", "daemon", "stop"]
    subprocess.run(stop, env=variables, check=False, timeout=40, capture_output=True)
    shutil.rmtree(folder, ignore_errors=True)


async def exported(site: Site, folder: Path) -> Path:
    """Record a run of thirty steps, and write it as a script."""
    settings = Settings(launch=True, headless=True, isolated=True)
    async with running(settings, record_folder=folder) as app:
        async with Agent.joined(app, site, label="shop") as agent:
            await work(agent, serve_shop(site))
    script = folder / "run_again.py"
    plan = ReplayPlan.of(read_run(folder, runs(folder)[-1].run))
    script.write_text(library_script(plan, "shop"), encoding="utf-8")
    return script


def run_again(script: Path, home: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the script, which asks for the password alone."""
    return subprocess.run(
        [sys.executable, str(script), PASSWORD],
        env=home,
        cwd=script.parent,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.timeout(150)
async def test_it_does_the_run_again_and_ends_where_the_page_has_changed(
    site: Site, tmp_path: Path, home: dict[str, str]
) -> None:
    script = await exported(site, tmp_path)
    sold = list[str]()

    def sell(handler: BaseHTTPRequestHandler) -> None:
        sold.append(handler.path)
        _send(handler, b"{}", kind="application/json")

    serve_shop(site)
    site.serve("/stock", sell)
    again = await asyncio.to_thread(run_again, script, home)
    assert again.returncode == 0, again.stderr
    assert sold == [f"/stock?item={number}" for number in (1, 2, 3)]
    serve_shop(site, save="Buy")
    changed = await asyncio.to_thread(run_again, script, home)
    assert changed.returncode != 0
    assert "NotFound" in changed.stderr
    assert 'button "Order"' in changed.stderr
