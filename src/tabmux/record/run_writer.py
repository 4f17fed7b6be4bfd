"""Run writer: writes entries to the files of their runs.

What cannot be written is lost with one warning; how many lines were lost stands in the run as soon
as there is room again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import secrets
import time
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tabmux.folders import make_private
from tabmux.record.call_entry import CallEntry
from tabmux.record.file_work import FileWork, Work
from tabmux.record.pruning import Limits, prune
from tabmux.record.run_file_writer import RunFileWriter
from tabmux.record.run_files import VERSION, picture_file

logger = logging.getLogger(__name__)

# A picture weighs some hundred times as much as a line.
MOST_WAITING_PICTURES = 100
MOST_OPEN = 64
# A run that grows beyond this is continued in another file, so that old parts can go.
LARGEST_RUN = 50 << 20
PRUNE_SECONDS = 900.0
_UNUSUAL = re.compile(r"[^\w-]+", re.ASCII)


class RunWriter:
    """Writes runs into a folder, for the length of an `async with` block.

    Args:
        folder: Where; it is made when the first line is written.
        limits: How much is kept.
    """

    def __init__(self, folder: Path, limits: Limits | None = None) -> None:
        self.folder, self._limits = folder, limits or Limits()
        self._work = FileWork(self._attempt)
        self._runs: dict[str, RunFileWriter] = {}
        # Those whose files are open, the one that was used last at the end.
        self._open: dict[str, RunFileWriter] = {}
        self._pictures: set[str] = set()
        self._waiting_pictures = 0
        self._pruned = 0.0
        self._is_troubled = False
        self.added = self.written = self.lost = self.bytes = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # The entry of a call is made right after its reply.
        await asyncio.sleep(0)
        await self._work.end()
        for each in self._runs.values():
            each.close()

    @property
    def waiting(self) -> int:
        """How many pieces of work wait."""
        return self._work.waiting

    def begin(self, session: str, client: str, time: float) -> str:
        """Begin a run; returns its name. Its file begins with its first entry."""
        run = _run_name(session, time)
        about = {"version": VERSION, "session": session, "client": client, "started": time}
        self._runs[run] = RunFileWriter(self.folder, run, about)
        return run

    def write(self, entry: CallEntry) -> None:
        """Have an entry written."""
        self.added += 1
        self._do(lambda: self._write(entry.run, entry.as_json()))

    def end(self, run: str) -> None:
        """Have the end of a run written; nothing follows it."""
        self._do(lambda: self._end(run))

    def save_picture(self, picture: bytes) -> str:
        """Have a picture saved, unless it was before; returns its hash, or "" where it is lost."""
        name = sha256(picture).hexdigest()
        if name not in self._pictures:
            if self._waiting_pictures >= MOST_WAITING_PICTURES:
                return ""
            self._pictures.add(name)
            self._waiting_pictures += 1
            self._work.aside(lambda: self._save_picture(name, picture))
        return name

    def is_full(self, run: str) -> bool:
        """Whether a run is so long that another one should continue it."""
        known = self._runs.get(run)
        return known is not None and known.size > LARGEST_RUN

    def _do(self, work: Work) -> None:
        if not self._work.at_once(work):
            self.lost += 1
        self._prune_now_and_then()

    def _attempt(self, work: Work) -> None:
        try:
            work()
        except OSError as error:
            self._warn(error)
        except Exception:  # the rim: the entries to come are worth more
            logger.exception("An entry of the record could not be written")

    def _write(self, run: str, value: Mapping[str, Any]) -> None:
        try:
            self.bytes += self._opened(run).write(value)
        except OSError:
            self.lost += 1
            raise
        self.written += 1
        # What else is done meanwhile, such as pruning, may find a full disk no trouble.
        self._is_troubled = False

    def _end(self, run: str) -> None:
        try:
            self._opened(run).write({"ended": time.time()})
        finally:
            self._open.pop(run, None)
            self._runs.pop(run).close()

    def _opened(self, run: str) -> RunFileWriter:
        """Return the file of a run; of many runs, those that wait longest are closed."""
        found = self._runs[run]
        self._open.pop(run, None)
        self._open[run] = found
        while len(self._open) > MOST_OPEN:
            self._open.pop(next(iter(self._open))).close()
        return found

    def _save_picture(self, name: str, picture: bytes) -> None:
        self._waiting_pictures -= 1
        file = picture_file(self.folder, name)
        make_private(file.parent)
        if file.exists():
            os.utime(file)
            return
        try:
            part = file.with_suffix(".part")
            with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as to:
                to.write(picture)
            part.rename(file)
        except OSError:
            self._pictures.discard(name)
            part.unlink(missing_ok=True)
            raise

    def _prune_now_and_then(self) -> None:
        now = time.monotonic()
        if not self._pruned or now - self._pruned > PRUNE_SECONDS:
            self._pruned = now
            self._pictures.clear()
            self._work.aside(lambda: prune(self.folder, self._limits, keep=set(self._runs)))

    def _warn(self, error: OSError) -> None:
        """Say once that nothing is written, until something is again."""
        if not self._is_troubled:
            self._is_troubled = True
            logger.warning(
                "The record in %s cannot be written: %s. Calls go on without it.",
                self.folder,
                error.strerror,
            )


def _run_name(session: str, started: float) -> str:
    when = time.strftime("%Y%m%d-%H%M%S", time.localtime(started))
    name = _UNUSUAL.sub("-", session)[:40].strip("-")
    return "-".join(filter(None, (when, name, secrets.token_hex(2))))
