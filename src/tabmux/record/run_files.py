"""Run files: where the runs of the past are kept, and how they are read; needs no server."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabmux.errors import Misuse
from tabmux.json_text import decoded
from tabmux.record.call_entry import CallEntry

SUFFIX, HEAD_SUFFIX = ".jsonl", ".head"
# Longer than any line that is written.
LONGEST_LINE = 16 << 20
VERSION = 1


@dataclass(frozen=True)
class RunSummary:
    """What a run was, without its calls.

    Attributes:
        run: Its name, which is the name of its file.
        session: What users call the session.
        client: What the client called itself.
        started: When its first call began, in seconds since 1970.
        changed: When something was last written.
        bytes: The size of its file.
    """

    run: str
    session: str
    client: str
    started: float
    changed: float
    bytes: int


def run_file(folder: Path, run: str) -> Path:
    """Return the file of a run; a name that would lead elsewhere is refused."""
    if not run or run != os.path.basename(run) or run.startswith(".") or "\0" in run:
        raise Misuse(f"{run!r} is no name of a run.", hint="See tabmux record list.")
    return folder / f"{run}{SUFFIX}"


def head_file(folder: Path, run: str) -> Path:
    """Return the file that says how long a run is."""
    return run_file(folder, run).with_suffix(HEAD_SUFFIX)


def picture_file(folder: Path, picture: str) -> Path:
    """Return where a picture is, by its hash."""
    if not (picture.isascii() and picture.isalnum()):
        raise Misuse(f"{picture!r} is no hash of a picture.")
    return folder / "pictures" / f"{picture}.webp"


def runs(folder: Path) -> list[RunSummary]:
    """List the runs, the newest first."""
    found = [each for file in _files(folder) if (each := summary(file)) is not None]
    return sorted(found, key=lambda each: each.started, reverse=True)


def summary(file: Path) -> RunSummary | None:
    """Read the first line of a run; None where it is no run."""
    try:
        with file.open("rb") as opened:
            about = _object(opened.readline(LONGEST_LINE)).get("run")
            known = os.fstat(opened.fileno())
    except OSError:
        return None
    if not isinstance(about, dict):
        return None
    return RunSummary(
        file.name.removesuffix(SUFFIX),
        str(about.get("session", "")),
        str(about.get("client", "")),
        _number(about.get("started")),
        known.st_mtime,
        known.st_size,
    )


def find_run(folder: Path, name: str) -> str:
    """Return the run that a name means: its own, the only one that begins so, or `last`."""
    names = [each.run for each in runs(folder)]
    if name == "last" and names:
        return names[0]
    fitting = [each for each in names if each == name] or [n for n in names if n.startswith(name)]
    if len(fitting) != 1:
        what = "Several runs begin with" if fitting else "There is no run"
        raise Misuse(f"{what} {name!r}.", hint="See tabmux record list.", code="not_found")
    return fitting[0]


def read_run(folder: Path, run: str, last_bytes: int = 0) -> Iterator[CallEntry]:
    """Yield the calls of a run; a line that was being written when its writer died is left out.

    So is one that somebody has damaged: `tabmux record verify` names it.

    Args:
        folder: Where the runs are.
        run: The name of the run.
        last_bytes: Read only so much of its end, in whole lines; 0 means all.
    """
    for value in run_lines(folder, run, last_bytes):
        if "tool" in value:
            with suppress(ValueError):
                yield CallEntry.of_json(value)


def run_lines(folder: Path, run: str, last_bytes: int = 0) -> Iterator[Mapping[str, Any]]:
    """Yield the whole lines of a run as they are, all or the last ones."""
    file = run_file(folder, run)
    try:
        opened = file.open("rb")
    except FileNotFoundError:
        raise Misuse(f"There is no run {run!r}.", hint="See tabmux record list.") from None
    with opened:
        if last_bytes and (start := os.fstat(opened.fileno()).st_size - last_bytes) > 0:
            opened.seek(start)
            opened.readline(LONGEST_LINE)
        while line := opened.readline(LONGEST_LINE):
            if line.endswith(b"\n") and (value := _object(line)):
                yield value


def _files(folder: Path) -> list[Path]:
    try:
        return [each for each in folder.iterdir() if each.name.endswith(SUFFIX)]
    except FileNotFoundError:
        return []


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = decoded(line, largest=LONGEST_LINE)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
