from __future__ import annotations

import asyncio

from tabmux.mcp.http import server_sent_events
from tabmux.mcp.http.replay_buffer import ReplayBuffer, ReplyStream
from tests.mcp.raw_clients import SECONDS


async def test_a_reader_gets_what_was_sent_before_and_after_it_came() -> None:
    stream = ReplayBuffer().reply()
    stream.send(b"one")
    reader = stream.attach()
    first = await stream.next(0, reader)
    stream.finish(b"two")

    assert (first, await stream.next(1, reader)) == ((1, b"one"), (2, b"two"))
    assert await stream.next(2, reader) is None


async def test_a_new_reader_sends_the_old_one_away() -> None:
    stream = ReplayBuffer().standing
    old = stream.attach()
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
        waiting = group.create_task(stream.next(0, old))
        await asyncio.sleep(0)
        new = stream.attach()
        stream.send(b"for the new one")

    assert waiting.result() is None
    assert await stream.next(0, new) == (1, b"for the new one")


async def test_a_stream_is_found_again_by_an_event_of_it() -> None:
    tape = ReplayBuffer()
    stream = tape.reply()
    stream.send(b"one")

    assert tape.find(f"{stream.name}-1") == (stream, 1)
    assert tape.find("s-0") == (tape.standing, 0)
    for unknown in ("", "1", "1-2", "9-1", "1-x", "1--1", "s-", "s-²"):
        assert tape.find(unknown) is None


async def test_old_messages_make_room_for_new_ones() -> None:
    tape = ReplayBuffer(most_bytes=10)
    old, new = tape.reply(), tape.reply()
    old.finish(b"123456")
    new.finish(b"1234567890123")

    assert tape.find(f"{old.name}-1") is None
    assert new.frame(1) == b"1234567890123"


async def test_the_number_of_messages_is_limited_too() -> None:
    tape = ReplayBuffer(most_events=3)
    for number in range(10):
        tape.standing.send(b"%d" % number)

    assert [tape.standing.frame(n) for n in (7, 8, 9, 10)] == [None, b"7", b"8", b"9"]
    assert await tape.standing.next(0, tape.standing.attach()) == (8, b"7")


async def test_a_stream_that_is_forgotten_takes_no_room() -> None:
    tape = ReplayBuffer(most_bytes=10)
    for _ in range(5):
        stream = tape.reply()
        stream.finish(b"12345678")
        tape.forget(stream)
    kept = tape.reply()
    kept.send(b"123")
    kept.send(b"456")

    assert (kept.frame(1), kept.frame(2), stream.frame(1)) == (b"123", b"456", None)


async def test_what_has_been_read_can_be_released() -> None:
    tape = ReplayBuffer()
    for letter in (b"a", b"b", b"c"):
        tape.standing.send(letter)
    tape.standing.release(2)

    assert await tape.standing.next(0, tape.standing.attach()) == (3, b"c")


async def test_nothing_follows_an_answer() -> None:
    stream = ReplayBuffer().reply()
    stream.finish(b"answer")
    stream.send(b"late")

    assert stream.last == 1


async def test_a_cancelled_request_is_closed_with_an_error() -> None:
    stream = ReplayBuffer().reply()
    stream.abandon(5)

    assert isinstance(stream, ReplyStream)
    assert stream.is_done
    assert b"-32800" in (stream.frame(1) or b"")


def test_an_event_is_framed() -> None:
    assert server_sent_events.event(b"{}", ident="1-2") == b"event: message\nid: 1-2\ndata: {}\n\n"
    assert server_sent_events.event(b"/mcp", name="endpoint") == b"event: endpoint\ndata: /mcp\n\n"


async def test_a_reader_who_can_come_back_is_let_go_after_what_was_said() -> None:
    stream = ReplayBuffer().reply()
    stream.is_resumable = True
    stream.send(b"one")
    stream.hang_up()
    stream.send(b"two")

    first = stream.attach()
    assert await stream.next(0, first) == (1, b"one")
    assert await stream.next(1, first) is None
    again = stream.attach()
    assert await stream.next(1, again) == (2, b"two")


async def test_a_reader_who_cannot_come_back_is_kept() -> None:
    stream = ReplayBuffer().reply()
    stream.send(b"one")
    stream.hang_up()
    stream.finish(b"two")

    reader = stream.attach()
    assert await stream.next(0, reader) == (1, b"one")
    assert await stream.next(1, reader) == (2, b"two")
