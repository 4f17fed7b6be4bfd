"""A run of thirty steps on three pages: recorded, exported, and done again."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from tabmux.daemon.app import App
from tabmux.record.call_entry import CallEntry
from tabmux.record.export.http_archive import archive_of
from tabmux.record.export.playwright_trace import write_trace
from tabmux.record.export.report import write_report
from tabmux.record.replay_plan import ReplayPlan
from tabmux.record.run_files import picture_file, read_run, runs
from tabmux.settings import Settings
from tests.agent import Agent
from tests.record.shop import PASSWORD, replayed, serve_shop, work
from tests.serving import running
from tests.site import Site, _send


@pytest.fixture(scope="module")
async def recorded(
    anyio_backend: str, site: Site, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """The folder of the record, and what the last page of the run said."""
    folder = tmp_path_factory.mktemp("record")
    settings = Settings(launch=True, headless=True, isolated=True, record="pictures")
    async with running(settings, record_folder=folder) as app:
        async with Agent.joined(app, site, label="shop") as agent:
            said = await work(agent, serve_shop(site))
    return folder, said


def entries_in(folder: Path) -> list[CallEntry]:
    return list(read_run(folder, runs(folder)[-1].run))


async def test_it_ends_the_same_when_it_is_done_again_in_another_session(
    recorded: tuple[Path, str], app: App, site: Site
) -> None:
    folder, said = recorded
    serve_shop(site)
    plan = ReplayPlan.of(entries_in(folder))
    async with Agent.joined(app, site) as agent:
        assert await replayed(agent, plan, given={"password": PASSWORD}) is None
        assert await agent.value("document.querySelector('[role=status]').textContent") == said


async def test_other_values_give_another_end(
    recorded: tuple[Path, str], app: App, site: Site
) -> None:
    folder, _ = recorded
    serve_shop(site)
    plan = ReplayPlan.of(entries_in(folder))
    given = {"password": PASSWORD, "street": "Elm Street 1"}
    async with Agent.joined(app, site) as agent:
        assert await replayed(agent, plan, given=given) is None
        said = await agent.value("document.querySelector('[role=status]').textContent")
    assert said == '"Ordered for Elm Street 1, Express"'


async def test_a_changed_page_stops_it_and_says_what_is_there(
    recorded: tuple[Path, str], app: App, site: Site
) -> None:
    folder, _ = recorded
    serve_shop(site, save="Buy")
    plan = ReplayPlan.of(entries_in(folder))
    async with Agent.joined(app, site) as agent:
        stopped = await replayed(agent, plan, patience=0.3, given={"password": PASSWORD})
    assert stopped is not None
    assert stopped.expected == 'click on button "Order"'
    assert 'There are: "Buy"' in stopped.found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<button>Delete</button>", "<button onclick='done()'>Delete all</button>"),
        (
            "<b>1</b><iframe srcdoc='<button></button><button></button>'></iframe>",
            "<button></button><button onclick='done()'></button>",
        ),
    ],
)  # fmt: skip
async def test_no_other_element_is_taken_for_one_that_is_gone(
    app: App, site: Site, before: str, after: str
) -> None:
    def serve(html: str) -> None:
        body = f"<script>done = () => {{ document.title = 'done' }}</script>{html}".encode()
        site.serve("/changed", lambda handler: _send(handler, body))

    heard = list[CallEntry]()
    stop = app.record.on_entry(heard.append)
    async with Agent.joined(app, site) as agent:
        serve(before)
        await agent("navigate_page", url=f"{site.origin}/changed")
        await agent("take_snapshot")
        await agent("click", uid=re.findall(r"uid=(\S+) button", agent.seen)[-1])
    stop()
    serve(after)
    async with Agent.joined(app, site) as agent:
        stopped = await replayed(agent, ReplayPlan.of(heard), patience=0.3)
        assert await agent.value("document.title") == '""'
    assert stopped is not None
    assert "not_found" in stopped.found


async def test_the_trace_has_what_the_viewer_shows(
    recorded: tuple[Path, str], tmp_path: Path
) -> None:
    folder, _ = recorded
    calls = entries_in(folder)
    file = tmp_path / "trace.zip"
    write_trace(file, calls, lambda name: picture_file(folder, name).read_bytes())
    with zipfile.ZipFile(file) as archive:
        events = [json.loads(line) for line in archive.read("trace.trace").splitlines()]
        network = archive.read("trace.network").splitlines()
        names = set(archive.namelist())
    kinds = [event["type"] for event in events]
    assert events[0]["version"] == 8
    assert kinds.count("before") == kinds.count("after") == len(calls) + 2
    assert kinds.count("screencast-frame") > 15
    assert "console" in kinds
    assert "error" in kinds
    assert len(network) >= 6
    frames = [event["sha1"] for event in events if event["type"] == "screencast-frame"]
    assert {f"resources/{each}" for each in frames} <= names
    assert PASSWORD.encode() not in file.read_bytes()


async def test_the_archive_and_the_report_tell_the_same_run(
    recorded: tuple[Path, str], tmp_path: Path
) -> None:
    folder, _ = recorded
    calls = entries_in(folder)
    urls = [each["request"]["url"] for each in archive_of(calls)["log"]["entries"]]
    assert any(url.endswith("/stock?item=1") for url in urls)
    assert any("password=<hidden password>" in url for url in urls)
    report = tmp_path / "report.md"
    write_report(report, "run", calls, lambda name: picture_file(folder, name).read_bytes())
    text = report.read_text()
    assert '`click button "Order"`' in text
    assert "![After call" in text
    assert PASSWORD not in text
    assert len(list((tmp_path / "report-pictures").iterdir())) > 5
