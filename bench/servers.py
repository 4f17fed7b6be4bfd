"""The servers that are measured: one entry each."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.dialects import Devtools, Dialect, Playwright

SOURCE = Path(__file__).parents[1] / "src"


@dataclass(frozen=True)
class Server:
    """A server under test.

    Args:
        name: As in the table and after `--servers`.
        dialect: How its tools are called.
        command: With `{url}` for Chromium's address and `{modules}` for node_modules.
        environment: Set on top of the caller's.
        package: The npm package and its pin, for a peer.
        source: The Python modules, for a tabmux.
    """

    name: str
    dialect: Dialect
    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    package: tuple[str, str] | None = None
    source: Path | None = None

    def started_with(self, url: str, folder: Path) -> tuple[str, ...]:
        """The command line for a Chromium at this address."""
        modules = str(folder / "node_modules")
        return tuple(part.format(url=url, modules=modules) for part in self.command)

    def surroundings(self, cache: Path) -> dict[str, str]:
        """The whole environment of the process; what it caches goes to a folder we remove."""
        return {**os.environ, "XDG_CACHE_HOME": str(cache), **self.environment}


TABMUX = Server(
    "tabmux",
    Devtools(selects=True),
    (
        sys.executable,
        "-m",
        "tabmux",
        "serve",
        "--stdio",
        "--browser-url",
        "{url}",
        # The peers have no limit.
        "--reply-limit",
        "0",
    ),
    {"PYTHONPATH": os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")]))},
    source=SOURCE,
)

CHROME_DEVTOOLS = Server(
    "cdm",
    Devtools(selects=False),
    (
        *("node", "{modules}/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"),
        *("--browserUrl", "{url}", "--no-usage-statistics", "--no-performance-crux"),
    ),
    {"CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS": "1"},
    ("chrome-devtools-mcp", "1.11.0"),
)


def version_at(folder: Path) -> Server:
    """The tabmux that is checked out in a folder, to be compared with this one."""
    source = folder / "src"
    surroundings = {"PYTHONPATH": str(source)}
    return replace(TABMUX, name="before", environment=surroundings, source=source)


PLAYWRIGHT = Server(
    "playwright",
    Playwright(),
    (
        *("node", "{modules}/@playwright/mcp/cli.js", "--cdp-endpoint", "{url}"),
        # Without a context of its own it asks every tab of the other servers, too, at every call.
        *("--isolated", "--viewport-size", "1280x720"),
    ),
    {},
    ("@playwright/mcp", "0.0.83"),
)

SERVERS = (TABMUX, CHROME_DEVTOOLS, PLAYWRIGHT)
