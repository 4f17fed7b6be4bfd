"""Autostart: the systemd unit or launchd agent that starts the daemon with the user's login."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tabmux.errors import Misuse

UNIT = "tabmux.service"
LABEL = "io.github.tabmux.daemon"
# How long systemctl and launchctl may take.
_COMMAND_SECONDS = 20.0


def autostart_file(platform: str = sys.platform) -> Path:
    """Return the file that makes the system start the daemon."""
    if platform == "darwin":
        return Path.home() / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    if platform == "linux":
        config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        return Path(config) / "systemd" / "user" / UNIT
    raise Misuse(f"tabmux knows no way to start a daemon at login on {platform}.")


def autostart_text(command: Sequence[str], platform: str = sys.platform) -> str:
    """Write the file for a daemon that is started by a command."""
    return launchd_agent(command) if platform == "darwin" else systemd_unit(command)


def systemd_unit(command: Sequence[str]) -> str:
    """Write a user unit of systemd.

    A daemon that was stopped stays so until the next login: only one that failed is started anew.
    """
    line = " ".join(_systemd_word(word) for word in command)
    return f"""[Unit]
Description=tabmux: browsers for agents
Documentation={_documentation()}

[Service]
Type=exec
ExecStart={line}
Restart=on-failure
RestartSec=2
# The daemon ends the browsers that it started.
KillMode=mixed
TimeoutStopSec=20
UMask=0077

[Install]
WantedBy=default.target
"""


def launchd_agent(command: Sequence[str]) -> str:
    """Write an agent of launchd."""
    import plistlib

    agent = {
        "Label": LABEL,
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ProcessType": "Interactive",
        "Umask": 0o077,
    }
    return plistlib.dumps(agent, sort_keys=False).decode()


def enable_commands(platform: str = sys.platform) -> list[list[str]]:
    """Return the commands that make the system start the daemon at the next login."""
    if platform == "darwin":
        return []  # launchd reads its folder then
    return [["systemctl", "--user", "daemon-reload"], ["systemctl", "--user", "enable", UNIT]]


def start_commands(platform: str = sys.platform) -> list[list[str]]:
    """Return the commands that make the system read the file and start the daemon."""
    if platform == "darwin":
        return [["launchctl", "bootstrap", _domain(), str(autostart_file(platform))]]
    return [
        ["systemctl", "--user", "daemon-reload"],
        ["systemctl", "--user", "enable", "--now", UNIT],
    ]


def stop_commands(platform: str = sys.platform) -> list[list[str]]:
    """Return the commands that make the system stop the daemon and forget it."""
    if platform == "darwin":
        return [["launchctl", "bootout", f"{_domain()}/{LABEL}"]]
    return [["systemctl", "--user", "disable", "--now", UNIT]]


def run_commands(commands: list[list[str]]) -> str:
    """Run commands until one fails; returns why it did, or nothing."""
    for command in commands:
        if shutil.which(command[0]) is None:
            return f"{command[0]} was not found"
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=_COMMAND_SECONDS,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return f"{' '.join(command)} took too long"
        if done.returncode != 0:
            return (done.stderr or done.stdout).strip() or f"{' '.join(command)} failed"
    return ""


def _documentation() -> str:
    """Return the address of the documents, as the package names it."""
    from importlib.metadata import metadata

    lines: list[str] = metadata("tabmux").get_all("Project-URL") or []
    return next(
        url for name, _, url in (each.partition(", ") for each in lines) if name == "Documentation"
    )


def _systemd_word(word: str) -> str:
    """Quote a word for ExecStart, where % begins a specifier and $ a variable."""
    if "\n" in word or "\0" in word:
        raise Misuse("A line break cannot stand in the command of a unit.")
    text = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{text}"' if set(text) & set(" \t\"\\';#") or not text else text


def _domain() -> str:
    return f"gui/{os.getuid()}"
