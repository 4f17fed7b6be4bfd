from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site


@pytest.fixture(scope="module")
async def whole(anyio_backend: str, site: Site) -> AsyncIterator[Agent]:
    """An agent that has the tools for performance and memory, too."""
    settings = Settings(launch=True, headless=True, isolated=True, tools="+performance,+memory")
    async with running(settings) as app, Agent.joined(app, site) as agent:
        yield agent


async def told_by(agent: Agent, tool: str, **arguments: object) -> list[dict[str, Any]]:
    """Call a tool; returns what it told, without the signs of life of a call that takes long."""
    told = await agent.told(tool, **arguments)
    return [each for each in told if each["message"] != "still running"]


async def test_recording_tells_its_steps(whole: Agent) -> None:
    await whole.open("<title>t</title><h1>Hello</h1>")
    told = await told_by(whole, "performance_start_trace")
    assert [(each["progress"], each["total"]) for each in told] == [(1, 4), (2, 4), (3, 4)]
    assert [each["message"] for each in told] == ["recording", "reading the trace", "analysing"]
    (insight,) = await told_by(
        whole,
        "performance_analyze_insight",
        insightSetId="NAVIGATION_0",
        insightName="LCPBreakdown",
    )
    assert insight["message"] == "analysing"


async def test_heap_snapshot_tells_that_it_is_taken(whole: Agent, tmp_path: Path) -> None:
    await whole.open("<title>t</title>")
    told = await told_by(whole, "take_heapsnapshot", filePath=str(tmp_path / "heap"))
    assert [each["message"] for each in told] == ["taking the snapshot"]


async def test_batch_tells_every_step(whole: Agent) -> None:
    await whole.open("<button>Go</button>")
    steps = [
        {"tool": "click", "arguments": {"uid": 'button "Go"'}},
        {"tool": "press_key", "arguments": {"key": "a"}},
    ]
    told = await told_by(whole, "batch", steps=steps)
    assert [(each["progress"], each["message"]) for each in told] == [
        (1, "click"),
        (2, "press_key"),
    ]


async def test_nobody_who_did_not_ask_is_told(whole: Agent) -> None:
    before = len(whole.notices)
    await whole("batch", steps=[{"tool": "press_key", "arguments": {"key": "a"}}])
    assert len(whole.notices) == before
