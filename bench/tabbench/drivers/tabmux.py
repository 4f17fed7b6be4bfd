"""tabmux: one daemon, and a relay for each agent."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from bench.pagetools.driving.ordinary_driver import Seen, read_snapshot
from bench.servers import SOURCE
from bench.tabbench.server_driver import ServerDriver


class TabmuxDriver(ServerDriver):
    """Each agent is a session, whose first call opens its tab."""

    name = "tabmux"

    @classmethod
    def command(cls, chromium: str, modules: Path) -> tuple[str, ...]:
        """See `ServerDriver`."""
        return (sys.executable, "-m", "tabmux", "--browser-url", chromium)

    @classmethod
    def environment(cls, chromium: str, agent: int) -> dict[str, str]:
        """See `ServerDriver`."""
        return {"PYTHONPATH": os.pathsep.join(filter(None, [str(SOURCE), os.getenv("PYTHONPATH")]))}

    async def open(self, url: str) -> None:
        """See `ServerDriver`."""
        await self._call("navigate_page", {"url": url})

    def parse(self, snapshot: str) -> list[Seen]:
        """See `ServerDriver`."""
        return read_snapshot(snapshot)

    def snapshot_call(self) -> tuple[str, dict[str, Any]]:
        """See `ServerDriver`."""
        return "take_snapshot", {}
