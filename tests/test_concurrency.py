from __future__ import annotations

import asyncio
import time
from collections import deque

import pytest

from tabmux.concurrency import Listeners, SharedLock, TaskOwner, with_turns


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


async def test_long_loop_keeps_others_waiting_for_some_milliseconds_at_a_time() -> None:
    async def gone_through() -> None:
        async for _ in with_turns(range(100_000)):
            deque(range(10), maxlen=0)

    async def longest_wait() -> float:
        longest = 0.0
        async with asyncio.TaskGroup() as group:
            going_on = group.create_task(gone_through())
            while not going_on.done():
                began = time.thread_time()
                await asyncio.sleep(0)
                longest = max(longest, time.thread_time() - began)
        return longest

    assert min([await longest_wait() for _ in range(3)]) < 0.005
