"""Tasks: sixty of MiniWoB and ten applications of our own, each judged by its page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bench.pagetools import miniwob
from bench.pagetools.miniwob_oracles import ORACLES, Oracle
from bench.tabbench.application_oracles import APPLICATIONS

FOLDER = Path(__file__).parent / "applications"
# Drawings without words, and one that needs a scroll by hand.
LEFT_OUT = ("click-pie", "click-pie-nodelay", "sign-agreement")
_START = "globalThis.tabbench.start({seed})"
_REWARD = "globalThis.tabbench.reward()"


@dataclass(frozen=True)
class Task:
    """One page, how its episode begins, who solves it, and how it judges.

    Attributes:
        source: The page's own source, for words that only its author knows.
    """

    name: str
    path: str
    start: str
    reward: str
    oracle: Oracle
    source: str


def tasks() -> list[Task]:
    """Return all tasks; MiniWoB is downloaded at the first time."""
    folder = miniwob.material() / miniwob.PAGES
    found = [
        _miniwob(name, (folder / "miniwob" / f"{name}.html").read_text(encoding="utf-8"))
        for name in sorted(ORACLES)
        if name not in LEFT_OUT and not name.startswith(miniwob.HELD_OUT)
    ]
    return [*found, *own_tasks()]


def own_tasks() -> list[Task]:
    """Return the tasks of our own applications, which need nothing from elsewhere."""
    return [_application(name) for name in sorted(APPLICATIONS)]


def pages() -> dict[str, str]:
    """Return the files of our own applications by path."""
    return {f"/tabbench/{file.name}": file.read_text(encoding="utf-8") for file in FOLDER.iterdir()}


def _miniwob(name: str, source: str) -> Task:
    path = f"/miniwob/{name}.html"
    return Task(name, path, miniwob.START, miniwob.REWARD, ORACLES[name], source)


def _application(name: str) -> Task:
    return Task(name, f"/tabbench/{name}.html", _START, _REWARD, APPLICATIONS[name], "")
