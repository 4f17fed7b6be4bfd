"""Failures: how the command line says what went wrong, to people and, with --json, to programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from tabmux.errors import Misuse, SystemLimit, TabmuxError

INTERRUPTED = 130


def wants_json(words: Sequence[str]) -> bool:
    """Whether a command line asks for JSON; what follows -- is for somebody else."""
    own = words[: words.index("--")] if "--" in words else words
    return "--json" in own


def describe(error: TabmuxError) -> dict[str, str]:
    """Return an error as programs read it."""
    return {"code": error.code, "message": error.message, "hint": error.hint}


def report(error: TabmuxError, words: Sequence[str]) -> None:
    """Print an error: as data where data was asked for, else as a line of talk."""
    if wants_json(words):
        sys.stdout.write(json.dumps({"error": describe(error)}) + "\n")
    else:
        sys.stderr.write(f"Error: {error.text}\n")


def of_system(error: OSError) -> TabmuxError:
    """Put into words what the system refused: a folder that cannot be made, a full disk."""
    reason = error.strerror or str(error) or type(error).__name__
    if limit := SystemLimit.of(error, str(error.filename or "tabmux could not go on")):
        return limit
    return Misuse(f"{error.filename}: {reason}." if error.filename else f"{reason}.")
