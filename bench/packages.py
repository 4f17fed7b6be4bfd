"""What is measured, as users have it: peers installed from npm, our own modules compiled."""

from __future__ import annotations

import asyncio
import compileall
import json
import os
import shutil
from pathlib import Path

from bench.processes import end_group
from bench.trouble import BenchError

INSTALL_SECONDS = 300.0


def cache() -> Path:
    """Where the peers are kept between runs."""
    folder = Path.home() / ".cache" / "tabmux-bench"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


async def install(pins: dict[str, str], folder: Path) -> None:
    """Make sure that exactly these versions are in the folder.

    Args:
        pins: Version by package name.
        folder: Holds `node_modules`.
    """
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise BenchError("The peers need node and npm; install them or pass --servers tabmux.")
    wanted = {name: pin for name, pin in pins.items() if version(name, folder) != pin}
    if wanted:
        await _npm_install([f"{name}@{pin}" for name, pin in wanted.items()], folder)


def compile_modules(source: Path) -> None:
    """Compile modules as pip does when it installs them; those that are compiled are left."""
    if not compileall.compile_dir(source, quiet=2):
        raise BenchError(f"The modules in {source} could not be compiled.")


def version(package: str, folder: Path) -> str:
    """The installed version of a package, or nothing."""
    manifest = folder / "node_modules" / package / "package.json"
    if not manifest.exists():
        return ""
    return str(json.loads(manifest.read_text())["version"])


async def _npm_install(packages: list[str], folder: Path) -> None:
    flags = ("--no-audit", "--no-fund", "--loglevel=error")
    process = await asyncio.create_subprocess_exec(
        *("npm", "install", "--prefix", str(folder), *flags, *packages),
        env={**os.environ, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(INSTALL_SECONDS):
            _, errors = await process.communicate()
    finally:
        if process.returncode is None:
            await end_group(process.pid, process.wait)
    if process.returncode != 0:
        raise BenchError(f"npm could not install {', '.join(packages)}: {errors.decode()[-500:]}")
