from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from bench.pagetools.miniwob import HELD_OUT
from bench.pagetools.miniwob_oracles import ORACLES
from bench.tabbench.application_oracles import APPLICATIONS
from bench.tabbench.charts import write_charts
from bench.tabbench.drivers.agent_browser import AgentBrowserDriver
from bench.tabbench.drivers.chrome_devtools import ChromeDevtoolsDriver
from bench.tabbench.drivers.playwright import PlaywrightDriver
from bench.tabbench.summary import failures, percentile, summarise, table
from bench.tabbench.tasks import FOLDER, LEFT_OUT


def result(done: bool, seconds: float) -> dict[str, Any]:
    counts = {"calls": 2, "sent": 10, "received": 100, "strangers": 0, "neighbours": 1}
    times = {"seconds": seconds, "call_seconds": (seconds / 2, seconds / 2)}
    trouble = "" if done else "no reward"
    return {"task": "click", "agent": 0, "done": done, **counts, **times, "trouble": trouble}


def run(*results: dict[str, Any]) -> dict[str, Any]:
    return {
        "server": "tabmux", "version": "1", "agents": 4, "memory": 5_000_000, "results": results,
    }  # fmt: skip


def test_there_are_sixty_tasks_of_miniwob_and_ten_applications() -> None:
    assert len(ORACLES.keys() - {*LEFT_OUT}) == 60
    assert not [name for name in ORACLES if name.startswith(HELD_OUT)]
    assert {file.stem for file in FOLDER.glob("*.html")} == APPLICATIONS.keys()
    assert len(APPLICATIONS) == 10


def test_only_tasks_that_were_done_count_for_time_and_size() -> None:
    (row,) = summarise([run(result(True, 1.0), result(True, 3.0), result(False, 0.1))])
    assert round(row["success"]) == 67
    assert (row["p50"], row["p95"], row["calls"]) == (1.0, 3.0, 2)
    assert (row["memory"], row["neighbours"]) == (5, 3)
    assert math.isnan(percentile([], 50))


def test_time_and_size_are_those_of_tasks_that_every_server_does() -> None:
    hard = {**result(True, 9.0), "task": "hard"}
    missed = {**result(False, 0.1), "task": "hard"}
    alone = {**run(hard), "agents": 1}
    rows = summarise([run(result(True, 1.0), hard), run(result(True, 2.0), missed), alone])
    assert [(row["success"], row["p95"]) for row in rows] == [(100, 1.0), (50, 2.0), (100, 9.0)]


def test_the_table_and_the_failures_name_server_and_agents(tmp_path: Path) -> None:
    runs = [run(result(True, 1.0), result(False, 1.0))]
    assert table(runs)[2].startswith("| tabmux 1 | 4 | 50 |")
    assert failures(runs) == ["tabmux, 4 agents, click: 1 of 2; no reward"]
    files = write_charts(runs, tmp_path)
    assert all("tabmux" in file.read_text(encoding="utf-8") for file in files)


def test_snapshots_of_playwright_are_read() -> None:
    text = '- textbox "Email" [ref=e3]: ada\n- generic [ref=e4]: Name\n- button "Go" [ref=e5]'
    driver = PlaywrightDriver.__new__(PlaywrightDriver)
    seen = [(line.uid, line.role, line.name, line.value) for line in driver.parse(text)]
    assert seen == [
        ("e3", "textbox", "Email", "ada"),
        ("", "generic", "Name", None),
        ("e4", "generic", "Name", None),
        ("e5", "button", "Go", None),
    ]


def test_quoted_lines_of_playwright_are_read() -> None:
    text = (
        """- 'link "Tab #1" [ref=e15] [cursor=pointer]':\n- generic [ref=e3]: "Click on Tab #1." """
    )
    driver = PlaywrightDriver.__new__(PlaywrightDriver)
    seen = {(line.uid, line.name) for line in driver.parse(text.strip())}
    assert seen == {("e15", "Tab #1"), ("e3", "Click on Tab #1."), ("", "Click on Tab #1.")}


def test_sentences_of_chrome_devtools_are_joined() -> None:
    text = 'uid=1_1 "Say "\nuid=1_2 "the"\nuid=1_3 " "word"."\nuid=1_4 "Name"\nuid=1_5 textbox'
    driver = ChromeDevtoolsDriver.__new__(ChromeDevtoolsDriver)
    lines = driver.parse(text)
    assert [line.name for line in lines if not line.uid] == ['Say the "word".', "Name"]
    assert lines[-1].role == "textbox"


def test_snapshots_of_agent_browser_are_read() -> None:
    driver = AgentBrowserDriver.__new__(AgentBrowserDriver)
    lines = driver.parse('- heading "Shop" [level=1, ref=e1]\n- textbox "Email" [ref=e2]: ada')
    assert [(line.uid, line.role, line.name) for line in lines] == [
        ("e1", "heading", "Shop"),
        ("e2", "textbox", "Email"),
    ]
    assert lines[1].value == "ada"
