from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tabmux.cli import failures
from tabmux.folders import record_folder
from tests.cli.command_line import daemon, status, tabmux
from tests.record.runs import entry, written


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["session", "list", "--json"], "bad_request", "No daemon runs"),
        (["session", "show", "--json"], "bad_arguments", "Missing argument"),
        (["browser", "list", "--json", "--oops"], "bad_arguments", "--oops"),
        (["call", "--json"], "bad_arguments", "TOOL"),
    ],
)
def test_errors_are_data_where_data_is_asked_for(
    home: dict[str, str], words: list[str], code: str, said: str
) -> None:
    result = tabmux(home, *words)
    error = json.loads(result.stdout)["error"]
    assert result.returncode != 0
    assert result.stderr == ""
    assert set(error) == {"code", "message", "hint"}
    assert error["code"] == code
    assert said in error["message"]


def test_answers_of_the_daemon_are_typed(home: dict[str, str]) -> None:
    with daemon(home, "--headless", "--isolated"):
        made = json.loads(tabmux(home, "session", "new", "--name", "my shop", "--json").stdout)
        assert made["session"] == "my shop"
        (listed,) = json.loads(tabmux(home, "session", "list", "--json").stdout)
        assert {"session": "my shop", "state": "detached", "pages": 0}.items() <= listed.items()
        assert isinstance(listed["age"], int)
        assert listed["page"] is None
        status = json.loads(tabmux(home, "daemon", "status", "--json").stdout)
        assert status["running"] is True
        assert isinstance(status["pid"], int)
        assert [each["session"] for each in status["sessions"]] == ["my shop"]
        (browser,) = json.loads(tabmux(home, "browser", "list", "--json").stdout)
        assert isinstance(browser["browser"], int)
        assert isinstance(browser["tabs"], int)
        missing = tabmux(home, "session", "show", "nobody", "--json")
        assert json.loads(missing.stdout)["error"]["code"] == "no_such_session"
        assert missing.returncode == 1
        failed = tabmux(home, "call", "select_page", "pageId=999", "--json")
        shape = json.loads(failed.stdout)
        assert failed.returncode == 1
        assert (shape["ok"], shape["code"]) == (False, "no_such_page")
        assert shape["error"]["code"] == "no_such_page"
        assert not shape["error"]["message"].startswith("Error")
        assert shape["error"]["hint"]
        closed = json.loads(tabmux(home, "session", "close", "my shop", "--json").stdout)
        assert closed == {"session": "my shop", "closed": True}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["serve", "--http", "--port", "80000"], "between 0 and 65535"),
        (["--port", "80000"], "between 0 and 65535"),
        (["extension", "pair", "--port", "80000"], "65535"),
        (["serve", "--http", "--log-file", "/proc/nowhere/x.log"], "Could not write the log"),
        (["daemon", "start", "--log-file", "/proc/nowhere/x.log"], "Could not write the log"),
        (["--versio"], "Did you mean --version?"),
    ],
)
def test_mistakes_are_named_without_a_traceback(
    home: dict[str, str], words: list[str], said: str
) -> None:
    result = tabmux(home, *words)
    assert result.returncode in (1, 2)
    assert said in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "words", [["profile", "create", "x"], ["extension", "token"], ["daemon", "start"], []]
)
def test_folders_that_cannot_be_made_are_named(home: dict[str, str], words: list[str]) -> None:
    (Path(home["HOME"]) / ".local").touch()  # in the way of data, logs and the socket
    result = tabmux(home, *words)
    assert result.returncode == 1
    assert "/.local" in result.stderr
    assert "Traceback" not in result.stderr


def test_mistake_that_the_daemon_finds_is_one_line(home: dict[str, str]) -> None:
    said = tabmux(home, "--versio").stderr
    assert said == "Error: Unknown option --versio. Did you mean --version?\n"


def test_runtime_folder_that_cannot_be_made_is_named(home: dict[str, str]) -> None:
    (Path(home["HOME"]) / ".local").touch()
    result = tabmux(home, "daemon", "run")
    assert result.returncode == 1
    assert "cannot be made" in result.stderr
    assert "HOME" in result.stderr


def test_relative_paths_mean_the_folder_of_the_caller(home: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "set.toml").write_text('log_file = "by-file.log"\n')
    for words, variables, name in (
        (["--log-file", "by-flag.log"], {}, "by-flag.log"),
        (["--config", "set.toml"], {}, "by-file.log"),
        ([], {"TABMUX_LOG_FILE": "by-variable.log"}, "by-variable.log"),
    ):
        try:
            result = tabmux({**home, **variables}, "daemon", "start", *words, folder=tmp_path)
            assert result.returncode == 0, result.stderr
            assert "Listening" in (tmp_path / name).read_text(encoding="utf-8")
        finally:
            tabmux(home, "daemon", "stop")


@pytest.mark.parametrize("words", [["serve", "--http", "--port", "0"], []])
def test_interrupting_twice_leaves_no_traceback(home: dict[str, str], words: list[str]) -> None:
    with daemon(home, "--headless", "--isolated"):
        for pause in (0.0, 0.05):
            with subprocess.Popen(
                [sys.executable, "-m", "tabmux", *words],
                env=home,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            ) as process:
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(HELLO)
                process.stdin.flush()
                process.stdout.readline()  # it is at work
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(pause)
                except subprocess.TimeoutExpired:
                    os.kill(process.pid, signal.SIGINT)
                _, said = process.communicate(timeout=30)
            assert b"Traceback" not in said
            assert process.returncode in (0, 130, -signal.SIGINT)


HELLO = (
    json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        }
    ).encode()
    + b"\n"
)


@pytest.mark.parametrize(
    "line",
    ['click uid="a1_5', '{"tool": 3}', '{"tool": "click", "arguments": [1]}', '{"arguments": {}}'],
)
def test_a_line_of_a_batch_that_is_no_call_is_named(
    home: dict[str, str], tmp_path: Path, line: str
) -> None:
    (tmp_path / "steps").write_text(f"# first\n{line}\n", encoding="utf-8")
    with daemon(home, "--headless", "--isolated"):
        result = tabmux(home, "batch", str(tmp_path / "steps"))
    assert result.returncode == 1
    assert result.stderr.startswith("Error: Line 2 is not a call: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--versio"], "Unknown option --versio"),
        (["--port", "80000"], "65535"),
        (["control", " "], "The line is empty"),
        (["record", "replay", "--set", "oops"], "NAME=VALUE"),
        (["profile", "remove", "work"], "--yes"),
    ],
)
def test_a_command_line_that_makes_no_sense_has_an_exit_code_of_its_own(
    home: dict[str, str], words: list[str], said: str
) -> None:
    tabmux(home, "profile", "create", "work")
    asyncio.run(written(Path(record_folder(home["HOME"])), [entry()]))
    result = tabmux(home, *words)
    assert result.returncode == 2
    assert said in result.stderr


def test_a_profile_that_is_not_there_is_not_asked_about(home: dict[str, str]) -> None:
    result = tabmux(home, "profile", "remove", "nosuch")
    assert result.returncode == 1
    assert "There is no profile 'nosuch'" in result.stderr


def test_a_restart_that_would_fail_leaves_the_daemon_running(
    home: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "policy.toml").write_text("oops = 1\n", encoding="utf-8")
    (tmp_path / "set.toml").write_text("oops = 1\n", encoding="utf-8")
    with daemon(home, "--headless", "--isolated") as process:
        for words in (["--policy", "policy.toml"], ["--config", "set.toml"]):
            result = tabmux(home, "daemon", "restart", *words, folder=tmp_path)
            assert result.returncode == 1
            assert "oops" in result.stderr
            assert status(home)["pid"] == process.pid


def test_a_full_disk_has_its_code_and_says_what_to_do() -> None:
    found = failures.of_system(OSError(errno.ENOSPC, "No space left on device", "/home/x"))
    assert found.code == "disk_full"
    assert found.text.startswith("/home/x: No space left on device. Free some room")
    assert "None" not in failures.of_system(OSError(errno.ENOSPC, "No space left")).text


def test_a_daemon_that_is_started_with_a_relative_home_is_found(home: dict[str, str]) -> None:
    whole = Path(home["HOME"])
    relative = {**home, "HOME": whole.name}
    try:
        started = tabmux(relative, "daemon", "start", folder=whole.parent)
        assert started.returncode == 0, started.stderr
        assert status(home)["running"] is True
    finally:
        tabmux(home, "daemon", "stop")
