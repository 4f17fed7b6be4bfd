"""Folders: the same for a user, however a client starts us."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tabmux import folders
from tabmux.folders import make_private

PRINT = "from tabmux import folders as f; print(f.daemon_socket(), f.data_folder(), f.log_folder())"
ENVIRONMENTS = {
    "both SDKs": {"LOGNAME": "me", "SHELL": "/bin/sh", "TERM": "xterm", "USER": "me"},
    "cron": {"LOGNAME": "me", "SHELL": "/bin/sh"},
    "a desktop": {
        "DISPLAY": ":0",
        "XDG_RUNTIME_DIR": "/run/user/1000",
        "XDG_DATA_HOME": "/elsewhere",
        "XDG_STATE_HOME": "/elsewhere",
        "TMPDIR": "/var/tmp",
    },
    "env -i": {},
}


def test_every_client_of_a_user_finds_the_same_folders(tmp_path: Path) -> None:
    python = {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "HOME": str(tmp_path)}
    found = {
        name: subprocess.check_output(
            [sys.executable, "-c", PRINT], env={**python, **environment}, text=True
        )
        for name, environment in ENVIRONMENTS.items()
    }
    assert len(set(found.values())) == 1, found
    assert str(tmp_path) in found["cron"]


def test_a_home_with_a_long_path_has_a_socket_all_the_same() -> None:
    long, other = (f"/home/{letter * 120}" for letter in "xy")
    assert len(folders.daemon_socket(long)) < 100
    assert folders.daemon_socket(long) != folders.daemon_socket(other)
    assert str(os.getuid()) in folders.daemon_socket(long)


def test_without_a_home_the_password_file_says_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HOME")
    assert os.path.isabs(folders.daemon_socket())


def test_folders_are_private_up_to_the_one_that_was_there(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        make_private(tmp_path / "a" / "b" / "c")
    finally:
        os.umask(before)
    for each in ("a", "a/b", "a/b/c"):
        assert stat.S_IMODE((tmp_path / each).stat().st_mode) == 0o700
    make_private(tmp_path / "a" / "b")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError):
        make_private(tmp_path / "file")


def test_a_relative_home_is_meant_from_the_folder_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "mine")
    assert folders.data_folder().startswith(f"{tmp_path}/mine/")
    assert folders.daemon_socket() == folders.daemon_socket(str(tmp_path / "mine"))
