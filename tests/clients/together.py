"""Many clients at once: whatever their environments, they share one daemon and no page."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import psutil

from tests.clients.catalog import ClientProgram
from tests.clients.running import Outcome, default_environment, finish, start_driver, tabmux
from tests.site import Site

HOLD_SECONDS = 180.0


def run_together(clients: list[ClientProgram], folder: Path, site: Site) -> int:
    """Run clients of one user side by side over stdio; returns the exit code."""
    drivers = {
        client.name: start_driver(
            client, _environment(number, client, folder), site, way="stdio", hold=True
        )
        for number, client in enumerate(clients)
    }
    outcomes = {name: _until_hold(driver) for name, driver in drivers.items()}
    shared = default_environment(folder)
    sessions = _sessions_in_use(shared)
    daemons = _daemons()
    for name, driver in drivers.items():
        finish(driver, outcomes[name], "go on\n")
    tabmux(shared, "daemon", "stop")
    troubles = [
        *([] if len(daemons) == 1 else [f"{len(daemons)} daemons"]),
        *([] if len(sessions) == len(clients) else [f"sessions: {', '.join(sessions)}"]),
        *(_trouble(name, outcome) for name, outcome in outcomes.items()),
    ]
    troubles = [trouble for trouble in troubles if trouble]
    for line in troubles or [f"{len(clients)} clients, one daemon, each with its own pages"]:
        sys.stdout.write(line + "\n")
    return 1 if troubles else 0


def _environment(number: int, client: ClientProgram, home: Path) -> dict[str, str]:
    """Return the environment of a terminal, a desktop, a service or something else."""
    environment = default_environment(home, client)
    own = home / f"own-{number}"
    own.mkdir(mode=0o700)
    further = [
        {},
        {"XDG_RUNTIME_DIR": str(own)},
        {"TMPDIR": str(own)},
        {"XDG_RUNTIME_DIR": str(own), "XDG_CACHE_HOME": str(own), "XDG_STATE_HOME": str(own)},
        {"TERM": "dumb", "LANG": "de_DE.UTF-8"},
    ]
    return {**environment, **further[number % len(further)]}


def _until_hold(driver: subprocess.Popen[str]) -> Outcome:
    """Read what a driver reports until it waits for the others, or ends."""
    outcome = Outcome()
    assert driver.stdout is not None
    too_late = threading.Timer(HOLD_SECONDS, driver.kill)
    too_late.start()
    while "hold" not in outcome.seen and (line := driver.stdout.readline()):
        outcome.take(line)
    too_late.cancel()
    return outcome


def _sessions_in_use(environment: dict[str, str]) -> list[str]:
    """Return the sessions in use; `claude mcp list` and its like leave others behind."""
    listed = json.loads(tabmux(environment, "session", "list", "--json"))
    return [each["session"] for each in listed if each["state"] != "detached"]


def _daemons() -> list[int]:
    """Return the daemons that run; in a process namespace of our own, they are ours."""
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if "tabmux daemon run" in " ".join(process.info["cmdline"] or [])
    ]


def _trouble(name: str, outcome: Outcome) -> str:
    if not outcome.complete:
        return f"{name} fails at {outcome.failed_step}: {outcome.error}"
    foreign = [line for line in outcome.seen.get("pages", "").splitlines() if "http://" in line]
    if len(foreign) != 1 or f"Page of {name} over" not in foreign[0]:
        return f"{name} sees {outcome.seen.get('pages', 'nothing')}"
    return ""
