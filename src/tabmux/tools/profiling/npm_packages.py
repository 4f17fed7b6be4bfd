"""Optional packages: axe-core and Lighthouse, used where they are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tabmux.folders import data_folder

_AXE_VERSION = re.compile(r"axe v(\d+)\.(\d+)\.(\d+)")
# PyPI packages that hold axe.min.js; found without importing what they need.
_AXE_PACKAGES = ("axe_core_python", "axe_playwright_python")
NODE_SECONDS = 5.0
# Lighthouse 13 runs on Node 22.19 and later only.
LIGHTHOUSE_13_NODE = (22, 19)


@dataclass(frozen=True)
class Axe:
    """A copy of axe-core."""

    version: str
    source: str


def folder() -> Path:
    """Where `npm install --prefix` puts what tabmux looks for."""
    return Path(data_folder()) / "node"


def find_axe() -> Axe | None:
    """Return the newest axe-core that is installed."""
    copies = [path.read_text(encoding="utf-8") for path in _axe_files() if path.is_file()]
    newest = max(copies, key=_axe_version, default=None)
    if newest is None:
        return None
    return Axe(".".join(map(str, _axe_version(newest))), newest)


def how_to_install_axe() -> str:
    """Say how to get axe-core."""
    return (
        "Run `pip install 'tabmux[audits]'` where tabmux runs, or for the newest "
        f"`npm install --prefix {folder()} axe-core`."
    )


def find_lighthouse() -> Path | None:
    """Return the script that runs Lighthouse, if Node is there to run it."""
    if shutil.which("node") is None:
        return None
    for modules in _modules():
        script = modules / "lighthouse" / "cli" / "index.js"
        if script.is_file():
            return script
    return None


def how_to_install_lighthouse() -> str:
    """Say how to get a Lighthouse that runs on the Node that is there."""
    version = _node_version()
    install = f"npm install --prefix {folder()} lighthouse"
    if version is None:
        return f"Install Node.js 22.19 or later (https://nodejs.org), then run `{install}`."
    return f"Run `{install}{'' if version >= LIGHTHOUSE_13_NODE else '@12'}`."


def _modules() -> Iterator[Path]:
    yield folder() / "node_modules"
    # A global command is a link into the modules that it belongs to.
    if command := shutil.which("lighthouse"):
        yield from (p for p in Path(command).resolve().parents if p.name == "node_modules")


def _axe_files() -> Iterator[Path]:
    for modules in _modules():
        yield modules / "axe-core" / "axe.min.js"
    for package in _AXE_PACKAGES:
        if (spec := find_spec(package)) and spec.origin:
            yield Path(spec.origin).parent / "axe.min.js"


def _axe_version(source: str) -> tuple[int, ...]:
    found = _AXE_VERSION.search(source[:200])
    return tuple(map(int, found.groups())) if found else (0, 0, 0)


def _node_version() -> tuple[int, int] | None:
    if (node := shutil.which("node")) is None:
        return None
    try:
        told = subprocess.run(
            [node, "--version"], capture_output=True, text=True, timeout=NODE_SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.match(r"v(\d+)\.(\d+)", told)
    return (int(found[1]), int(found[2])) if found else None
