from __future__ import annotations

import asyncio
import os

import pytest

from tabmux.cdp.transports import PipeTransport


class Ends:
    """A transport and the far ends of its pipes."""

    def __init__(self) -> None:
        far_in, ours_out = os.pipe()
        ours_in, far_out = os.pipe()
        self.far_in, self.far_out = far_in, far_out
        self.messages: asyncio.Queue[bytes] = asyncio.Queue()
        self.closed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.transport = PipeTransport(ours_in, ours_out)
        self.transport.start(self.messages.put_nowait, self.closed.set_result)

    async def next(self) -> bytes:
        async with asyncio.timeout(5):
            return await self.messages.get()


async def test_messages_are_split_and_joined_at_nul_bytes() -> None:
    ends = Ends()
    os.write(ends.far_out, b"one\0tw")
    assert await ends.next() == b"one"
    os.write(ends.far_out, b"o\0three\0")
    assert [await ends.next(), await ends.next()] == [b"two", b"three"]
    ends.transport.close()


async def test_message_larger_than_the_pipe_is_written_in_parts() -> None:
    ends = Ends()
    message = os.urandom(1 << 20).replace(b"\0", b"x")
    ends.transport.send(message)
    ends.transport.send(b"after")
    loop = asyncio.get_running_loop()
    read = b""
    while read.count(b"\0") < 2:
        read += await loop.run_in_executor(None, os.read, ends.far_in, 1 << 16)
    assert read == message + b"\0after\0"
    ends.transport.close()


async def test_far_end_that_closes_is_noticed_once() -> None:
    ends = Ends()
    os.close(ends.far_out)
    async with asyncio.timeout(5):
        assert await ends.closed == "the browser closed its pipe"
    ends.transport.close()
    ends.transport.send(b"into nothing")


async def test_writing_to_a_closed_far_end_ends_the_link() -> None:
    ends = Ends()
    os.close(ends.far_in)
    ends.transport.send(b"hello")
    async with asyncio.timeout(5):
        assert "writing to the browser failed" in await ends.closed


async def test_own_close_is_reported_and_frees_the_descriptors() -> None:
    ends = Ends()
    ends.transport.close()
    assert await ends.closed == "the pipe was closed"
    with pytest.raises(BrokenPipeError):
        os.write(ends.far_out, b"x")
