"""A real Selenium Grid for the tests: a hub and nodes on loopback, started and killed at will."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from tabmux.browsers.executable import find_executable
from tests.ports import free_port

JAR_VARIABLE = "TABMUX_SELENIUM_JAR"
READY_SECONDS = 90.0
_NODE = """[node]
detect-drivers = false
override-max-sessions = true
max-sessions = {slots}
enable-managed-downloads = true
heartbeat-period = 5
[[node.driver-configuration]]
display-name = "Chromium"
stereotype = {stereotype}
webdriver-executable = "{driver}"
max-sessions = {slots}
"""


def why_not() -> str:
    """Say what is missing for a real grid; nothing where all is there."""
    if not os.path.isfile(os.environ.get(JAR_VARIABLE, "")):
        return f"{JAR_VARIABLE} names no Selenium server; scripts/test --fleet installs it"
    missing = [name for name in ("java", "chromedriver") if shutil.which(name) is None]
    return f"{' and '.join(missing)} not installed" if missing else ""


class RealGrid:
    """A hub and its nodes, as processes.

    Args:
        folder: Where their logs are.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._ports = folder, [free_port() for _ in range(3)]
        self.url = f"http://127.0.0.1:{self._ports[0]}"
        self.processes: dict[str, asyncio.subprocess.Process] = {}

    async def start_hub(self) -> None:
        """Start the hub, or start it again."""
        await self._start("hub", "hub", "--port", str(self._ports[0]))

    async def start_node(self, name: str, slots: int) -> None:
        """Start a node with room for so many browsers."""
        chrome = {"binary": find_executable()}
        wanted = {"browserName": "chrome", "goog:chromeOptions": chrome}
        config = self._folder / f"{name}.toml"
        text = _NODE.format(
            slots=slots,
            stereotype=json.dumps(json.dumps(wanted)),
            driver=shutil.which("chromedriver"),
        )
        config.write_text(text)
        port = str(free_port())
        given = ("--config", str(config), "--grid-url", self.url, "--port", port)
        await self._start(name, "node", *given)

    async def _start(self, name: str, *words: str) -> None:
        publish, subscribe = (f"tcp://127.0.0.1:{port}" for port in self._ports[1:])
        with (self._folder / f"{name}.log").open("ab") as log:
            self.processes[name] = await asyncio.create_subprocess_exec(
                "java", "-Xmx256m", "-jar", os.environ[JAR_VARIABLE], *words,
                "--host", "127.0.0.1", "--publish-events", publish, "--subscribe-events", subscribe,
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    async def kill(self, name: str) -> None:
        """End a process and its children at once, as kill -9 does."""
        process = self.processes.pop(name)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a signal to a process and its children, such as to stand still or to go on."""
        os.killpg(self.processes[name].pid, number)

    async def state(self) -> dict[str, Any]:
        """Ask the hub how the Grid is."""
        found: dict[str, Any] = await asyncio.to_thread(_get, f"{self.url}/status")
        return found

    async def sessions(self) -> dict[str, str]:
        """Return the browsers that the Grid runs, and the node of each."""
        nodes = (await self.state())["value"]["nodes"]
        return {
            slot["session"]["sessionId"]: node["id"]
            for node in nodes
            for slot in node["slots"]
            if slot["session"]
        }

    async def drain(self, node: str) -> None:
        """Have a node drained."""
        url = f"{self.url}/se/grid/distributor/node/{node}/drain"
        await asyncio.to_thread(_post, url)

    async def until(self, condition: Callable[[dict[str, Any]], bool], seconds: float) -> None:
        """Wait until something holds of what the Grid says of itself."""
        async with asyncio.timeout(seconds):
            while True:
                with suppress(OSError):
                    if condition(await self.state()):
                        return
                await asyncio.sleep(0.2)

    async def until_nodes(self, count: int) -> None:
        """Wait until so many nodes are up."""
        await self.until(lambda state: len(state["value"].get("nodes", ())) == count, READY_SECONDS)

    async def until_empty(self, seconds: float = 20.0) -> None:
        """Wait until the Grid runs no browser any more."""
        await self.until(lambda state: '"sessionId"' not in json.dumps(state), seconds)


def _get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=5) as answer:
        return json.loads(answer.read())


def _post(url: str) -> None:
    request = urllib.request.Request(url, method="POST", headers={"X-REGISTRATION-SECRET": ""})
    with urllib.request.urlopen(request, timeout=5) as answer:
        answer.read()


@asynccontextmanager
async def real_grid(folder: Path, *slots: int) -> AsyncIterator[RealGrid]:
    """Run a grid whose nodes have so many slots, for the length of the block."""
    grid = RealGrid(folder)
    try:
        await grid.start_hub()
        for number, room in enumerate(slots, 1):
            await grid.start_node(f"node{number}", room)
        await grid.until_nodes(len(slots))
        yield grid
    finally:
        for name in list(grid.processes):
            await grid.kill(name)
