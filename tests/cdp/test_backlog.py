from __future__ import annotations

import asyncio

from tabmux.cdp.backlog import BURST, CHATTER, KEPT, Backlog


def log(number: int, session: str = "A") -> bytes:
    head = b'{"method":"' + CHATTER + b'","params":{"n":' + str(number).encode()
    return head + b'},"sessionId":"' + session.encode() + b'"}'


class Desk:
    """Where delivered messages end up."""

    def __init__(self) -> None:
        self.delivered: list[bytes] = []
        self.lost: dict[bytes, int] = {}
        self.arrived = asyncio.Event()
        self.backlog = Backlog(self.deliver, self.lose)

    def deliver(self, message: bytes) -> None:
        self.delivered.append(message)
        self.arrived.set()

    def lose(self, session: bytes, count: int) -> None:
        self.lost[session] = self.lost.get(session, 0) + count

    async def until(self, count: int) -> None:
        async with asyncio.timeout(5):
            while len(self.delivered) < count:
                self.arrived.clear()
                await self.arrived.wait()


async def test_usual_chatter_passes() -> None:
    desk = Desk()
    assert not any(desk.backlog.takes(log(n)) for n in range(BURST))
    assert not desk.backlog


async def test_newest_of_a_flood_arrive_in_order_when_it_is_over() -> None:
    desk = Desk()
    sent = [log(n) for n in range(BURST + KEPT + 500)]
    held = [message for message in sent if desk.backlog.takes(message)]
    assert len(held) == KEPT + 500
    assert not desk.delivered

    await desk.until(KEPT)

    assert desk.delivered == sent[-KEPT:]
    assert desk.lost == {b"A": 500}
    assert not desk.backlog


async def test_other_sessions_are_not_held_back() -> None:
    desk = Desk()
    for n in range(BURST + 10):
        desk.backlog.takes(log(n))
    assert not desk.backlog.takes(log(1, "B"))
    assert desk.backlog


async def test_nothing_of_a_session_overtakes_what_is_held_of_it() -> None:
    desk = Desk()
    for n in range(BURST + 3):
        desk.backlog.takes(log(n))
    desk.backlog.before(b'{"id":1,"result":{},"sessionId":"B"}')
    assert not desk.delivered
    desk.backlog.before(b'{"id":1,"result":{},"sessionId":"A"}')
    assert desk.delivered == [log(n) for n in range(BURST, BURST + 3)]
    assert not desk.backlog


async def test_flood_without_end_is_delivered_now_and_then() -> None:
    desk = Desk()
    async with asyncio.timeout(10):
        number = 0
        while not desk.delivered:
            for _ in range(500):
                desk.backlog.takes(log(number))
                number += 1
            await asyncio.sleep(0)
    assert desk.lost


async def test_what_is_held_of_a_session_that_is_gone_is_thrown_away() -> None:
    desk = Desk()
    for n in range(BURST + 3):
        desk.backlog.takes(log(n))
    desk.backlog.forget(b"A")
    assert not desk.backlog
    desk.backlog.before(b'{"id":1,"result":{},"sessionId":"A"}')
    assert not desk.delivered


async def test_messages_without_a_session_are_one_session() -> None:
    desk = Desk()
    message = b'{"method":"' + CHATTER + b'","params":{}}'
    assert sum(desk.backlog.takes(message) for _ in range(BURST + 2)) == 2
    await desk.until(2)
