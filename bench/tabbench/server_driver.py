"""Server driver: what the drivers of all servers have in common, and what is counted of them."""

from __future__ import annotations

import json
import re
import time
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from bench.client import Client
from bench.pagetools.driving.driver import cell
from bench.pagetools.driving.ordinary_driver import OrdinaryDriver, Seen
from bench.trouble import BenchError

AGENT = re.compile(r"tabbench-agent-(\d+)")


class ServerDriver(OrdinaryDriver):
    """Acts as one agent through the tools of one server.

    The way to a solution is the same for all: a snapshot, what it names, a click or a fill.
    A server has a file in `drivers/` that says what its tools are called and how it writes
    snapshots; where it can do better than the common way, it may.

    Attributes:
        name: What the server is called in the tables.
        package: The npm package and its pin, for what is not tabmux.
        seconds: What each call took.
        sent: Characters of all arguments.
        strangers: Replies that were about another agent's page.
        neighbours: Replies that named another agent's page beside one's own.
    """

    name: ClassVar[str]
    package: ClassVar[tuple[str, str] | None] = None

    def __init__(self, client: Client, agent: int) -> None:
        super().__init__(client)
        self.agent = f"tabbench-agent-{agent:02d}"
        self.seconds: list[float] = []
        self.sent = self.strangers = self.neighbours = 0
        self.seen: list[Seen] = []

    @classmethod
    @abstractmethod
    def command(cls, chromium: str, modules: Path) -> tuple[str, ...]:
        """Return how an agent's server is started, for a Chromium at an address."""

    @classmethod
    def environment(cls, chromium: str, agent: int) -> dict[str, str]:
        """Return what is set for it beside the usual variables; HOME is a scratch folder."""
        return {}

    @abstractmethod
    async def open(self, url: str) -> None:
        """Open an address in a tab of the agent's own."""

    @abstractmethod
    def parse(self, snapshot: str) -> list[Seen]:
        """Read a snapshot; a text that stands alone is a line without a uid."""

    async def close(self) -> None:
        """Close the agent's tab, if that takes a call."""

    async def read(self) -> str:
        """See `Driver`; a line that counts as text, too, is read once."""
        names = {line.at: line.name for line in await self._snapshot() if line.name}
        return "\n".join(names.values())

    async def _snapshot(self) -> list[Seen]:
        self.seen = self.parse(await self._call(*self.snapshot_call()))
        return self.seen

    def snapshot_call(self) -> tuple[str, dict[str, Any]]:
        """Return the call that takes a snapshot."""
        return "take_snapshot", {}

    def role(self, uid: str) -> str:
        """Return what the last snapshot said an element is."""
        return next((line.role for line in self.seen if line.uid == uid), "")

    async def _call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Make a call; a click that fails is tried again when what is open was closed by Escape."""
        try:
            return await super()._call(tool, arguments)
        except BenchError:
            if tool != "click":
                raise
        await super()._call("press_key", {"key": "Escape"})
        return await super()._call(tool, arguments)

    async def _ask(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Make one call and count it, also when it fails."""
        began = time.perf_counter()
        self.sent += len(json.dumps(arguments, ensure_ascii=False))
        try:
            reply = await self._client.call(tool, arguments)
        except BenchError as error:
            self.seconds.append(time.perf_counter() - began)
            self.characters += len(str(error))
            raise
        self.seconds.append(reply.seconds)
        self.characters += len(reply.text)
        self._look_for_strangers(reply.text)
        return reply.text

    def _look_for_strangers(self, text: str) -> None:
        agents = {found.group(0) for found in AGENT.finditer(text)}
        if agents - {self.agent}:
            if self.agent in agents:
                self.neighbours += 1
            else:
                self.strangers += 1


def with_texts(lines: list[Seen], roles: tuple[str, ...]) -> list[Seen]:
    """Let lines of some roles count as plain text, too: what stands beside a field names it."""
    found = []
    for line in lines:
        if line.role in roles and line.uid and cell(line.name):
            found.append(Seen(line.at, "", line.role, line.name, ""))
        found.append(line)
    return found
