from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

ROWS = """
from tabmux.cli.terminal import print_table
print_table([{"session": "a", "state": "active", "url": "http://x.test/[b]"}], empty="No sessions.")
print_table([], empty="No sessions.")
"""
SPINNER = """
import time
from tabmux.cli.terminal import spinner
with spinner("Waiting", after=%s) as tell:
    time.sleep(1)
    tell("Almost there")
    time.sleep(1)
"""


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """Run Python with a terminal as its output, and return what it shows."""
    near, far = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=far,
        stderr=far,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment},
    )
    os.close(far)
    parts: list[bytes] = []
    reader = threading.Thread(target=_read, args=(near, parts))
    reader.start()
    assert process.wait(30) == 0
    reader.join(5)
    os.close(near)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", b"".join(parts).decode())


def _read(end: int, parts: list[bytes]) -> None:
    try:
        while data := os.read(end, 4096):
            parts.append(data)
    except OSError:
        return


def test_rows_stand_under_their_names() -> None:
    lines = on_a_terminal("-c", ROWS).splitlines()
    assert lines[0].split() == ["session", "state", "url"]
    assert lines[1].split() == ["a", "active", "http://x.test/[b]"]
    assert lines[2].strip() == "No sessions."


@pytest.mark.parametrize(("patience", "is_shown"), [(0.1, True), (60, False)])
def test_spinner_is_shown_only_when_it_takes_long(patience: float, is_shown: bool) -> None:
    text = on_a_terminal("-c", SPINNER % patience)
    assert ("Almost there" in text) == is_shown


def test_profiles_are_a_table_for_people_and_lines_for_pipes(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    tabmux = ("-m", "tabmux", "profile")
    for name in ("home", "work"):
        on_a_terminal(*tabmux, "create", name, **home)
    header, *rows = on_a_terminal(*tabmux, "list", **home).splitlines()
    assert header.split()[0] == "name"
    assert [row.split()[0] for row in rows if not row.startswith(" ")] == ["home", "work"]
    piped = subprocess.run(
        [sys.executable, *tabmux, "list"],
        capture_output=True,
        env={**os.environ, **home},
        check=True,
    )
    assert piped.stdout.decode() == "home\nwork\n"
