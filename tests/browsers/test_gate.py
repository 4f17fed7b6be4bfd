from __future__ import annotations

import asyncio

import pytest

from tabmux.browsers.gate import Gate


async def test_many_pass_together() -> None:
    gate = Gate()
    async with gate.shared(), gate.shared():
        pass


async def test_alone_waits_for_those_inside_and_holds_up_those_who_come_later() -> None:
    gate, order = Gate(), list[str]()

    async def alone() -> None:
        async with gate.alone():
            order.append("alone")

    async def later() -> None:
        async with gate.shared():
            order.append("later")

    async with asyncio.TaskGroup() as group:
        async with gate.shared():
            group.create_task(alone())
            group.create_task(later())
            for _ in range(5):
                await asyncio.sleep(0)
            assert order == []
            order.append("inside")
    assert order == ["inside", "alone", "later"]


async def test_who_gives_up_waiting_leaves_the_gate_open() -> None:
    gate = Gate()
    async with gate.shared():
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0), gate.alone():
                pass
        async with gate.shared():
            pass
    async with gate.alone():
        pass
