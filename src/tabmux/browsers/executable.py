"""Browser executables: where they are installed, and where they keep their users' profiles."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from tabmux.errors import BrowserTrouble, Misuse

_LINUX: dict[str, tuple[str, ...]] = {
    "stable": ("google-chrome-stable", "google-chrome", "chrome"),
    "beta": ("google-chrome-beta",),
    "dev": ("google-chrome-unstable",),
    "canary": ("google-chrome-canary",),
    "chromium": ("chromium", "chromium-browser"),
    "edge": ("microsoft-edge-stable", "microsoft-edge"),
    "brave": ("brave-browser", "brave"),
}
_MAC: dict[str, tuple[str, ...]] = {
    "stable": ("Google Chrome",),
    "beta": ("Google Chrome Beta",),
    "dev": ("Google Chrome Dev",),
    "canary": ("Google Chrome Canary",),
    "chromium": ("Chromium",),
    "edge": ("Microsoft Edge",),
    "brave": ("Brave Browser",),
}
CHANNELS = tuple(_LINUX)
# Tried in this order when the user named neither a channel nor a path.
_PREFERRED = ("stable", "chromium", "edge", "brave", "beta", "dev", "canary")


def find_executable(channel: str | None = None, path: str | None = None) -> str:
    """Return the browser to start.

    Args:
        channel: One of CHANNELS; any installed browser when absent.
        path: The executable itself, if the user named it.
    """
    if path is not None:
        if found := shutil.which(str(Path(path).expanduser())):
            return found
        hint = "Correct --executable-path; without it, tabmux looks for a browser itself."
        raise BrowserTrouble(f"There is no browser to start at {path}.", hint=hint)
    if channel is not None and channel not in CHANNELS:
        raise Misuse(f"Unknown channel {channel!r}.", hint=f"Use one of {', '.join(CHANNELS)}.")
    wanted = (channel,) if channel else _PREFERRED
    for name in wanted:
        if found := _find(name):
            return found
    raise BrowserTrouble(
        f"No browser of channel {channel} is installed." if channel else "No browser is installed.",
        hint="Install Chrome or Chromium, or name one with --executable-path.",
    )


def _find(channel: str) -> str | None:
    if sys.platform == "darwin":
        for name in _MAC[channel]:
            for folder in (Path("/Applications"), Path.home() / "Applications"):
                program = folder / f"{name}.app" / "Contents" / "MacOS" / name
                if program.exists():
                    return str(program)
        return None
    return next((found for name in _LINUX[channel] if (found := shutil.which(name))), None)


_LINUX_DATA = {
    "stable": "google-chrome",
    "beta": "google-chrome-beta",
    "dev": "google-chrome-unstable",
    "canary": "google-chrome-canary",
    "chromium": "chromium",
    "edge": "microsoft-edge",
    "brave": "BraveSoftware/Brave-Browser",
}
_MAC_DATA = {
    "stable": "Google/Chrome",
    "beta": "Google/Chrome Beta",
    "dev": "Google/Chrome Dev",
    "canary": "Google/Chrome Canary",
    "chromium": "Chromium",
    "edge": "Microsoft Edge",
    "brave": "BraveSoftware/Brave-Browser",
}


def user_data_folder(channel: str | None = None) -> Path:
    """Return where an installed browser keeps its user's own profile."""
    name = channel or "stable"
    if name not in CHANNELS:
        raise Misuse(f"Unknown channel {name!r}.", hint=f"Use one of {', '.join(CHANNELS)}.")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / _MAC_DATA[name]
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / _LINUX_DATA[name]
