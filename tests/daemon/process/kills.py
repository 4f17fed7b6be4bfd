"""Kills of the daemon while agents write: what became of their sessions, pages and actions.

Run as `scripts/kills --kills 50 --agents 8`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tabmux.folders import daemon_lock
from tests.chromium import Chromium, chromium
from tests.daemon.process.relays import Client, relay, run
from tests.homes import home_in
from tests.site import Site

FORM = """<title>Form</title><input aria-label=Token><button onclick="
  fetch('{counter}?' + document.querySelector('input').value, {{method: 'POST'}})">Send</button>
<script>window.marker = crypto.randomUUID()</script>"""
USABLE_SECONDS = 2.0
MARKER = {"function": "() => window.marker"}


@dataclass
class Outcome:
    """What the agents saw."""

    writes: int = 0
    unknown: int = 0
    repeated: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    lost_pages: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    # The longest a call took, and the longest after the last kill that it met.
    slowest: float = 0.0
    slowest_after_kill: float = 0.0
    kills: int = 0
    last_kill: float = 0.0


class WritingAgent:
    """An agent that sends one token after the other, and never one twice."""

    def __init__(self, number: int, client: Client, url: str, outcome: Outcome) -> None:
        self._name, self._client, self._url = f"agent{number}", client, url
        self._outcome = outcome
        self._marker = ""
        self.sent: list[str] = []

    async def begin(self) -> None:
        await self._client.call("navigate_page", url=self._url)
        self._marker = await self._call("evaluate_script", **MARKER)

    async def write(self, stopping: asyncio.Event) -> None:
        number = 0
        while not stopping.is_set():
            number += 1
            token = f"{self._name}-{number}"
            if await self._does("fill", uid='textbox "Token"', value=token) and await self._does(
                "click", uid='button "Send"'
            ):
                self.sent.append(token)

    async def end(self) -> None:
        """See that the page is the one of the beginning, and never loaded anew."""
        if await self._call("evaluate_script", **MARKER) != self._marker:
            self._outcome.lost_pages.append(self._name)
        pages = await self._call("list_pages")
        if pages.count(self._url) != 1 or "[not attached]" in pages.split(self._url)[1][:40]:
            self._outcome.lost_pages.append(f"{self._name}: {pages}")

    async def _does(self, tool: str, **arguments: str) -> bool:
        self._outcome.writes += 1
        text = await self._call(tool, **arguments)
        if "[outcome_unknown]" in text:
            self._outcome.unknown += 1
            return False
        if text.startswith("Error"):
            self._outcome.failures.append(f"{self._name} {tool}: {text}")
            return False
        return True

    async def _call(self, tool: str, **arguments: str) -> str:
        began = time.monotonic()
        text = await self._client.call(tool, **arguments)
        outcome, now = self._outcome, time.monotonic()
        outcome.slowest = max(outcome.slowest, now - began)
        since = now - max(began, outcome.last_kill)
        outcome.slowest_after_kill = max(outcome.slowest_after_kill, since)
        return re.sub(r"</?page \w+>", "", text)


async def kill_while_agents_write(
    agents: int, kills: int, seed: int, home: dict[str, str], browser: Chromium, site: Site
) -> Outcome:
    """Kill the daemon at random instants while agents write; returns what they saw."""
    chance, outcome, counted = random.Random(seed), Outcome(), Counter[str]()
    with counter(site, counted) as address:
        url = site.page(FORM.format(counter=address))
        async with AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(relay(home, "--browser-url", browser.url))
                for _ in range(agents)
            ]
            writers = [WritingAgent(n, c, url, outcome) for n, c in enumerate(clients)]
            for writer in writers:
                await writer.begin()
            stopping = asyncio.Event()
            async with asyncio.TaskGroup() as group:
                for writer in writers:
                    group.create_task(writer.write(stopping))
                for _ in range(kills):
                    await asyncio.sleep(chance.uniform(0.1, 2.5))
                    outcome.kills += await kill(home)
                    outcome.last_kill = time.monotonic()
                await asyncio.sleep(1)
                stopping.set()
            for writer in writers:
                await writer.end()
    outcome.repeated = [token for token, times in counted.items() if times > 1]
    outcome.missing = [t for w in writers for t in w.sent if not counted[t]]
    await run(home, "daemon", "stop")
    return outcome


@contextmanager
def counter(site: Site, counted: Counter[str]) -> Iterator[str]:
    """Count the tokens that pages send."""

    def count(handler: object) -> None:
        counted[urlsplit(handler.path).query] += 1  # type: ignore[attr-defined]
        handler.send_response(204)  # type: ignore[attr-defined]
        handler.end_headers()  # type: ignore[attr-defined]

    yield urlsplit(site.route(count)).path


async def kill(home: dict[str, str]) -> int:
    """Kill the daemon that has the lock; returns how many were killed."""
    for _ in range(500):
        with suppress(OSError, ValueError):
            pid = int(Path(daemon_lock(home["HOME"])).read_text().split("\n")[0])
            os.kill(pid, signal.SIGKILL)
            return 1
        await asyncio.sleep(0.02)
    return 0


async def main(agents: int, kills: int, seed: int) -> int:
    with tempfile.TemporaryDirectory() as folder, Site() as site:
        async with chromium() as browser:
            outcome = await kill_while_agents_write(
                agents, kills, seed, home_in(folder), browser, site
            )
    sys.stdout.write(json.dumps(vars(outcome), indent=1) + "\n")
    if outcome.slowest_after_kill > USABLE_SECONDS:
        sys.stdout.write("On this machine, sessions were not usable soon enough.\n")
    bad = outcome.repeated or outcome.missing or outcome.lost_pages or outcome.failures
    return 1 if bad else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name, usual in (("agents", 8), ("kills", 50), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    sys.exit(asyncio.run(main(**vars(parser.parse_args()))))
