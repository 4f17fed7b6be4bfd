from __future__ import annotations

import os
import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest

from tabmux.cli import autostart
from tabmux.errors import Misuse
from tests.cli.command_line import daemon, tabmux

COMMAND = ("/home/ada/my tools/tabmux", "daemon", "run", "--idle-exit", "0", "--profile", "50% $x")


def test_the_unit_starts_the_daemon_with_its_words_quoted() -> None:
    lines = autostart.systemd_unit(COMMAND).splitlines()
    assert (
        'ExecStart="/home/ada/my tools/tabmux" daemon run --idle-exit 0 --profile "50%% $$x"'
        in lines
    )
    assert "Restart=on-failure" in lines
    assert "WantedBy=default.target" in lines


def test_a_line_break_cannot_add_a_line_to_the_unit() -> None:
    with pytest.raises(Misuse):
        autostart.systemd_unit(("tabmux", "x\nExecStartPre=/bin/true"))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    program = tmp_path / "my tools" / "tabmux"
    program.parent.mkdir()
    program.touch(0o755)
    file = tmp_path / autostart.UNIT
    file.write_text(autostart.systemd_unit((str(program), *COMMAND[1:])), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", "--recursive-errors=no", str(file)],
        capture_output=True,
        text=True,
        timeout=30,
        env={"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_agent_of_launchd_has_the_command_word_by_word() -> None:
    agent = plistlib.loads(autostart.launchd_agent(COMMAND).encode())
    assert agent["ProgramArguments"] == list(COMMAND)
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    assert autostart.autostart_file("darwin").name == f"{agent['Label']}.plist"


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(Misuse):
        autostart.autostart_file("win32")


def test_a_command_that_fails_or_is_missing_is_told() -> None:
    assert (
        autostart.run_commands([["true"], ["no-such-program"]]) == "no-such-program was not found"
    )
    assert autostart.run_commands([["true"], ["false"]]) == "false failed"
    assert autostart.run_commands([["true"]]) == ""


def with_systemctl(home: dict[str, str]) -> tuple[dict[str, str], Path]:
    """Return a home with a systemctl that notes what it is told, and its notes."""
    notes = Path(home["HOME"]) / "systemctl.txt"
    program = Path(home["HOME"]) / "bin" / "systemctl"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >>"{notes}"\n', encoding="utf-8")
    program.chmod(0o755)
    made = {name: value for name, value in home.items() if name != "XDG_CONFIG_HOME"}
    return {**made, "PATH": f"{program.parent}{os.pathsep}{home['PATH']}"}, notes


@pytest.mark.skipif("sys.platform != 'linux'", reason="the commands are those of Linux")
def test_the_unit_is_enabled_also_where_nothing_is_to_be_started(home: dict[str, str]) -> None:
    home, notes = with_systemctl(home)
    enabled = "--user daemon-reload\n--user enable tabmux.service\n"
    assert tabmux(home, "daemon", "install", "--no-start").returncode == 0
    assert notes.read_text(encoding="utf-8") == enabled
    with daemon(home):
        done = tabmux(home, "daemon", "install")
    assert notes.read_text(encoding="utf-8") == enabled * 2
    assert "starts at every login" in done.stdout
    assert "tabmux daemon stop && tabmux daemon install" in done.stderr
    assert tabmux(home, "daemon", "install").returncode == 0
    assert notes.read_text(encoding="utf-8").endswith("--user enable --now tabmux.service\n")


@pytest.mark.skipif("sys.platform != 'linux'", reason="the paths are those of Linux")
def test_what_systemd_refuses_is_left_to_the_user(home: dict[str, str]) -> None:
    home, _ = with_systemctl(home)
    (Path(home["HOME"]) / "bin" / "systemctl").write_text("#!/bin/sh\necho no bus >&2\nexit 1\n")
    done = tabmux(home, "daemon", "install", "--no-start")
    assert (done.returncode, done.stdout.startswith("Wrote ")) == (1, True)
    assert "no bus" in done.stderr
    assert "systemctl --user enable tabmux.service" in done.stderr


@pytest.mark.skipif("sys.platform != 'linux'", reason="the paths are those of Linux")
def test_installing_writes_the_unit_and_uninstalling_deletes_it(home: dict[str, str]) -> None:
    home, _ = with_systemctl(home)
    file = Path(home["HOME"]) / ".config" / "systemd" / "user" / autostart.UNIT
    printed = tabmux(home, "daemon", "install", "--print", "--headless")
    assert "--idle-exit 0 --headless" in printed.stdout
    assert not file.exists()
    done = tabmux(home, "daemon", "install", "--no-start", "--headless")
    assert (done.returncode, done.stdout) == (
        0,
        f"Wrote {file}\nThe daemon starts at every login.\n",
    )
    assert file.read_text(encoding="utf-8") == printed.stdout
    done = tabmux(home, "daemon", "uninstall")
    assert (done.returncode, done.stdout) == (0, f"Deleted {file}\n")
    assert not file.exists()
    assert tabmux(home, "daemon", "uninstall").returncode == 1


def test_a_flag_that_does_not_exist_is_refused(home: dict[str, str]) -> None:
    done = tabmux(home, "daemon", "install", "--print", "--hedless")
    assert done.returncode == 2
    assert "--headless" in done.stderr
