from __future__ import annotations

import asyncio

import pytest

from tabmux.concurrency import Listeners, SharedLock, TaskOwner


async def test_many_share_a_lock() -> None:
    lock = SharedLock()
    async with lock.shared(), lock.shared():
        pass


async def test_exclusive_waits_for_those_inside_and_holds_up_those_who_come_later() -> None:
    lock, order = SharedLock(), list[str]()

    async def alone() -> None:
        async with lock.exclusive():
            order.append("alone")

    async def later() -> None:
        async with lock.shared():
            order.append("later")

    async with asyncio.TaskGroup() as group:
        async with lock.shared():
            group.create_task(alone())
            group.create_task(later())
            for _ in range(5):
                await asyncio.sleep(0)
            assert order == []
            order.append("inside")
    assert order == ["inside", "alone", "later"]


async def test_who_gives_up_waiting_leaves_the_lock_free() -> None:
    lock = SharedLock()
    async with lock.shared():
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0), lock.exclusive():
                pass
        async with lock.shared():
            pass
    async with lock.exclusive():
        pass


async def test_work_that_nobody_waits_for_fails_alone(caplog: pytest.LogCaptureFixture) -> None:
    done = asyncio.Event()

    async def defect() -> None:
        raise RecursionError("unexpected")

    async def sound() -> None:
        done.set()

    async with TaskOwner() as owner:
        owner.start_quietly(defect())
        await owner.idle()
        owner.start_quietly(sound())
        await done.wait()
    assert "unexpected" in caplog.text


def test_listener_that_fails_does_not_keep_the_others_from_hearing() -> None:
    heard, listeners = list[int](), Listeners[[int]]()
    listeners.add(lambda number: heard[number])
    listeners.add(heard.append)
    listeners(7)
    assert heard == [7]
