"""Hash chain: every line of a run names the one before it, so that a changed run is noticed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from tabmux.errors import Misuse
from tabmux.json_text import decoded
from tabmux.record.run_files import LONGEST_LINE, head_file, run_file

# A head is as long as every other one, so that it is replaced by one write.
HEAD_DIGITS = 10
_encoded = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True)
class ChainEnd:
    """Where a chain of lines stands: how many there are, and the hash of the last."""

    lines: int = 0
    hash: str = ""

    def line(self, value: Mapping[str, Any]) -> bytes:
        """Write a value as the line that follows."""
        linked = {"before": self.hash, **value}
        return _encoded(linked).encode(errors="backslashreplace")

    def after(self, line: bytes) -> ChainEnd:
        """Return where the chain stands after a line."""
        return ChainEnd(self.lines + 1, sha256(line).hexdigest())

    @property
    def head(self) -> bytes:
        """What is kept beside the file, so that lines cut off its end are missed."""
        return f"{self.lines:0{HEAD_DIGITS}d} {self.hash}\n".encode()


@dataclass(frozen=True)
class RunCheck:
    """What is wrong with a run, a sentence each; and what else there is to say."""

    lines: int
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def verify(folder: Path, run: str) -> RunCheck:
    """Look whether the lines of a run are those that were written, in their order."""
    end, faults, notes = ChainEnd(), list[str](), list[str]()
    kept, is_met = _kept_head(folder, run), False
    for number, line in enumerate(_raw_lines(run_file(folder, run)), 1):
        if not line.endswith(b"\n"):
            notes.append("Its last line was being written when the writer ended.")
            break
        faults += _faults(number, line[:-1], end)
        end = end.after(line[:-1])
        is_met = is_met or (kept is not None and end == kept)
    if kept is None:
        notes.append("Its head is missing, so lines cut off its end would not be noticed.")
    elif kept.lines > end.lines:
        faults.append(f"{kept.lines - end.lines} lines are missing at its end.")
    elif not is_met and not faults:
        faults.append(f"Line {kept.lines} is not the one that its head names.")
    return RunCheck(end.lines, tuple(faults), tuple(notes))


def _faults(number: int, line: bytes, end: ChainEnd) -> Iterator[str]:
    try:
        value = decoded(line, largest=LONGEST_LINE)
        named = value.get("before") if isinstance(value, dict) else None
    except ValueError:
        yield f"Line {number} is no JSON."
        return
    if named != end.hash:
        yield (
            f"Line {number} does not follow line {number - 1}: one of them was changed, "
            "or lines were removed or moved."
            if number > 1
            else "The first line is not the one that the run began with."
        )


def _kept_head(folder: Path, run: str) -> ChainEnd | None:
    try:
        count, _, last = head_file(folder, run).read_text(encoding="ascii").partition(" ")
        return ChainEnd(int(count), last.strip())
    except (OSError, ValueError):
        return None


def _raw_lines(file: Path) -> Iterator[bytes]:
    try:
        opened = file.open("rb")
    except FileNotFoundError:
        raise Misuse(f"There is no run {file.stem!r}.", hint="See tabmux record list.") from None
    with opened:
        while line := opened.readline(LONGEST_LINE):
            yield line
