"""SQLite store: the rows of sessions and connections, in a file that outlives the server."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from tabmux.folders import make_private
from tabmux.sessions.session_rows import SessionRow

logger = logging.getLogger(__name__)

# Another form of the tables is another file: rows of an older tabmux are left to it.
FORM = 1
# Writes until the log is worked into the file, which waits for the disk and is done elsewhere.
CHECKPOINT_WRITES = 500
_TABLES = """
CREATE TABLE IF NOT EXISTS sessions (handle TEXT PRIMARY KEY, row BLOB, used REAL, made INTEGER);
CREATE TABLE IF NOT EXISTS connections (id TEXT PRIMARY KEY, row BLOB);
CREATE TABLE IF NOT EXISTS storage (handle TEXT, place TEXT, state BLOB,
                                    PRIMARY KEY (handle, place));
"""


class SqliteStore:
    """A session store; every method returns when it is written.

    A write takes some fifty microseconds: it goes to the file's log, not to the disk, which is
    enough for a process that is killed. What cannot be written, for want of room or rights, is
    left with one warning: sessions go on, and are not there after the end of the server.

    Args:
        folder: Where the file is; it is made, and nobody else can read it.
        name: Which server's sessions they are.
    """

    def __init__(self, folder: Path, name: str) -> None:
        make_private(folder)
        self._path = folder / f"{name}-{FORM}.sqlite"
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600))
        self._file = self._opened()
        self._writes = 0
        self._is_troubled = False

    def sessions(self) -> Iterator[SessionRow]:
        """Return every session; a row that cannot be read is passed over."""
        for row, used, made in self._file.execute(
            "SELECT row, used, made FROM sessions"
        ).fetchall():
            try:
                found = SessionRow.decoded(row)
            except ValueError:
                logger.warning("A session could not be read, and is left out.")
                continue
            yield SessionRow(
                **{
                    name: getattr(found, name)
                    for name in found.__struct_fields__
                    if name not in ("used", "made")
                },
                used=used,
                made=made,
            )

    def save(self, row: SessionRow) -> bool:
        """Write a session down; tells whether that could be done."""
        values = (row.handle, row.encoded(), row.used, row.made)
        return self._write("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?)", values)

    def note_use(self, uses: Iterable[tuple[str, float, int]]) -> None:
        """Note when sessions were last used, and how many calls they have made."""
        for handle, used, made in uses:
            values = (used, made, handle)
            self._write("UPDATE sessions SET used = ?, made = ? WHERE handle = ?", values)

    def remove(self, handle: str) -> None:
        """Forget a session."""
        self._write("DELETE FROM sessions WHERE handle = ?", (handle,))
        self._write("DELETE FROM storage WHERE handle = ?", (handle,))

    def clear(self) -> None:
        """Forget everything."""
        for table in ("sessions", "connections", "storage"):
            self._write(f"DELETE FROM {table}", ())

    def connection(self, ident: str) -> bytes | None:
        """Return what is known of a connection."""
        return self._read("SELECT row FROM connections WHERE id = ?", (ident,))

    def save_connection(self, ident: str, row: bytes) -> None:
        """Write a connection down."""
        self._write("INSERT OR REPLACE INTO connections VALUES (?, ?)", (ident, row))

    def remove_connection(self, ident: str) -> None:
        """Forget a connection."""
        self._write("DELETE FROM connections WHERE id = ?", (ident,))

    async def storage(self, handle: str, place: str) -> bytes | None:
        """Return what sites had stored for a session, in one of its contexts."""
        return self._read(
            "SELECT state FROM storage WHERE handle = ? AND place = ?", (handle, place)
        )

    def save_storage(self, handle: str, place: str, state: bytes) -> None:
        """Write down what sites have stored."""
        self._write("INSERT OR REPLACE INTO storage VALUES (?, ?, ?)", (handle, place, state))

    async def written(self) -> None:
        """Return at once: all is written."""

    async def tidy(self) -> None:
        """Work the log into the file when it has grown."""
        if self.wants_checkpoint:
            await asyncio.to_thread(self.checkpoint)

    @property
    def wants_checkpoint(self) -> bool:
        """Whether so much was written that the log should be worked into the file."""
        return self._writes > CHECKPOINT_WRITES

    def checkpoint(self) -> None:
        """Work the log into the file; waits for the disk, so it is called in a thread."""
        self._writes = 0
        try:
            with closing(sqlite3.connect(self._path)) as other:
                other.execute("PRAGMA wal_checkpoint(PASSIVE)")
        except sqlite3.Error as error:
            logger.info("The log of %s could not be worked in: %s", self._path, error)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _write(self, statement: str, values: tuple[object, ...]) -> bool:
        self._writes += 1
        try:
            self._file.execute(statement, values)
        except sqlite3.Error as error:
            self._warn(error)
            return False
        self._is_troubled = False
        return True

    def _read(self, query: str, values: tuple[object, ...]) -> bytes | None:
        try:
            found = self._file.execute(query, values).fetchone()
        except sqlite3.Error as error:
            self._warn(error)
            return None
        return None if found is None else bytes(found[0])

    def _warn(self, error: sqlite3.Error) -> None:
        """Say once that nothing is kept, until something is again."""
        if not self._is_troubled:
            self._is_troubled = True
            logger.warning(
                "Sessions cannot be written down in %s: %s. They go on, but end with this server.",
                self._path,
                error,
            )

    def _opened(self) -> sqlite3.Connection:
        """Open the file; one that is damaged is put aside, since a server must start."""
        try:
            return _with_tables(self._path)
        except sqlite3.OperationalError:
            # A full disk, or one that cannot be read: what is in the file may be whole.
            raise
        except sqlite3.DatabaseError as error:
            logger.warning("The file of sessions %s is damaged: %s", self._path, error)
            for suffix in ("", "-wal", "-shm"):
                damaged = Path(f"{self._path}{suffix}")
                if damaged.exists():
                    damaged.replace(f"{self._path}.damaged{suffix}")
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600))
            return _with_tables(self._path)


def _with_tables(path: Path) -> sqlite3.Connection:
    # Autocommit: every statement is written when it returns.
    file = sqlite3.connect(path, isolation_level=None, timeout=5.0)
    try:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = NORMAL")
        file.execute("PRAGMA wal_autocheckpoint = 0")
        file.executescript(_TABLES)
    except sqlite3.DatabaseError:
        file.close()
        raise
    return file
