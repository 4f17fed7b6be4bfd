"""Puppeteer beside an agent: the real package in the tabs of a session."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import tabmux

SECONDS = 60.0


async def main(url: str) -> None:
    """Let Puppeteer act on a page of one of two sessions, and look at what came of it."""
    async with tabmux.sessions(2, headless=True) as (mine, theirs):
        await theirs.goto(f"{url}?theirs")
        await mine.goto(url)
        await asyncio.to_thread(run_script, mine.cdp_url, url)
        assert "Sent: Hello" in (await mine.read()).text
        urls = [each.url for each in (await mine.pages()).pages if each.attached]
        assert urls == [url, f"{url}?second"], urls
        assert await theirs.evaluate("() => location.href") == f"{url}?theirs"


def run_script(address: str, url: str) -> None:
    """Run the program for Node in the environment that the package is installed in."""
    script = Path(__file__).with_suffix(".mjs")
    variables = {**os.environ, "CDP_URL": address, "PAGE": url}
    subprocess.run(["node", script], env=variables, cwd=sys.prefix, check=True, timeout=SECONDS)


asyncio.run(main(sys.argv[1]))
