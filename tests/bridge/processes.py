"""tabmux as it is run by users: the server and the bridge in one process, or in two."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import connect

from tabmux.folders import config_folder
from tests.bridge.served_bridge import ExtensionClient
from tests.ports import free_port

START_SECONDS = 30.0


@dataclass
class Running:
    """Where things are."""

    http: str
    token: str
    bridge_port: int

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}

    @asynccontextmanager
    async def stub(self, session: str) -> AsyncIterator[ExtensionClient]:
        """Connect as the extension of a session."""
        url = f"ws://localhost:{self.bridge_port}/session/{session}?token={self.token}"
        async with connect(url, compression=None, proxy=None) as websocket:
            yield ExtensionClient(websocket)

    async def post(self, port: int | None, path: str, body: Any, **headers: str) -> Any:
        """Post JSON to the bridge, or to the server."""
        base = self.http if port is None else f"http://127.0.0.1:{port}"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        async with httpx2.AsyncClient(timeout=40) as client:
            return await client.post(base + path, json=body, headers={**self.headers, **named})


@asynccontextmanager
async def running(home: dict[str, str], *, apart: bool) -> AsyncIterator[Running]:
    """Start tabmux for the length of the block."""
    bridge_port, http_port = free_port(), free_port()
    server = f"http://127.0.0.1:{http_port}"
    serve = ["serve", "--http", "--port", str(http_port), "--no-fence"]
    env = {**home, "BROWSER_MCP_ENABLE_DEBUG": "1"}
    if not apart:
        async with process([*serve, "--bridge-port", str(bridge_port)], env, "is ready"):
            yield Running(server, _token(home), bridge_port)
        return
    env["BROWSER_MCP_DAEMON_URL"] = f"http://127.0.0.1:{bridge_port}"
    alone = {
        **home,
        "BROWSER_MCP_HTTP_URL": server,
        "BROWSER_MCP_DAEMON_PORT": str(bridge_port),
    }
    async with process(["bridge"], alone, "is ready"), process(serve, env, "is ready"):
        yield Running(server, _token(home), bridge_port)


@asynccontextmanager
async def process(
    arguments: list[str], env: dict[str, str], ready: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a command of tabmux until the block ends, from when it says that it is ready."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tabmux", *arguments,
        env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert child.stdout is not None
    try:
        async with asyncio.timeout(START_SECONDS):
            while not re.search(ready.encode(), line := await child.stdout.readline()):
                assert line, f"{arguments} ended"
        yield child
    finally:
        if child.returncode is None:
            child.terminate()
        await child.communicate()


def _token(home: dict[str, str]) -> str:
    return (Path(config_folder(home["HOME"])) / "token").read_text(encoding="utf-8").strip()
