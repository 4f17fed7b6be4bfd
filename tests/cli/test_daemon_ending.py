from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tabmux.cli import daemon_ending
from tests.cli.command_line import daemon, has_ended, lock_file, tabmux

# Holds the lock and the socket as the daemon does, answers nothing and minds no polite signal.
STUCK = """
import os, signal, socket, subprocess, sys, time
folder = sys.argv[1]
signal.signal(signal.SIGTERM, signal.SIG_IGN)
lock = open(folder + "/daemon.lock", "w")
print(os.getpid(), file=lock, flush=True)
server = socket.socket(socket.AF_UNIX)
server.bind(folder + "/daemon.sock")
server.listen()
browser = subprocess.Popen(["sleep", "600", "--remote-debugging-pipe"], process_group=0, executable=sys.argv[2])
print(browser.pid, flush=True)
time.sleep(600)
"""

# Takes a while to listen after it has the lock, and ends when it is asked to.
STARTING = """
import os, socket, sys, time
folder = sys.argv[1]
lock = open(folder + "/daemon.lock", "w")
print(os.getpid(), file=lock, flush=True)
print("locked", flush=True)
time.sleep(1)
server = socket.socket(socket.AF_UNIX)
server.bind(folder + "/daemon.sock")
server.listen()
client, _ = server.accept()
client.recv(100)
os.unlink(folder + "/daemon.sock")
client.sendall(b"ok\\n")
"""


@contextmanager
def stuck_daemon(home: dict[str, str], tmp_path: Path) -> Iterator[tuple[int, int]]:
    folder = lock_file(home).parent
    folder.mkdir(parents=True, mode=0o700)
    browser = tmp_path / "browser"
    browser.write_text("#!/bin/sh\nsleep 600 </dev/null >/dev/null 2>&1\n")
    browser.chmod(0o755)
    with subprocess.Popen(
        [sys.executable, "-c", STUCK, str(folder), str(browser)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.pid, int(process.stdout.readline())
        finally:
            process.kill()


def test_frozen_daemon_is_said_to_be_so_and_can_be_stopped(home: dict[str, str]) -> None:
    with daemon(home, "--launch", "--headless", "--isolated") as process:
        opened = tabmux(home, "call", "list_pages")
        assert opened.returncode == 0, opened.stderr
        browsers = [child for child in process.children() if child.is_running()]
        assert browsers
        process.suspend()
        for command in (["daemon", "status"], ["session", "list"], ["call", "list_pages"]):
            started = time.monotonic()
            result = tabmux(home, *command)
            assert result.returncode == 1
            assert "does not answer" in result.stderr
            assert "tabmux daemon restart" in result.stderr
            assert time.monotonic() - started < 12
        result = tabmux(home, "daemon", "stop")
        assert result.returncode == 0, result.stderr
        assert has_ended(process)
        assert all(has_ended(browser, 10) for browser in browsers)
    assert tabmux(home, "daemon", "status").stdout == "No daemon runs.\n"


def test_call_notices_a_daemon_that_freezes_meanwhile(home: dict[str, str]) -> None:
    with daemon(home, "--launch", "--headless", "--isolated") as process:
        tabmux(home, "call", "list_pages")
        command = [sys.executable, "-m", "tabmux", "call", "wait_for", "text=never"]
        with subprocess.Popen(
            [*command, "timeout=60000"], env=home, stderr=subprocess.PIPE, text=True
        ) as call:
            while "queued=1" not in tabmux(home, "control", "status").stdout:
                pass
            process.suspend()
            _, said = call.communicate(timeout=40)
    assert call.returncode == 1
    assert "does not answer" in said


def test_daemon_that_minds_no_signal_is_killed_with_its_browsers(
    home: dict[str, str], tmp_path: Path
) -> None:
    with stuck_daemon(home, tmp_path) as (pid, browser):
        result = tabmux(home, "daemon", "stop", seconds=55)
        assert result.returncode == 0, result.stderr
        assert "ending it" in result.stderr
        assert has_ended(psutil.Process(pid))
        assert not psutil.pid_exists(browser) or has_ended(psutil.Process(browser), 10)
        assert not (lock_file(home).parent / "daemon.sock").exists()


def test_daemon_that_is_starting_is_asked_to_stop_once_it_listens(home: dict[str, str]) -> None:
    folder = lock_file(home).parent
    folder.mkdir(parents=True, mode=0o700)
    command = [sys.executable, "-c", STARTING, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        result = tabmux(home, "daemon", "stop")
        assert result.returncode == 0, result.stderr
        assert "ending it" not in result.stderr
    assert process.returncode == 0


def test_process_that_does_not_have_the_lock_open_is_left_alone(
    home: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number in an old lock may belong to another process by now."""
    monkeypatch.setenv("HOME", home["HOME"])
    file = lock_file(home)
    file.parent.mkdir(parents=True)
    file.write_text(f"{os.getpid()}\n")
    assert daemon_ending.find_daemon() is None
    assert tabmux(home, "daemon", "stop").returncode == 0
    with file.open("r+"):
        assert daemon_ending.find_daemon() == psutil.Process()


def test_lock_without_a_number_names_nobody(
    home: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", home["HOME"])
    assert daemon_ending.find_daemon() is None
    lock_file(home).parent.mkdir(parents=True)
    lock_file(home).write_text("nobody\n")
    assert daemon_ending.find_daemon() is None
