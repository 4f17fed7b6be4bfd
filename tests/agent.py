"""An agent as the tests play it: calls tools, and reads what they answer."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

from tabmux.content import Reply
from tabmux.daemon.app import Desk, Seat
from tests.site import Site


class ToolFailed(AssertionError):
    """A tool failed where the test wants it to succeed."""


class Agent:
    """One session. Call it with a tool's name; it returns the text of the reply."""

    def __init__(self, seat: Seat, site: Site) -> None:
        self.seat, self.site = seat, site
        self.seen = ""

    @classmethod
    @asynccontextmanager
    async def joined(cls, desk: Desk, site: Site) -> AsyncIterator[Self]:
        """Open a session for the block."""
        seat = desk.open()
        try:
            yield cls(seat, site)
        finally:
            await seat.close()

    async def reply(self, name: str, **arguments: Any) -> Reply:
        """Call a tool and return its whole reply."""
        reply = await self.seat.call(name, arguments, _silent)
        if "uid=" in reply.text:
            self.seen = reply.text
        return reply

    async def __call__(self, name: str, **arguments: Any) -> str:
        """Call a tool that must succeed."""
        reply = await self.reply(name, **arguments)
        if reply.failed:
            raise ToolFailed(reply.text)
        return reply.text

    async def fails(self, name: str, **arguments: Any) -> tuple[str, str]:
        """Call a tool that must fail; returns its code and text."""
        reply = await self.reply(name, **arguments)
        assert reply.code is not None, f"{name} succeeded: {reply.text}"
        return reply.code, reply.text

    async def open(self, html: str) -> str:
        """Load a document and take a snapshot of it."""
        await self("navigate_page", url=self.site.page(html))
        return await self("take_snapshot")

    def uid(self, line: str) -> str:
        """Return the uid of the first line of the last snapshot that starts with this."""
        found = re.search(rf"uid=(\S+) {re.escape(line)}", self.seen)
        assert found, f"{line!r} is not in\n{self.seen}"
        return found[1]

    async def value(self, expression: str) -> str:
        """Evaluate an expression in the page."""
        text = await self("evaluate_script", function=f"() => ({expression})")
        found = re.search(r"```json\n(.*)\n```", text, re.DOTALL)
        assert found, text
        return found[1]


async def _silent(*_: object) -> None:
    pass
