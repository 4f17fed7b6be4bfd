"""The Chromium that a server is connected to."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.processes import end_group
from bench.trouble import BenchError

START_SECONDS = 30.0
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# No updates, and no throttling of the tabs that wait for their turn.
# Chromium 156 takes 87 pixels of a headless window for itself: the viewport is 1280 by 720.
FLAGS = (
    "--headless=new",
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider",
    "--hide-scrollbars",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    "--force-device-scale-factor=1",
    "--window-size=1280,807",
)


@dataclass(frozen=True)
class Endpoint:
    """Where a running Chromium listens."""

    url: str
    websocket: str


def find_chromium() -> str:
    """The path of an installed Chromium or Chrome."""
    for name in NAMES:
        if (path := shutil.which(name)) is not None:
            return path
    for place in PLACES:
        if Path(place).exists():
            return place
    raise BenchError("No Chromium or Chrome was found; pass --chromium PATH.")


@asynccontextmanager
async def open_chromium(
    path: str, *extra: str, without: Collection[str] = ()
) -> AsyncIterator[Endpoint]:
    """Start a headless Chromium with a profile of its own; both are gone afterwards.

    Args:
        path: The browser.
        extra: Flags on top of the usual ones.
        without: Usual ones that are left out.
    """
    with tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            path,
            *extra,
            *(flag for flag in _flags(profile) if flag not in without),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            # Servers and the Chromium they start share a session. Linux may share out its time by
            # sessions first, and lets one that moves to another core wait for up to 50 ms there.
            process_group=0,
        )
        try:
            yield await _endpoint(Path(profile), process)
        finally:
            await end_group(process.pid, process.wait)


def _flags(profile: str) -> list[str]:
    flags = [*FLAGS, f"--user-data-dir={profile}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")
    return [*flags, "about:blank"]


async def _endpoint(profile: Path, process: asyncio.subprocess.Process) -> Endpoint:
    try:
        async with asyncio.timeout(START_SECONDS):
            lines = await _active_port(profile / "DevToolsActivePort", process)
    except TimeoutError as error:
        raise BenchError(f"Chromium opened no port within {START_SECONDS:g} s.") from error
    authority = f"127.0.0.1:{lines[0]}"
    return Endpoint(f"http://{authority}", f"ws://{authority}{lines[1]}")


async def _active_port(file: Path, process: asyncio.subprocess.Process) -> list[str]:
    while process.returncode is None:
        # Chromium writes the two lines without a rename, so a first look may see only one.
        if len(lines := _lines(file)) == 2:
            return lines
        await asyncio.sleep(0.05)
    raise BenchError(f"Chromium ended at once with code {process.returncode}.")


def _lines(file: Path) -> list[str]:
    return file.read_text().split() if file.exists() else []
