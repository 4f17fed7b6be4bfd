from __future__ import annotations

import pytest

from bench.truth.widget_tasks import WidgetTask
from tests.agent import Agent
from tests.page.act.fill.widget_kinds import PAGES

TASKS = [
    pytest.param(page.html, task, id=f"{page.name}: {task.target} {task.value}")
    for page in PAGES
    for task in page.tasks
]


@pytest.mark.parametrize(("html", "task"), TASKS)
async def test_a_widget_takes_the_value(agent: Agent, html: str, task: WidgetTask) -> None:
    await agent.open(html)
    told = await agent("fill", uid=task.target, value=task.value)
    if await agent.value(f"Boolean({task.holds})") != "true":
        # Some take what was typed when they are left.
        await agent("press_key", key="Tab")
    assert await agent.value(f"Boolean({task.holds})") == "true", told
