"""One run of a client: its folder and environment, its driver, and what came of each step."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.clients.catalog import ClientProgram
from tests.clients.packages import CACHE, NODE_FOLDER, python
from tests.site import Site

ROOT = Path(__file__).parents[2]
DRIVERS = Path(__file__).parent / "drivers"
STEPS = ("connect", "tools", "navigate", "snapshot", "click", "picture")
RUN_SECONDS = 120.0
STOP_SECONDS = 20.0
PAGE = """<!doctype html><title>{0}</title><h1>{0}</h1>
<button onclick="document.querySelector('p').textContent = 'Pressed: {0}'">Press</button><p></p>"""


@dataclass
class Outcome:
    """What a driver reported."""

    seen: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    error: str = ""
    # What had to be set besides.
    needed: str = ""

    @property
    def complete(self) -> bool:
        """Whether every step succeeded."""
        return not self.error and all(step in self.seen for step in STEPS)

    @property
    def failed_step(self) -> str:
        """The first step that did not succeed."""
        return next((step for step in STEPS if step not in self.seen), STEPS[-1])

    def take(self, line: str) -> None:
        """Take a line of a driver's."""
        said = json.loads(line)
        if "error" in said:
            self.error = said["error"]
        elif said["step"] == "note":
            self.notes.append(said["saw"])
        else:
            self.seen[said["step"]] = said["saw"]


def default_environment(home: Path, client: ClientProgram | None = None) -> dict[str, str]:
    """Return what a login shell has, and nothing that is about tabmux."""
    commands = home / "bin"
    commands.mkdir(parents=True, exist_ok=True)
    if not (commands / "tabmux").exists():
        (commands / "tabmux").symlink_to(ROOT / ".venv" / "bin" / "tabmux")
    installed = [CACHE / client.folder / "node_modules" / ".bin"] if client else []
    path = [commands, *installed, NODE_FOLDER, "/usr/local/bin", "/usr/bin", "/bin"]
    return {
        "HOME": str(home),
        "PATH": ":".join(map(str, path)),
        "USER": "user",
        "LOGNAME": "user",
        "SHELL": "/bin/bash",
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
    }


def start_driver(
    client: ClientProgram,
    environment: dict[str, str],
    site: Site,
    *,
    way: str,
    server: str = "",
    session: str = "",
    hold: bool = False,
) -> subprocess.Popen[str]:
    """Start a client's driver on a page of its own."""
    heading = f"Page of {client.name} over {way}"
    task = {
        "name": client.name,
        "way": way,
        "server": server,
        "page": site.page(PAGE.format(heading)),
        "heading": heading,
        "manner": client.manner,
        "session": session,
        "hold": hold,
    }
    folder = Path(environment["HOME"]) / "project"
    folder.mkdir(exist_ok=True)
    return subprocess.Popen(
        [*_command(client), json.dumps(task)],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=_log(f"{client.name}-{way}"),
        text=True,
    )


def run_client(client: ClientProgram, way: str, home: Path, site: Site) -> Outcome:
    """Put a client through the steps, with a tabmux of its own."""
    outcome = _run_once(client, way, home, site)
    if client.connects_anew and way == "stdio" and outcome.failed_step == "snapshot":
        outcome = _run_once(client, way, home, site, session=client.name)
        outcome.needed = "TABMUX_SESSION"
    return outcome


def _run_once(
    client: ClientProgram, way: str, home: Path, site: Site, *, session: str = ""
) -> Outcome:
    environment = default_environment(home, client)
    if way == "stdio":
        driver = start_driver(client, environment, site, way=way, session=session)
        outcome = finish(driver, Outcome())
        tabmux(environment, "daemon", "stop")
        return outcome
    with serving(environment, client.name) as server:
        driver = start_driver(client, environment, site, way=way, server=server)
        return finish(driver, Outcome())


def finish(driver: subprocess.Popen[str], outcome: Outcome, said: str = "") -> Outcome:
    """Wait for the end of a driver, and add what it reports."""
    try:
        reported, _ = driver.communicate(said, timeout=RUN_SECONDS)
    except subprocess.TimeoutExpired:
        driver.kill()
        reported, _ = driver.communicate()
        outcome.error = f"did not end within {RUN_SECONDS:.0f} s"
    for line in reported.splitlines():
        outcome.take(line)
    if driver.returncode != 0 and not outcome.error:
        outcome.error = f"the driver ended with {driver.returncode}"
    return outcome


@contextmanager
def serving(environment: dict[str, str], session: str) -> Iterator[str]:
    """Serve over HTTP for the length of the block; yields a URL with a session's name."""
    with subprocess.Popen(
        ["tabmux", "serve", "--http"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=_log("server"),
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            if "is ready" not in process.stdout.readline():
                raise SystemExit("tabmux serve --http does not start.")
            yield tabmux(environment, "url", "--session", session).strip()
        finally:
            process.terminate()
            process.communicate(timeout=STOP_SECONDS)


def tabmux(environment: dict[str, str], *words: str) -> str:
    """Run a command of tabmux's; returns what it printed."""
    done = subprocess.run(
        ["tabmux", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=STOP_SECONDS,
        check=False,
    )
    return done.stdout


def _command(client: ClientProgram) -> list[str]:
    if client.driver.endswith(".mjs"):
        # Node.js looks for packages beside the file that asks for them.
        for file in ("steps.mjs", client.driver):
            shutil.copy(DRIVERS / file, CACHE / client.folder)
        return [str(NODE_FOLDER / "node"), str(CACHE / client.folder / client.driver)]
    interpreter = sys.executable if client.from_npm else str(python(client))
    return [interpreter, str(DRIVERS / client.driver)]


def _log(name: str) -> IO[str]:
    """Open the file that keeps what a process says besides."""
    folder = CACHE / "logs"
    folder.mkdir(exist_ok=True)
    return open(folder / f"{name}.log", "w", encoding="utf-8")
