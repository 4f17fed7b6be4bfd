from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from tabmux.sessions import sqlite_store
from tabmux.sessions.session_rows import SessionRow
from tabmux.sessions.sqlite_store import SqliteStore

ROW = SessionRow("handle", "a", label="work", used=5.0, made=3)


def test_sessions_are_read_back_by_the_next_server(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "new", "daemon")
    store.save(SessionRow("other", "b"))
    store.save(ROW)
    store.remove("other")
    assert list(SqliteStore(tmp_path / "new", "daemon").sessions()) == [ROW]


def test_servers_have_sessions_of_their_own(tmp_path: Path) -> None:
    SqliteStore(tmp_path, "daemon").save(ROW)
    assert list(SqliteStore(tmp_path, "http-3000").sessions()) == []


def test_use_is_noted_without_the_rest(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, "daemon")
    store.save(ROW)
    store.note_use([("handle", 9.0, 7)])
    (row,) = store.sessions()
    assert (row.used, row.made, row.label) == (9.0, 7, "work")


async def test_connections_and_storage_go_with_what_they_belong_to(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, "daemon")
    store.save(ROW)
    store.save_storage("handle", "own 1", b"cookies")
    store.save_connection("id", b"row")
    assert await store.storage("handle", "own 1") == b"cookies"
    assert store.connection("id") == b"row"
    store.remove("handle")
    store.remove_connection("id")
    assert await store.storage("handle", "own 1") is None
    assert store.connection("id") is None


def test_damaged_file_is_put_aside(tmp_path: Path) -> None:
    SqliteStore(tmp_path, "daemon").close()
    (file,) = tmp_path.glob("*.sqlite")
    file.write_bytes(b"no database " * 1000)
    store = SqliteStore(tmp_path, "daemon")
    store.save(ROW)
    assert list(store.sessions()) == [ROW]
    assert [each.name for each in tmp_path.glob("*.damaged")]


def test_file_that_cannot_be_opened_now_is_not_taken_for_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = SqliteStore(tmp_path, "daemon")
    before.save(ROW)
    before.close()

    def refused(path: Path) -> sqlite3.Connection:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(sqlite_store, "_with_tables", refused)
        with pytest.raises(sqlite3.OperationalError):
            SqliteStore(tmp_path, "daemon")
    assert list(SqliteStore(tmp_path, "daemon").sessions()) == [ROW]


def test_row_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, "daemon")
    store.save(ROW)
    store._write("INSERT INTO sessions VALUES ('x', X'7B', 0, 0)", ())
    assert list(store.sessions()) == [ROW]


def test_nobody_else_can_read_the_files(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "new", "daemon")
    store.save(ROW)
    modes = {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "new").iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_log_is_worked_into_the_file_beside_the_writes(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, "daemon")
    for number in range(600):
        store.save(SessionRow(str(number), "a"))
    assert store.wants_checkpoint
    store.checkpoint()
    assert not store.wants_checkpoint
    assert len(list(store.sessions())) == 600


def test_what_cannot_be_written_is_left_with_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = SqliteStore(tmp_path, "daemon")
    store._file.execute("PRAGMA query_only = 1")
    assert not store.save(ROW)
    store.note_use([("handle", 9.0, 7)])
    store.save_storage("handle", "own 1", b"cookies")
    assert len(caplog.records) == 1
    assert "They go on, but end with this server." in caplog.text
    store._file.execute("PRAGMA query_only = 0")
    assert store.save(ROW)
    assert list(store.sessions()) == [ROW]
