"""One daemon of two is killed while many clients act: what became of their sessions and actions.

Run as `scripts/takeover --sessions 200`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import httpx2
from mcp import MCPError
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.browsers.grid.fake_grid import FakeGrid, served
from tests.cluster.balancer import Balancer, balancer
from tests.cluster.daemons import Persistent, daemon
from tests.cluster.redis_server import redis_server
from tests.ports import free_port

PAUSE_SECONDS = 5.0
# How many clients open their sessions at the same time.
AT_ONCE = 10


@dataclass
class Outcome:
    """What the clients saw."""

    sessions: int = 0
    calls: int = 0
    unknown: int = 0
    # Requests that were sent again because their daemon had ended.
    sent_again: int = 0
    repeated: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    # The longest that anybody waited for an answer before the kill, and after it.
    slowest_before: float = 0.0
    pause: float = 0.0


class ActingClient:
    """A client of the official SDK that acts in its session again and again."""

    def __init__(self, number: int, outcome: Outcome) -> None:
        self._name, self._outcome = f"client{number}", outcome
        self._own: dict[str, str] = {}
        self._tab = ""
        self.done: list[str] = []
        self.killed = asyncio.Event()
        self._client: Client

    async def run(
        self, client: Client, turns: asyncio.Semaphore, stopping: asyncio.Event, pause: float
    ) -> None:
        """Open a session, act in it until told to stop, and look at it a last time."""
        async with turns:
            self._client = await client.__aenter__()
            await self.begin()
        try:
            await self.act(stopping, pause)
            async with turns:
                await self.end()
        finally:
            await client.__aexit__(None, None, None)

    async def begin(self) -> None:
        """Open a session, which is known by its tab from now on."""
        opened = await self._text("new_page", {})
        if handle := re.findall(r"session=(\S+)", opened):
            self._own = {"session": handle[0]}
        self._tab = await self._text("evaluate_script", {"function": "() => tab"})
        self._outcome.sessions += 1

    async def act(self, stopping: asyncio.Event, pause: float) -> None:
        """Act until told to stop."""
        number = 0
        while not stopping.is_set():
            number += 1
            token = f"{self._name}-{number}"
            text = await self._text("evaluate_script", {"function": f"() => '{token}'"})
            self._outcome.calls += 1
            if "outcome_unknown" in text:
                self._outcome.unknown += 1
            elif text.startswith("Error"):
                self._outcome.failures.append(f"{token}: {text}")
            else:
                self.done.append(token)
            await asyncio.sleep(pause)

    async def end(self) -> None:
        """See that the session is the one of the beginning."""
        now = await self._text("evaluate_script", {"function": "() => tab"})
        if now.splitlines()[-1:] != self._tab.splitlines()[-1:]:
            self._outcome.lost.append(f"{self._name}: {self._tab} and then {now}")

    async def _text(self, tool: str, arguments: dict[str, Any]) -> str:
        began = time.monotonic()
        try:
            result = await self._client.call_tool(tool, {**arguments, **self._own})
        except (MCPError, httpx2.HTTPError) as error:
            return f"Error: {error!r}"
        took, outcome = time.monotonic() - began, self._outcome
        if self.killed.is_set():
            outcome.pause = max(outcome.pause, took)
        else:
            outcome.slowest_before = max(outcome.slowest_before, took)
        return "\n".join(getattr(item, "text", "") for item in result.content)


async def kill_one_of_two(
    sessions: int, calls_before: int, home: Path, *, pause: float = 1.0
) -> Outcome:
    """Kill one daemon while clients of both eras act through a balancer."""
    outcome, grid = Outcome(), FakeGrid(sessions, sessions)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(served(grid))
        redis = await stack.enter_async_context(redis_server())
        ports = free_port(), free_port()
        balancing = await stack.enter_async_context(balancer(*ports))
        flags = ("--grid", grid.url, "--no-fence", "--allow-host", balancing.host)
        _, killed = [
            await stack.enter_async_context(daemon(home, redis.url, *flags, port=port))
            for port in ports
        ]
        transport = Persistent()
        http = await stack.enter_async_context(
            httpx2.AsyncClient(transport=transport, timeout=60.0)
        )
        clients = [ActingClient(number, outcome) for number in range(sessions)]
        stopping, turns = asyncio.Event(), asyncio.Semaphore(AT_ONCE)
        async with asyncio.TaskGroup() as group:
            for number, each in enumerate(clients):
                target = _client(number, balancing, http)
                group.create_task(each.run(target, turns, stopping, pause))
            while outcome.sessions < sessions:
                await asyncio.sleep(0.05)
            enough = outcome.calls + calls_before
            while outcome.calls < enough:
                await asyncio.sleep(0.05)
            killed[1].kill()
            for each in clients:
                each.killed.set()
            await asyncio.sleep(PAUSE_SECONDS + 3)
            stopping.set()
        outcome.sent_again = transport.repeated
        _compare(outcome, clients, grid)
    return outcome


def _client(number: int, balancing: Balancer, http: httpx2.AsyncClient) -> Client:
    mode: Literal["legacy", "auto"] = "legacy" if number % 2 else "auto"
    target = streamable_http_client(balancing.url, http_client=http, terminate_on_close=False)
    return Client(target, mode=mode)


def _compare(outcome: Outcome, clients: list[ActingClient], grid: FakeGrid) -> None:
    """Compare what clients were told with what reached the pages."""
    counted = Counter(re.findall(r"client\d+-\d+", "\n".join(grid.scripts)))
    outcome.repeated = [token for token, times in counted.items() if times > 1]
    outcome.missing = [token for each in clients for token in each.done if token not in counted]


async def main(sessions: int, calls: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        outcome = await kill_one_of_two(sessions, calls, Path(folder))
    sys.stdout.write(json.dumps(vars(outcome), indent=1) + "\n")
    bad = outcome.repeated or outcome.missing or outcome.lost or outcome.failures
    return 1 if bad or outcome.pause > PAUSE_SECONDS else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name, usual in (("sessions", 200), ("calls", 1000)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    sys.exit(asyncio.run(main(**vars(parser.parse_args()))))
