from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tabmux.daemon.app import App
from tabmux.daemon.ui import past_runs
from tabmux.daemon.ui.outbox import Outbox
from tabmux.daemon.ui.past_runs import PastRuns
from tests.agent import Agent
from tests.record.runs import entry, written


class WrittenOnly(Outbox):
    """Takes what is JSON already, and nothing that it would have to write in the event loop."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[dict[str, Any]] = []

    def tell(self, message: Mapping[str, Any]) -> None:
        raise AssertionError(f"{message['type']} is written in the event loop")

    def tell_text(self, text: str) -> None:
        self.told.append(json.loads(text))


async def test_runs_are_written_as_json_outside_the_event_loop(app: App, agent: Agent) -> None:
    await agent.open("<title>Old times</title>")
    past, outbox = PastRuns(app), WrittenOnly()
    async with asyncio.timeout(20):
        while not outbox.told or not outbox.told[-1]["runs"]:
            await past.tell_runs(outbox)
    run = outbox.told[-1]["runs"][0]["run"]
    await past.tell_run(outbox, run)
    await past.tell_recent(outbox)
    assert [each["type"] for each in outbox.told[-3:]] == ["runs", "run", "history"]
    assert outbox.told[-2]["run"] == run


async def test_a_run_that_is_not_shown_whole_says_so(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await written(tmp_path, [entry() for _ in range(3)])
    monkeypatch.setattr(PastRuns, "folder", tmp_path)
    past, outbox = PastRuns(app), WrittenOnly()
    for most in (2, 3):
        monkeypatch.setattr(past_runs, "MOST_ENTRIES", most)
        await past.tell_run(outbox, run)
    assert [(len(each["entries"]), each["more"]) for each in outbox.told] == [(2, True), (3, False)]
