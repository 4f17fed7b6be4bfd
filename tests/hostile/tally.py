"""Tally: how many inputs were tried, and what came of those that did harm."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

# A call that is not answered within this hangs; the slowest tools end by themselves earlier.
HANG_SECONDS = 100.0
# Where a whole run wants the counts; without it only the quick part runs.
FOLDER = os.environ.get("TABMUX_HOSTILE", "")
# As long as one of the whole run may take.
WHOLE_SECONDS = 1500

# What commands in inputs would make, if somebody ran them.
CANARY = Path("/tmp/tabmux-canary")

whole = pytest.mark.skipif(not FOLDER, reason="only in scripts/hostile")


def count(quick: int, in_whole: int) -> int:
    """How many inputs this run wants."""
    return in_whole if FOLDER else quick


@dataclass
class Tally:
    """What became of the inputs of one kind."""

    name: str
    inputs: int = 0
    harms: list[str] = field(default_factory=list)

    def harm(self, kind: str, given: object, said: object = "") -> None:
        """Note an input that must not have done this."""
        self.harms.append(f"{kind}: {str(given)[:400]} -> {str(said)[:300]}")

    @contextmanager
    def trying(self, given: object) -> Iterator[None]:
        """Try one input; whatever leaves the block is a crash, and too much time a hang."""
        self.inputs += 1
        try:
            yield
        except TimeoutError:
            self.harm("hang", given)
        except (Exception, asyncio.CancelledError) as error:  # what comes out is what is counted
            self.harm("crash", given, repr(error))
            if isinstance(error, asyncio.CancelledError):
                raise


@contextmanager
def tally(name: str) -> Iterator[Tally]:
    """Count the inputs of a kind; none may have done harm."""
    found = Tally(name)
    CANARY.unlink(missing_ok=True)
    yield found
    if CANARY.exists():
        found.harm("command", "one of them", "was run by a shell")
    if FOLDER:
        text = json.dumps({"name": name, "inputs": found.inputs, "harms": found.harms})
        (Path(FOLDER) / f"inputs-{name.replace(' ', '-')}.json").write_text(text)
    assert not found.harms, f"{len(found.harms)} of {found.inputs}: " + "\n".join(found.harms[:10])
