from __future__ import annotations

import asyncio

from tabmux.mcp.http.connection_table import ConnectionTable
from tests.mcp.wire import SECONDS


class Tenant:
    def __init__(self, *, is_busy: bool = False, breaks: bool = False) -> None:
        self.is_busy, self.breaks = is_busy, breaks
        self.closed = asyncio.Event()

    async def close(self) -> None:
        self.closed.set()
        if self.breaks:
            raise RuntimeError("cannot close")


async def test_what_is_idle_is_closed_and_what_is_busy_is_not() -> None:
    table: ConnectionTable[Tenant] = ConnectionTable(10, 0.02)
    idle, busy = table.add("idle", Tenant()), table.add("busy", Tenant(is_busy=True))
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
        sweep = group.create_task(table.sweep())
        await idle.closed.wait()
        sweep.cancel()

    assert table.find("idle") is None
    assert table.find("busy") is busy
    assert not busy.closed.is_set()


async def test_one_that_closes_badly_does_not_keep_the_others_open() -> None:
    table: ConnectionTable[Tenant] = ConnectionTable(10, 60)
    tenants = [table.add(str(n), Tenant(breaks=n == 0)) for n in range(3)]

    await table.clear()

    assert all(tenant.closed.is_set() for tenant in tenants)
    assert len(table) == 0


async def test_a_full_table_says_so() -> None:
    table: ConnectionTable[Tenant] = ConnectionTable(1, 60)
    table.add("one", Tenant())

    assert table.full()


async def test_an_owner_may_fill_only_its_share_of_a_table() -> None:
    table: ConnectionTable[Tenant] = ConnectionTable(3, 60, most_each=1)
    table.add("one", Tenant(), "alice")

    assert table.full("alice")
    assert not table.full("bob")
    await table.remove("one")
    assert not table.full("alice")


async def test_removing_what_is_not_there_changes_nothing() -> None:
    table: ConnectionTable[Tenant] = ConnectionTable(1, 60)

    await table.remove("nobody")
