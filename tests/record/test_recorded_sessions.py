from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tabmux.daemon.app import App
from tabmux.record.hash_chain import verify
from tabmux.record.record import Record
from tabmux.record.recorded_sessions import RecordedSessions
from tabmux.record.run_files import read_run, run_file, runs
from tabmux.record.run_writer import RunWriter
from tabmux.settings import Settings
from tests.agent import Agent
from tests.record.runs import entry
from tests.serving import running
from tests.site import Site

CANARY = "canary-4711-zebra"
SHOWN_LATE = """<input type=password aria-label=P><p id=p></p><button>Show</button><script>
document.querySelector('button').onclick = () => {
  for (const end = performance.now() + 300; performance.now() < end;);
  p.textContent = document.querySelector('input').value;
}</script>"""


async def closed_meanwhile(agent: Agent, name: str, **given: Any) -> None:
    """Make a call, and close its session while it is under way."""
    async with asyncio.TaskGroup() as group, asyncio.timeout(20):
        calling = group.create_task(agent.reply(name, **given))
        while not agent.session.calls:
            await asyncio.sleep(0)
        await agent.session.close()
        assert not (await calling).failed


async def test_the_last_call_of_a_closing_session_is_in_its_run(tmp_path: Path, site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True)
    async with running(settings, record_folder=tmp_path) as app:
        async with Agent.joined(app, site) as agent:
            await agent.open(SHOWN_LATE)
            await agent("fill", uid=agent.uid('textbox "P"'), value=CANARY)
            await closed_meanwhile(agent, "click", uid='button "Show"')
            (run,) = runs(tmp_path)
            lines = run_file(tmp_path, run.run).read_text().splitlines()
    assert "ended" in json.loads(lines[-1])
    entries = list(read_run(tmp_path, run.run))
    assert [each.tool for each in entries][-1] == "click"
    assert entries[-1].diff
    assert CANARY not in "".join(lines)
    assert verify(tmp_path, run.run).faults == ()


def ends(folder: Path) -> list[bool]:
    """Tell of each run whether its end is written."""
    lines = [run_file(folder, each.run).read_text().splitlines() for each in runs(folder)]
    return ["ended" in json.loads(each[-1]) for each in lines]


async def test_a_run_ends_with_the_last_call_that_its_session_leaves(
    app: App, tmp_path: Path
) -> None:
    forgotten = list[bool]()
    async with RunWriter(tmp_path) as writer:
        recorded = RecordedSessions(Record(writer), lambda: forgotten.append(True))
        session = app.open("leaving")
        calls = [recorded.of(session) for _ in range(2)]
        for each in calls:
            each.begin()
        await session.close()
        for each in calls:
            assert each.lives()
            assert not forgotten
            each.run.add(entry())
            each.done()
    assert not calls[0].lives()
    assert forgotten == [True]
    assert ends(tmp_path) == [True]


async def test_a_call_of_a_session_that_has_ended_leaves_no_run_open(
    app: App, tmp_path: Path
) -> None:
    async with RunWriter(tmp_path) as writer:
        recorded = RecordedSessions(Record(writer), lambda: None)
        session = app.open("ended")
        await session.close()
        late = recorded.of(session)
        late.begin()
        late.run.add(entry())
        late.done()
        assert recorded.of(session) is not late
    assert not writer._runs
    assert ends(tmp_path) == [True]
