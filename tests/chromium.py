"""Chromium processes that somebody else started, as far as tabmux is concerned."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tabmux.browsers.executable import find_executable

ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@dataclass
class Chromium:
    """A running browser with an open debugging port."""

    port: int
    folder: Path
    process: asyncio.subprocess.Process

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def command(self) -> str:
        """A shell line that starts it again."""
        flags = " ".join(ARGUMENTS)
        return (
            f"{find_executable()} {flags} --remote-debugging-port={self.port} "
            f"--user-data-dir={self.folder} about:blank"
        )

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def chromium(port: int = 0, downloads: Path | None = None) -> AsyncIterator[Chromium]:
    """Start a browser for the length of the block; its user may save downloads in a folder."""
    folder = Path(tempfile.mkdtemp(prefix="tabmux-test-"))
    if downloads is not None:
        wishes = {"download": {"default_directory": str(downloads), "prompt_for_download": False}}
        (folder / "Default").mkdir()
        (folder / "Default" / "Preferences").write_text(json.dumps(wishes))
    process = await asyncio.create_subprocess_exec(
        find_executable(),
        *ARGUMENTS,
        f"--remote-debugging-port={port}",
        f"--user-data-dir={folder}",
        "about:blank",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Chromium(await _port(process), folder, process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def _port(process: asyncio.subprocess.Process) -> int:
    assert process.stderr is not None
    async with asyncio.timeout(30):
        while line := await process.stderr.readline():
            if found := re.search(rb"ws://127.0.0.1:(\d+)/", line):
                return int(found[1])
    raise AssertionError("Chromium did not start")
