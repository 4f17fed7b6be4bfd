"""Trace event: as it stands in the file, its arguments left undecoded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias, TypeVar, cast

import msgspec

from tabmux.json_text import decoder

T = TypeVar("T")


class TraceEvent(msgspec.Struct, gc=False):
    """The fields every event has; times are microseconds.

    `args` points into the block it was read from: decode what is needed and let it go,
    or the block stays in memory.
    """

    name: str = ""
    ph: str = ""
    ts: float = 0
    dur: float = 0
    pid: int = 0
    tid: int = 0
    id: str | int = ""
    id2: msgspec.Raw = msgspec.Raw(b"")
    args: msgspec.Raw = msgspec.Raw(b"{}")

    @property
    def end(self) -> float:
        """When it was over."""
        return self.ts + self.dur


TraceListener: TypeAlias = Callable[[TraceEvent], None]


class TraceHandler(Protocol):
    """Something that collects the events of one subject."""

    def listeners(self) -> Mapping[str, TraceListener]:
        """Which method takes which event, by the event's name."""
        ...


def args_decoder(kind: type[T]) -> Callable[[TraceEvent], T]:
    """Make a function that decodes an event's arguments."""
    decode = decoder(kind)
    return lambda event: decode(event.args)


def data_decoder(kind: type[T]) -> Callable[[TraceEvent], T]:
    """Make a function that decodes `args.data`, where most events keep all they say."""
    decode = decoder(msgspec.defstruct("Args", [("data", kind)]))
    return lambda event: cast(T, decode(event.args).data)  # type: ignore[attr-defined]
