"""Shows a recorded run in Playwright's own trace viewer, and runs the test it is exported to.

`python -m tests.record.trace_viewer VIEWER OUTPUT PYTHON`: the folder of the viewer in
`playwright-core`, where traces, scripts and pictures go, and a Python that has `pytest-playwright`.
"""

from __future__ import annotations

import asyncio
import base64
import mimetypes
import os
import subprocess
import sys
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from tabmux.browsers.executable import find_executable
from tabmux.record.call_entry import CallEntry
from tabmux.record.export.http_archive import archive_of
from tabmux.record.export.library_script import library_script
from tabmux.record.export.playwright_test import playwright_test
from tabmux.record.export.playwright_trace import write_trace
from tabmux.record.export.report import write_report
from tabmux.record.replay_plan import ReplayPlan
from tabmux.record.run_files import picture_file, read_run, runs
from tabmux.settings import Settings
from tests.agent import Agent
from tests.record.shop import PASSWORD, serve_shop, work
from tests.serving import running
from tests.site import Site, _send

TEST_SECONDS = 120
# Playwright's own browsers are not installed, and Chrome makes no sandbox for root.
_CONFTEST = """import pytest


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    chosen = {{"executable_path": {executable!r}, "args": {args!r}}}
    return {{**browser_type_launch_args, **chosen}}
"""
# Texts that the viewer shows of the run, by the tab that shows them.
EXPECTED = {
    "Actions": ['click button "Order"', "navigate_page http", 'fill textbox "Email"'],
    "Console": ["login page", "added"],
    "Network": ["stock", "login", "order"],
    "Errors": ["not_found"],
    "Attachments": ["picture"],
}


async def recorded(site: Site, folder: Path) -> list[CallEntry]:
    """Record a run of thirty steps."""
    settings = Settings(launch=True, headless=True, isolated=True, record="pictures")
    async with running(settings, record_folder=folder) as app:
        async with Agent.joined(app, site, label="shop") as agent:
            await work(agent, serve_shop(site))
    return list(read_run(folder, runs(folder)[-1].run))


def export(calls: list[CallEntry], folder: Path, output: Path) -> None:
    """Write the run in every form."""

    def picture(name: str) -> bytes:
        return picture_file(folder, name).read_bytes()

    write_trace(output / "trace.zip", calls, picture)
    write_report(output / "report.md", "shop", calls, picture)
    (output / "run.har").write_text(str(archive_of(calls)), encoding="utf-8")
    plan = ReplayPlan.of(calls)
    (output / "run_library.py").write_text(library_script(plan, "shop"), encoding="utf-8")
    (output / "test_run.py").write_text(playwright_test(plan, "shop"), encoding="utf-8")


def serve_viewer(site: Site, viewer: Path, trace: Path) -> str:
    """Serve the viewer and the trace from one place; returns the address."""
    for file in viewer.rglob("*"):
        if file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            site.serve(f"/viewer/{file.relative_to(viewer)}", partial(_answer, file, kind))
    site.serve("/viewer/trace.zip", partial(_answer, trace, "application/zip"))
    return f"{site.origin}/viewer/index.html?trace={site.origin}/viewer/trace.zip"


def _answer(file: Path, kind: str, handler: BaseHTTPRequestHandler) -> None:
    _send(handler, file.read_bytes(), kind=kind)


async def looked_at(site: Site, url: str, output: Path) -> list[str]:
    """Open the viewer in Chromium, through tabmux; returns what it does not show."""
    missing = []
    settings = Settings(
        launch=True, headless=True, isolated=True, viewport="1600x1000", record="off", reply_limit=0
    )
    async with running(settings) as app, Agent.joined(app, site) as agent:
        await agent("navigate_page", url=url)
        await agent("wait_for", text=['button "Order"'], timeout=30000)
        for tab, texts in EXPECTED.items():
            if tab != "Actions":
                await agent("click", uid=f'tab "{tab}"')
            shown = await agent("take_snapshot")
            missing += [f"{tab}: {text}" for text in texts if text not in shown.replace("\\", "")]
            reply = await agent.reply("take_screenshot")
            (output / f"viewer-{tab.lower()}.png").write_bytes(
                base64.b64decode(reply.images[0].data)
            )
        await agent("click", uid='treeitem "click button "Order"')
        reply = await agent.reply("take_screenshot")
        (output / "viewer.png").write_bytes(base64.b64decode(reply.images[0].data))
    return missing


def tested(output: Path, python: str) -> str:
    """Run the exported test in the same Chromium; returns what Playwright says where it fails."""
    args = ["--no-sandbox"] if os.geteuid() == 0 else []
    conftest = _CONFTEST.format(executable=find_executable(), args=args)
    (output / "conftest.py").write_text(conftest, encoding="utf-8")
    ended = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_run.py"],
        env={**os.environ, "PASSWORD": PASSWORD},
        cwd=output,
        capture_output=True,
        text=True,
        timeout=TEST_SECONDS,
        check=False,
    )
    return "" if ended.returncode == 0 else ended.stdout + ended.stderr


async def main(viewer: Path, output: Path, python: str) -> int:
    output.mkdir(parents=True, exist_ok=True)
    with Site() as site:
        calls = await recorded(site, output / "record")
        export(calls, output / "record", output)
        missing = await looked_at(site, serve_viewer(site, viewer, output / "trace.zip"), output)
        problem = await asyncio.to_thread(tested, output, python)
    sys.stdout.write(f"{len(calls)} calls; the viewer lacks {missing or 'nothing'}\n")
    sys.stdout.write(f"The exported test {'fails:' if problem else 'passes.'}\n{problem}")
    return 1 if missing or problem else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])))
