from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from bench.client import Client, Reply
from bench.pagetools.driving.ordinary_driver import Seen, read_snapshot
from bench.tabbench.server_driver import ServerDriver
from bench.trouble import BenchError


class FakeClient:
    """Answers as it is told, and keeps what it was asked."""

    def __init__(self, *answers: str | BenchError) -> None:
        self.answers, self.asked = [*answers], list[str]()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        self.asked.append(tool)
        answer = self.answers.pop(0)
        if isinstance(answer, BenchError):
            raise answer
        return Reply(answer, (), 0.5)


class PlainDriver(ServerDriver):
    name = "plain"

    @classmethod
    def command(cls, chromium: str, modules: Path) -> tuple[str, ...]:
        return ("true",)

    async def open(self, url: str) -> None:
        await self._call("open", {"url": url})

    def parse(self, snapshot: str) -> list[Seen]:
        return read_snapshot(snapshot)


def driver(*answers: str | BenchError) -> tuple[PlainDriver, FakeClient]:
    client = FakeClient(*answers)
    return PlainDriver(cast("Client", client), 3), client


async def test_a_reply_about_another_agents_page_is_noticed() -> None:
    agent, _ = driver("tabbench-agent-03", "tabbench-agent-07", "tabbench-agent-03 and -07", "x")
    for _ in range(4):
        await agent.open("about:blank")
    assert (agent.strangers, agent.neighbours) == (1, 0)
    agent, _ = driver("tabbench-agent-03 tabbench-agent-07")
    await agent.open("about:blank")
    assert (agent.strangers, agent.neighbours) == (0, 1)


async def test_a_click_that_fails_is_tried_again_after_escape() -> None:
    page = 'uid=1_2 button "Save"'
    agent, client = driver(page, BenchError("covered"), "pressed", "clicked")
    await agent.press("Save")
    assert client.asked == ["take_snapshot", "click", "press_key", "click"]
    assert (agent.said, len(agent.seconds)) == ("clicked", 4)


async def test_a_call_that_fails_is_counted() -> None:
    agent, _ = driver(BenchError("gone"))
    with pytest.raises(BenchError):
        await agent.open("about:blank")
    assert (len(agent.seconds), agent.characters) == (1, len("gone"))
