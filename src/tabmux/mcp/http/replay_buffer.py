"""Replay buffer: numbered messages to an HTTP client, kept a while to be read again."""

from __future__ import annotations

import asyncio
from collections import deque

from tabmux.mcp import rpc
from tabmux.mcp.rpc import Id, RpcError, RpcRequest
from tabmux.mcp.server_info import CANCELLED

MOST_BYTES = 4 * 1024 * 1024
MOST_EVENTS = 1_000


class MessageStream:
    """Messages in order, numbered from 1. One reader at a time: a new one displaces the old."""

    def __init__(self, name: str, buffer: ReplayBuffer) -> None:
        self.name = name
        self.is_done = False
        self.is_resumable = False
        # The call whose answer this is, if it is one's.
        self.call: RpcRequest | None = None
        self._pause_at: int | None = None
        self.last = self.read = 0
        self._buffer = buffer
        self._frames: dict[int, bytes] = {}
        self._reader: object = None
        self._changed = asyncio.Event()

    @property
    def is_read(self) -> bool:
        """Whether a reader has had all there was to say."""
        return self.is_done and self.read >= self.last

    def send(self, frame: bytes) -> None:
        """Add a message."""
        if not self.is_done:
            self.last += 1
            self._frames[self.last] = frame
            self._buffer.keep(self, self.last, len(frame))
            self._changed.set()

    def finish(self, frame: bytes) -> None:
        """Add an answer; other messages may follow."""
        self.send(frame)

    def abandon(self, ident: Id) -> None:
        """Say nothing: whoever cancelled expects no answer."""

    async def drained(self) -> None:
        """Never wait: the buffer limits what is kept."""

    def end(self) -> None:
        """Let the reader go once it has read everything."""
        self.is_done = True
        self._changed.set()

    def hang_up(self) -> None:
        """Let the reader go after what was said so far; it comes back for the rest if it can."""
        if self.is_resumable:
            self._pause_at = self.last
            self._changed.set()

    def release(self, upto: int) -> None:
        """Forget messages that nobody will read again."""
        self._buffer.release(self, upto)

    def attach(self) -> object:
        """Become the reader."""
        self._reader = object()
        self._changed.set()
        return self._reader

    def frame(self, number: int) -> bytes | None:
        """Return a message that is still kept."""
        return self._frames.get(number)

    def drop(self, number: int) -> None:
        """Forget a message."""
        self._frames.pop(number, None)

    async def next(self, after: int, reader: object) -> tuple[int, bytes] | None:
        """Wait for a message after this number; None when the reader should leave.

        Messages that had to make room are passed over.
        """
        while self._reader is reader and self.last <= after and not self.is_done:
            if self._pause_at == after:
                break
            self._changed.clear()
            await self._changed.wait()
        if self._reader is not reader:
            return None
        if self._pause_at == after:
            self._pause_at = None
            return None
        number = next((kept for kept in self._frames if kept > after), None)
        if number is None:
            return None
        self.read = max(self.read, number)
        return number, self._frames[number]

    async def settled(self) -> None:
        """Wait until there is something to read."""
        while not self.last and not self.is_done:
            self._changed.clear()
            await self._changed.wait()

    async def ended(self) -> None:
        """Wait until nothing more will come."""
        while not self.is_done:
            self._changed.clear()
            await self._changed.wait()


class ReplyStream(MessageStream):
    """What is said about one request; ends with the answer."""

    def finish(self, frame: bytes) -> None:
        """Add the answer, and end."""
        self.send(frame)
        self.end()

    def abandon(self, ident: Id) -> None:
        """End with an error: over HTTP a request that is cancelled must still be closed."""
        self.finish(rpc.error(ident, RpcError(CANCELLED, "The request was cancelled.")))


class ReplayBuffer:
    """The streams of one client, and how much of them is kept."""

    def __init__(self, most_bytes: int = MOST_BYTES, most_events: int = MOST_EVENTS) -> None:
        self._most_bytes, self._most_events = most_bytes, most_events
        self._kept: deque[tuple[MessageStream, int, int]] = deque()
        self._bytes = 0
        self._streams: dict[str, MessageStream] = {}
        self._opened = 0
        self.standing = self._add(MessageStream("s", self))

    def reply(self) -> ReplyStream:
        """Open a stream for one request."""
        self._opened += 1
        stream = ReplyStream(str(self._opened), self)
        self._add(stream)
        return stream

    def find(self, event: str) -> tuple[MessageStream, int] | None:
        """Return the stream of an event id and the number of the event."""
        name, _, number = event.rpartition("-")
        stream = self._streams.get(name)
        if stream is None or not number.isdecimal() or int(number) > stream.last:
            return None
        return stream, int(number)

    def forget(self, stream: MessageStream) -> None:
        """Give up a stream that nobody will read again."""
        self._streams.pop(stream.name, None)
        self.release(stream, stream.last)

    def release(self, stream: MessageStream, upto: int) -> None:
        """Give up the messages of a stream that nobody will read again."""
        kept = [entry for entry in self._kept if entry[0] is not stream or entry[1] > upto]
        self._kept = deque(kept)
        self._bytes = sum(size for _, _, size in kept)
        for number in range(upto, 0, -1):
            if stream.frame(number) is None:
                break
            stream.drop(number)

    def keep(self, stream: MessageStream, number: int, size: int) -> None:
        """Note a new message; the oldest ones make room, never the newest."""
        self._kept.append((stream, number, size))
        self._bytes += size
        while len(self._kept) > 1 and self._is_full:
            oldest, dropped, freed = self._kept.popleft()
            self._bytes -= freed
            oldest.drop(dropped)
            if oldest.is_done and dropped == oldest.last:
                self._streams.pop(oldest.name, None)

    def end(self) -> None:
        """Let every reader go."""
        for stream in self._streams.values():
            stream.end()

    @property
    def _is_full(self) -> bool:
        return self._bytes > self._most_bytes or len(self._kept) > self._most_events

    def _add(self, stream: MessageStream) -> MessageStream:
        self._streams[stream.name] = stream
        return stream
