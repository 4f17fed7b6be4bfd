from __future__ import annotations

import asyncio

import pytest

from tabmux.mcp.dispatch.tool_tasks import MOST_TASKS, ToolTask, ToolTasks
from tabmux.mcp.rpc import Message, RpcError


async def ended() -> Message:
    return {}


async def test_task_that_still_works_is_kept_before_those_that_have_ended() -> None:
    going_on = asyncio.Event()

    async def work() -> Message:
        await going_on.wait()
        return {}

    async with asyncio.TaskGroup() as group:
        tasks = ToolTasks(group)
        working = ToolTask({})
        tasks.add(working, work())
        for _ in range(MOST_TASKS + 5):
            tasks.add(last := ToolTask({}), ended())
            await asyncio.sleep(0)
        found = tasks.answer("tasks/get", {"taskId": working.id})
        assert found["status"] == "working"
        assert tasks.answer("tasks/get", {"taskId": last.id})["status"] == "completed"
        going_on.set()


async def test_oldest_task_makes_room_where_all_of_them_work() -> None:
    async def work() -> Message:
        await asyncio.Event().wait()
        return {}

    async with asyncio.TaskGroup() as group:
        tasks = ToolTasks(group)
        made = [ToolTask({}) for _ in range(MOST_TASKS + 1)]
        for each in made:
            tasks.add(each, work())
        with pytest.raises(RpcError, match="no such task"):
            tasks.answer("tasks/get", {"taskId": made[0].id})
        assert tasks.answer("tasks/get", {"taskId": made[1].id})["status"] == "working"
        tasks.close()
