"""Proof that a call did what it was asked: without its effect a call has no time."""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Awaitable, Callable

from bench.client import Reply
from bench.running_server import RunningServer
from bench.trouble import BenchError

Check = Callable[[RunningServer, Reply], Awaitable[None]]
PNG = b"\x89PNG\r\n\x1a\n"


def page_says(expression: str, expected: object) -> Check:
    """The page, asked through the side channel, has this value as soon as the call returned."""

    async def check(server: RunningServer, reply: Reply) -> None:
        value = await server.tab.probe.evaluate(expression)
        if value != expected:
            raise BenchError(f"No effect: {expression} is {value!r}, not {expected!r}.")

    return check


def reply_matches(pattern: str) -> Check:
    """The reply's text has a match."""

    async def check(server: RunningServer, reply: Reply) -> None:
        if not re.search(pattern, reply.text, re.MULTILINE):
            raise BenchError(f"The reply has no {pattern!r}: {reply.text[:200]!r}")

    return check


def lists(**counts: int) -> Check:
    """The snapshot has exactly so many elements of each role, with different names."""

    async def check(server: RunningServer, reply: Reply) -> None:
        for role, expected in counts.items():
            found = len(server.server.dialect.references(reply.text, role))
            if found != expected:
                raise BenchError(f"The snapshot has {found} elements {role}, not {expected}.")

    return check


def shows_viewport() -> Check:
    """The reply has one PNG as large as the viewport."""

    async def check(server: RunningServer, reply: Reply) -> None:
        size = await server.tab.probe.evaluate("[innerWidth, innerHeight]")
        sizes = [_png_size(base64.b64decode(image)) for image in reply.images]
        if sizes != [size]:
            raise BenchError(f"The reply has images of {sizes}, the viewport is {size}.")

    return check


def _png_size(image: bytes) -> list[int]:
    if not image.startswith(PNG):
        raise BenchError("The reply's image is no PNG.")
    return list(struct.unpack(">II", image[16:24]))
