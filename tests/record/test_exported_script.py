"""An exported run as its user has it: a program, run by itself beside a daemon."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
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


async def exported(site: Site, folder: Path, act: Callable[[Agent], Awaitable[object]]) -> Path:
    """Record what an agent does, and write it as a script."""
    settings = Settings(launch=True, headless=True, isolated=True)
    async with running(settings, record_folder=folder) as app:
        async with Agent.joined(app, site, label="shop") as agent:
            await act(agent)
    script = folder / "run_again.py"
    plan = ReplayPlan.of(read_run(folder, runs(folder)[-1].run))
    script.write_text(library_script(plan, "shop"), encoding="utf-8")
    return script


def run_again(script: Path, home: dict[str, str], *given: str) -> subprocess.CompletedProcess[str]:
    """Run the script, which asks for what is hidden alone."""
    return subprocess.run(
        [sys.executable, str(script), *given],
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
    script = await exported(site, tmp_path, lambda agent: work(agent, serve_shop(site)))
    sold = list[str]()

    def sell(handler: BaseHTTPRequestHandler) -> None:
        sold.append(handler.path)
        _send(handler, b"{}", kind="application/json")

    serve_shop(site)
    site.serve("/stock", sell)
    again = await asyncio.to_thread(run_again, script, home, PASSWORD)
    assert again.returncode == 0, again.stderr
    assert sold == [f"/stock?item={number}" for number in (1, 2, 3)]
    serve_shop(site, save="Buy")
    changed = await asyncio.to_thread(run_again, script, home, PASSWORD)
    assert changed.returncode != 0
    assert "NotFound" in changed.stderr
    assert 'button "Order"' in changed.stderr


TABS = """<title>NAME</title><script>const told = what => fetch('/told?NAME-' + what)</script>
<button onclick="told('one')">One</button><button onclick="told('two')">Two</button>
<a href=/second target=_blank>Open</a>"""


def serve_tabs(site: Site) -> list[str]:
    """Serve pages that tell which of their buttons was clicked; returns where that is noted."""
    told = list[str]()

    def note(handler: BaseHTTPRequestHandler) -> None:
        told.append(handler.path.partition("?")[2])
        _send(handler, b"{}", kind="application/json")

    for name in ("first", "second", "third"):
        body = TABS.replace("NAME", name).encode()
        site.serve(f"/{name}", lambda handler, body=body: _send(handler, body))  # type: ignore[misc]
    site.serve("/told", note)
    return told


async def work_in_tabs(agent: Agent) -> None:
    """Work in three tabs in turns: the first, one that a click opens, and one of its own."""
    origin = agent.site.origin
    await agent("navigate_page", url=f"{origin}/first")
    (first,) = agent.session.pages
    await agent("click", uid='link "Open"')
    (second,) = agent.session.pages.keys() - {first}
    await agent("select_page", pageId=second)
    await agent("wait_for", text=["One"])
    await agent("click", uid='button "One"')
    await agent("new_page", url=f"{origin}/third")
    await agent("click", uid='button "One"')
    await agent("click", uid='button "One"', pageId=first)
    await agent("click", uid='button "Two"')
    await agent("close_page", pageId=second)
    await agent("close_page")
    await agent("click", uid='button "Two"')


@pytest.mark.timeout(150)
async def test_it_finds_the_tabs_that_it_opens(
    site: Site, tmp_path: Path, home: dict[str, str]
) -> None:
    told = serve_tabs(site)
    script = await exported(site, tmp_path, work_in_tabs)
    recorded = ["second-one", "third-one", "first-one", "third-two", "first-two"]
    assert told == recorded
    again = await asyncio.to_thread(run_again, script, home)
    assert again.returncode == 0, again.stderr
    assert told == [*recorded, *recorded]
