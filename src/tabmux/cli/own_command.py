"""Own command: how a client can start this tabmux again, also next month."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

NAME = "tabmux"
# A module that each extra installs.
EXTRAS = {
    "memory": "numpy",
    "audits": "axe_core_python",
    "secrets": "keyring",
    "cluster": "redis",
    "otel": "opentelemetry.sdk",
}
# Folders of uv's cache that hold environments.
_UV_FOLDERS = frozenset({"archive-v0", "environments-v1", "environments-v2"})


def own_command() -> tuple[str, ...]:
    """Return the command that starts this tabmux, by absolute path."""
    if runner := _runner():
        return runner
    # A link is kept as it is: pipx and uv keep the link in place when they upgrade its target.
    for candidate in (Path(sys.argv[0]), Path(sys.executable).with_name(NAME)):
        if candidate.name == NAME and candidate.is_file() and os.access(candidate, os.X_OK):
            return (str(candidate.absolute()),)
    return (sys.executable, "-m", NAME)


def missing_extras() -> list[str]:
    """Name the extras that are not installed."""
    return [extra for extra, module in EXTRAS.items() if not _is_installed(module)]


def _is_installed(module: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package that it would be in
        return False


def _runner() -> tuple[str, ...]:
    """Return how to run tabmux anew where it runs from a cache that may be cleaned."""
    missing = missing_extras()
    extras = ",".join(extra for extra in EXTRAS if extra not in missing)
    package = f"{NAME}[{extras}]" if extras else NAME
    prefix = Path(sys.prefix).resolve()
    if _is_in_uv_cache(prefix):
        return (_uvx(), NAME) if package == NAME else (_uvx(), "--from", package, NAME)
    if any(prefix.is_relative_to(folder) for folder in _pipx_caches()):
        return (shutil.which("pipx") or "pipx", "run", package)
    return ()


def _is_in_uv_cache(prefix: Path) -> bool:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    caches = [Path(cache) / "uv"]
    if given := os.environ.get("UV_CACHE_DIR"):
        caches.append(Path(given))
    if _UV_FOLDERS & set(prefix.parts):
        return True
    return any(prefix.is_relative_to(folder.resolve()) for folder in caches)


def _uvx() -> str:
    """Return uvx by its path: a client that a desktop starts has another PATH."""
    if uv := os.environ.get("UV"):  # uv tells what it runs where it is itself
        beside = Path(uv).with_name("uvx")
        if beside.is_file():
            return str(beside)
    return shutil.which("uvx") or "uvx"


def _pipx_caches() -> list[Path]:
    """Return where pipx keeps what it runs once."""
    home = Path(os.environ.get("PIPX_HOME") or Path.home() / ".local" / "pipx")
    shared = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pipx"
    return [(home / ".cache").resolve(), shared.resolve()]
