"""Pages that declare tools: Chrome's demos, the web platform tests, and a polyfill.

The demos and the tests are expected in the cache, the demos that need it built already.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from bench.chromium import find_chromium, open_chromium
from bench.client import Client, open_client
from bench.packages import cache, install
from bench.pagetools import webmcp_demos, webmcp_polyfill, webmcp_wpt
from bench.pagetools.folder import open_folder
from bench.pagetools.output import say
from bench.probe import Probe, open_probe
from bench.processes import stop_on
from bench.servers import TABMUX, Server

FLAG = "--enable-features=WebMCP"
# What a page wants from elsewhere is not there, at once; loopback has several names.
ALONE = (
    "--host-resolver-rules=MAP * ~NOTFOUND, "
    "EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost"
)
FULL = replace(TABMUX, command=(*TABMUX.command, "--tools", "+webmcp"))
FOCUS = replace(TABMUX, command=(*TABMUX.command, "--toolset", "focus"))


@asynccontextmanager
async def opened(*flags: str) -> AsyncIterator[tuple[Client, Client, Probe]]:
    """Start a browser with these flags, and a tabmux of each toolset at it."""
    with tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True) as place:
        flags = (ALONE, "--disable-popup-blocking", *flags)
        async with (
            open_chromium(find_chromium(), *flags) as endpoint,
            open_probe(endpoint.websocket) as probe,
            _client(FULL, endpoint.url, Path(place) / "full") as full,
            _client(FOCUS, endpoint.url, Path(place) / "focus") as focus,
        ):
            yield full, focus, probe


@asynccontextmanager
async def _client(server: Server, url: str, folder: Path) -> AsyncIterator[Client]:
    folder.mkdir()  # noqa: ASYNC240 (nobody waits)
    command, surroundings = server.started_with(url, folder), server.surroundings(folder)
    async with open_client(command, surroundings, folder, folder / "tabmux.log") as client:
        await client.initialize()
        yield client


async def _wpt(only: str) -> bool:
    root = cache() / "pagetools" / "wpt-webmcp"
    if not root.exists():
        say(f"web platform tests: not in {root}")
        return False
    async with open_folder(root) as folder, opened(FLAG) as (full, _, probe):
        folder.ours = webmcp_wpt.overlay(folder)
        right, pages = await webmcp_wpt.score(full, probe, folder, only)
    return right == pages


async def _demos(only: str) -> bool:
    root = cache() / "pagetools" / "webmcp-tools" / "demos"
    if not root.exists():
        say(f"demos: not in {root}")
        return False
    async with open_folder(root) as folder, opened(FLAG) as (full, focus, probe):
        right, visits = await webmcp_demos.score(full, focus, probe, folder, only)
    return right == visits


async def _polyfill(only: str) -> bool:
    await install(dict([webmcp_polyfill.PACKAGE]), cache())
    ours = webmcp_polyfill.PAGES
    async with open_folder(cache() / "node_modules", ours) as folder, opened() as (full, _, probe):
        right, pages = await webmcp_polyfill.score(full, probe, folder, only)
    return right == pages


PARTS = {"demos": _demos, "wpt": _wpt, "polyfill": _polyfill}


async def _run(parts: Sequence[str], only: str) -> int:
    stop_on(signal.SIGTERM)
    good = [await PARTS[part](only) for part in parts]
    return 0 if all(good) else 1


def run(arguments: Sequence[str]) -> int:
    """Score all parts, or those that are named."""
    parser = argparse.ArgumentParser(prog="bench.pagetools webmcp", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="|".join(PARTS), default=[])
    parser.add_argument("--only", default="", help="only pages whose path has this in it")
    parser.add_argument("--quick", action="store_true", help="the polyfill: a smoke test")
    options = parser.parse_args(arguments)
    parts = ["polyfill"] if options.quick else options.parts or list(PARTS)
    return asyncio.run(_run(parts, options.only))
