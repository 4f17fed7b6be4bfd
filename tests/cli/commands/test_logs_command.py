from __future__ import annotations

import logging
import socket
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from tabmux.cli.log_file import last_lines
from tabmux.observability import PrivateLogFile
from tests.cli.command_line import daemon, lock_file, tabmux


def test_log_of_the_daemon_is_shown_and_private(home: dict[str, str]) -> None:
    missing = tabmux(home, "logs")
    assert missing.returncode == 1
    assert "no log" in missing.stderr
    with daemon(home, "--headless", "--isolated"):
        assert "Listening" in tabmux(home, "logs").stdout
        tabmux(home, "daemon", "stop")
    file = Path(tabmux(home, "logs", "--path").stdout.strip())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "Stopped" in tabmux(home, "logs", "-n", "1").stdout
    assert tabmux(home, "logs", "-n", "0").stdout == ""


def test_log_is_where_the_daemon_was_told_to_write_it(home: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "own.log"
    with daemon(home, "--headless", "--isolated", "--log-file", str(file)) as process:
        assert tabmux(home, "logs", "--path").stdout.strip() == str(file)
        process.suspend()
        assert "Listening" in tabmux(home, "logs").stdout
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_last_lines_go_on_in_what_was_rotated_away(tmp_path: Path) -> None:
    file = tmp_path / "x.log"
    file.write_text("4\n5\n")
    (tmp_path / "x.log.1").write_text("2\n3\n")
    (tmp_path / "x.log.2").write_text("0\n1\n")
    assert last(file, 0) == ""
    assert last(file, 1) == "5"
    assert last(file, 5) == "12345"
    assert last(file, 50) == "012345"


def last(file: Path, count: int) -> str:
    with file.open("rb") as handle:
        return b"".join(last_lines(file, count, handle)).decode().replace("\n", "")


def test_following_goes_through_a_rotation(home: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "x.log"
    lock_file(home).parent.mkdir(parents=True)
    lock_file(home).write_text(f"1\n{file}\n")
    handler = PrivateLogFile(file, maxBytes=200, backupCount=9, encoding="utf-8")
    write(handler, "before")
    with (
        closing(handler),
        subprocess.Popen(
            [sys.executable, "-m", "tabmux", "logs", "-f", "-n", "5"],
            env={**home, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "before\n"
            for number in range(12):  # three rotations
                write(handler, f"{number} {'x' * 50}")
                assert process.stdout.readline().startswith(f"{number} ")
        finally:
            process.terminate()
    assert (tmp_path / "x.log.2").exists()


def write(handler: logging.Handler, text: str) -> None:
    handler.emit(logging.LogRecord("x", logging.INFO, "", 0, text, None, None))


def test_stopping_with_a_client_connected_is_no_error(home: dict[str, str]) -> None:
    with daemon(home, "--headless", "--isolated"), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(lock_file(home).with_name("daemon.sock")))
        client.sendall(b"ping\n")
        client.recv(100)
        tabmux(home, "daemon", "stop")
    assert "ERROR" not in tabmux(home, "logs").stdout
