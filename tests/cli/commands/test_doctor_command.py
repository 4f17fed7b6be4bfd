from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from click.testing import CliRunner

from tabmux.bridge import proofs
from tabmux.bridge.pairing import user_keys
from tabmux.cli.checks import browser_checks, daemon_checks, installation_checks
from tabmux.cli.checks.check import Check
from tabmux.cli.commands import doctor_command as doctoring
from tabmux.cli.commands.doctor_command import doctor, run_checks
from tabmux.cli.own_command import own_command
from tabmux.folders import config_folder, daemon_log, data_folder, runtime_folder


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home with a browser in it; short, because the path of a socket must be."""
    with tempfile.TemporaryDirectory(prefix="tm") as name:
        place = Path(name)
        for variable in (
            "DISPLAY", "WAYLAND_DISPLAY", "TABMUX_CHANNEL", "TABMUX_EXECUTABLE_PATH",
            "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR",
        ):  # fmt: skip
            monkeypatch.delenv(variable, raising=False)
        monkeypatch.setenv("HOME", name)
        monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")
        program(place, "echo noise >&2; echo 'Google Chrome 156.0.1 '")
        yield place


def program(place: Path, script: str, name: str = "google-chrome-stable") -> Path:
    file = place / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


def found(name: str) -> Check:
    return next(check for check in run_checks() if check.name == name)


def runtime(place: Path, mode: int = 0o700) -> Path:
    folder = Path(runtime_folder())
    folder.mkdir(parents=True)
    folder.chmod(mode)
    return folder


def bound(path: Path) -> socket.socket:
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    path.chmod(0o600)
    return server


@contextmanager
def answering(place: Path, answer: bytes) -> Iterator[None]:
    """Be a daemon for one question."""

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(100)
            connection.sendall(answer)

    with bound(runtime(place) / "daemon.sock") as server:
        server.listen()
        thread = threading.Thread(target=serve)
        thread.start()
        yield
        thread.join()


def report(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(doctor, list(arguments))
    return result.exit_code, result.stdout


def test_json_has_one_stable_shape() -> None:
    code, text = report("--json")
    data: dict[str, Any] = json.loads(text)
    assert set(data) == {"ok", "checks"}
    assert data["ok"] is True
    assert code == 0
    assert " ".join(check["name"] for check in data["checks"]) == (
        "python tabmux dependencies clients browser sandbox display runtime-folder daemon log "
        "port-3000 port-8765 token extension grid profiles node memory audits"
    )
    for check in data["checks"]:
        assert list(check) == ["name", "state", "detail", "fix"]
        assert check["state"] in ("ok", "warning", "problem")
        assert check["detail"]
        assert check["fix"] or check["state"] == "ok"


def test_a_pipe_gets_one_plain_line_for_each_check() -> None:
    code, text = report()
    lines = text.splitlines()
    assert code == 0
    assert len(lines) == len(run_checks())
    assert lines[0].startswith("ok       python: ")
    assert "\x1b" not in text


def test_a_terminal_gets_a_table_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    doctoring._print_table([Check("python", "problem", "[old]", "Get another.")])
    assert capsys.readouterr().out.split() == ["problem", "python", "[old]", "Get", "another."]


def test_a_problem_makes_the_exit_code_1(place: Path) -> None:
    runtime(place, 0o755)
    code, text = report("--json")
    assert code == 1
    assert json.loads(text)["ok"] is False


def test_the_browser_says_its_version(place: Path) -> None:
    check = found("browser")
    assert check.state == "ok"
    assert check.detail == f"{place / 'google-chrome-stable'}: Google Chrome 156.0.1."


def test_a_browser_that_hangs_is_given_up_with_its_children(place: Path) -> None:
    program(place, "sleep 30 & echo $! >$HOME/child; wait")
    # Long enough for a shell to start its child.
    check = browser_checks.check_browser("browser", seconds=3)
    assert check.state == "problem"
    assert "within 3 s" in check.detail
    child = int((place / "child").read_text())
    assert _is_gone(child)


def _is_gone(pid: int) -> bool:
    """Whether a process ends that was killed, which it does not do at once."""
    end = time.monotonic() + 20
    try:
        while psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
            if time.monotonic() > end:
                return False
    except psutil.NoSuchProcess:
        pass
    return True


def test_a_browser_that_fails_is_a_problem(place: Path) -> None:
    program(place, "exit 3")
    check = found("browser")
    assert check.state == "problem"
    assert "exit code 3" in check.detail


def test_no_browser_is_a_problem(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(place / "nothing"))
    check = found("browser")
    assert check.state == "problem"
    assert "Install Chrome" in check.fix


def test_a_setting_that_makes_no_sense_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABMUX_CHANNEL", "nightly")
    assert found("browser").state == "problem"


def test_root_has_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert browser_checks.check_sandbox("sandbox").state == "warning"
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert browser_checks.check_sandbox("sandbox").state == "ok"


@pytest.fixture
def screens(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which displays are looked for; it is empty."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("tabmux.display.X11_SOCKETS", str(place))
    monkeypatch.setattr("tabmux.display.RUNTIME_FOLDERS", str(place))
    return place


def test_without_a_display_only_headless_works(
    screens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "--headless" in found("display").fix
    monkeypatch.setenv("DISPLAY", ":7")
    assert "DISPLAY=:7 does not answer" in found("display").detail


def test_a_display_is_named_with_how_it_was_found(
    screens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bound(screens / "X4") as server:
        server.listen()
        assert f":4 (found by {screens}/X4)" in found("display").detail
        monkeypatch.setenv("DISPLAY", ":4")
        assert found("display") == Check(
            "display", "ok", "Tabmux shows windows on :4 (found by DISPLAY)."
        )


def test_the_display_that_the_daemon_finds_is_what_counts(
    screens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", "far:1")
    lock = runtime(screens) / "daemon.lock"
    script = (
        "import sys, time; lock = open(sys.argv[1], 'w'); print('on', flush=True); time.sleep(60)"
    )
    for variables, state in (({}, "warning"), ({"DISPLAY": "other:5"}, "ok")):
        with subprocess.Popen(
            [sys.executable, "-c", script, str(lock)], env=variables, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            lock.write_text(f"{process.pid}\n")
            check = browser_checks.check_display("display")
            process.kill()
        assert check.state == state
        assert "The daemon " in check.detail
        assert "far:1" not in check.detail


def test_a_runtime_folder_that_is_not_there_yet_is_fine(place: Path) -> None:
    assert found("runtime-folder").state == "ok"
    assert not Path(runtime_folder()).exists()


def test_a_private_runtime_folder_is_fine(place: Path) -> None:
    runtime(place)
    assert found("runtime-folder").state == "ok"


def test_a_runtime_folder_that_others_can_enter_is_a_problem(place: Path) -> None:
    folder = runtime(place, 0o750)
    assert found("runtime-folder").fix == f"chmod 700 {folder}"


def test_a_runtime_folder_that_is_a_link_is_a_problem(place: Path) -> None:
    folder = runtime(place)
    folder.rmdir()
    folder.symlink_to(place)
    assert found("runtime-folder").state == "problem"


def test_a_runtime_folder_of_someone_else_is_a_problem(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime(place)
    monkeypatch.setattr("os.geteuid", lambda: 54321)
    check = daemon_checks.check_runtime_folder("runtime-folder")
    assert check.state == "problem"
    assert "HOME" in check.fix


def test_no_socket_means_the_daemon_is_not_running() -> None:
    assert found("daemon").state == "ok"


def test_a_daemon_that_answers_is_running(place: Path) -> None:
    with answering(place, b"pong\n\n"):
        check = daemon_checks.check_daemon("daemon")
    assert check.state == "ok"
    assert "Running" in check.detail


def test_a_daemon_that_does_not_answer_is_a_problem(place: Path) -> None:
    with bound(runtime(place) / "daemon.sock") as server:
        server.listen()
        check = daemon_checks.check_daemon("daemon", seconds=0.1)
    assert check.state == "problem"
    assert check.fix == "tabmux daemon restart"


def test_a_stale_socket_is_said_so(place: Path) -> None:
    bound(runtime(place) / "daemon.sock").close()
    check = found("daemon")
    assert check.state == "warning"
    assert "stale" in check.detail
    assert check.fix == "tabmux daemon start"


def test_a_daemon_that_takes_no_connection_is_a_problem(place: Path) -> None:
    path = runtime(place) / "daemon.sock"
    with bound(path) as server, socket.socket(socket.AF_UNIX) as first:
        server.listen(0)
        first.connect(str(path))  # fills the queue
        check = daemon_checks.check_daemon("daemon", seconds=0.1)
    assert check.state == "problem"
    assert check.fix == "tabmux daemon restart"


def test_something_else_in_the_sockets_place_is_a_problem(place: Path) -> None:
    (runtime(place) / "daemon.sock").touch(0o600)
    assert "not a socket" in found("daemon").detail


def test_a_used_port_names_its_owner() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        check = daemon_checks.check_port("port", port=port, flag="--port")
    assert check.state == "warning"
    assert str(os.getpid()) in check.detail
    assert "--port" in check.fix
    assert daemon_checks.check_port("port", port=port, flag="--port").state == "ok"


def test_a_token_that_others_can_read_is_a_problem(place: Path) -> None:
    token = Path(config_folder()) / "token"
    token.parent.mkdir(parents=True)
    token.write_text("secret")
    token.chmod(0o644)
    assert found("token").fix == f"chmod 600 {token}"
    token.chmod(0o600)
    assert found("token").state == "ok"
    assert "secret" not in found("token").detail


def test_a_token_that_is_a_link_is_a_problem(place: Path) -> None:
    token = Path(config_folder()) / "token"
    token.parent.mkdir(parents=True)
    token.symlink_to(place)
    assert found("token").state == "problem"


def test_profiles_in_use_are_named(place: Path) -> None:
    folder = Path(data_folder()) / "profiles"
    for name in ("busy", "idle"):
        (folder / name).mkdir(parents=True)
    (folder / "busy" / "SingletonLock").symlink_to(f"{socket.gethostname()}-{os.getpid()}")
    detail = found("profiles").detail
    assert f"(process {os.getpid()})), idle." in detail
    assert "busy (in use by" in detail


def test_a_profile_folder_that_cannot_be_written_is_a_problem(place: Path) -> None:
    (place / ".local").write_text("in the way")
    assert found("profiles").state == "problem"


def test_what_is_optional_is_only_a_warning(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(place))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    states = {found(name).state for name in ("node", "memory", "audits", "tabmux")}
    assert states == {"warning"}
    assert "tabmux[memory]" in found("memory").fix
    assert "tabmux[audits]" in found("audits").fix


def installed(place: Path, *command: str) -> None:
    (place / ".cursor").mkdir(exist_ok=True)
    entry = {"command": command[0], "args": list(command[1:])} if command else {"url": "http://x"}
    text = json.dumps({"mcpServers": {"tabmux": entry}})
    (place / ".cursor" / "mcp.json").write_text(text)


def test_clients_that_start_this_tabmux_are_fine(place: Path) -> None:
    assert "none yet" in found("clients").detail
    installed(place, *own_command(), "--headless")
    assert found("clients") == Check("clients", "ok", f"Cursor: {own_command()[0]}.")
    installed(place)
    assert found("clients") == Check("clients", "ok", "Cursor: over HTTP.")


def test_a_client_whose_command_is_gone_is_a_problem(place: Path) -> None:
    installed(place, "/nowhere/tabmux")
    check = found("clients")
    assert check.state == "problem"
    assert "/nowhere/tabmux is not there" in check.detail
    assert check.fix == "tabmux install cursor"


def test_a_client_that_starts_another_tabmux_is_a_warning(place: Path) -> None:
    installed(place, str(program(place, "exit 0", "other")))
    check = found("clients")
    assert check.state == "warning"
    assert "another tabmux" in check.detail


def test_a_client_whose_file_cannot_be_read_is_a_warning(place: Path) -> None:
    (place / ".claude.json").write_bytes(b"\xff")
    (place / ".gemini").mkdir()
    (place / ".gemini" / "settings.json").write_text("{")
    check = found("clients")
    assert check.state == "warning"
    assert "Claude Code: " in check.detail
    assert "Gemini CLI: " in check.detail


def test_errors_of_the_last_day_are_shown(place: Path) -> None:
    log = Path(daemon_log())
    assert found("log").state == "ok"
    log.parent.mkdir(parents=True)
    log.write_text(
        "2026-01-01 10:00:00,000 ERROR tabmux.old: Long ago\n"
        "2026-01-03 10:00:00,000 ERROR tabmux.x: It broke\n"
        "Traceback ERROR of something\n"
        "2026-01-03 10:00:01,000 INFO tabmux.x: ERROR in words only\n"
    )
    check = daemon_checks.check_log("log", datetime(2026, 1, 3, 12))
    assert check.state == "warning"
    assert "has 1 errors" in check.detail
    assert "It broke" in check.detail
    assert "tabmux logs" in check.fix
    assert daemon_checks.check_log("log", datetime(2026, 1, 9)).state == "ok"


def test_paired_extensions_are_named_with_their_state(place: Path) -> None:
    assert "No browser is paired" in found("extension").detail
    user_keys().add(proofs.new_key(), "laptop", "Chrome")
    check = found("extension")
    assert check.state == "warning"
    assert "laptop (not connected)" in check.detail
    with answering(place, b"name=laptop browser=Chrome version=156\n\n"):
        check = browser_checks.check_extension("extension")
    assert check.state == "ok"
    assert "laptop (connected)" in check.detail


def test_another_tabmux_on_the_path_is_a_warning(place: Path) -> None:
    program(place, "exit 0", "tabmux")
    assert str(place / "tabmux") in found("tabmux").detail


def test_a_missing_dependency_is_a_problem() -> None:
    check = installation_checks.check_dependencies("dependencies", ("pydantic", "no-such-package"))
    assert check.state == "problem"
    assert "no-such-package" in check.detail


def test_neither_command_loads_the_server() -> None:
    script = (
        "import sys; from click.testing import CliRunner\n"
        "from tabmux.cli.commands.doctor_command import doctor; from tabmux.cli.commands.install_command import install\n"
        "heavy = {'rich', 'psutil', 'subprocess'} & set(sys.modules)\n"
        "CliRunner().invoke(doctor, ['--json']); CliRunner().invoke(install, ['--list'])\n"
        "server = ('mcp', 'tabmux.daemon.', 'tabmux.mcp', 'tabmux.tools', 'tabmux.page')\n"
        "print(sorted(name for name in sys.modules if name.startswith(server)), sorted(heavy))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=30
    )
    assert done.stdout.strip() == "[] []", done.stderr


@pytest.mark.parametrize("name", ["runtime-folder", "profiles"])
def test_a_file_in_the_way_of_folders_is_found(place: Path, name: str) -> None:
    (place / ".local").touch()
    check = found(name)
    assert check.state == "problem"
    assert check.detail == f"{place}/.local is not a folder."
    assert found("log").state == "ok"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"f_flag": os.ST_RDONLY}, "is on a disk that is read-only."),
        ({"f_bavail": 3, "f_frsize": 1 << 20}, "has 3 MB left."),
    ],
)
def test_a_disk_that_takes_nothing_is_found(
    place: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, int], said: str
) -> None:
    real = os.statvfs(place)
    names = ("f_flag", "f_bavail", "f_frsize", "f_blocks")
    disk = SimpleNamespace(**{**{name: getattr(real, name) for name in names}, **change})
    monkeypatch.setattr(os, "statvfs", lambda path: disk)
    check = found("runtime-folder")
    assert check.state == "problem"
    assert check.detail.endswith(said)
    assert "HOME" in check.fix
