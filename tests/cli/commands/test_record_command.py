from __future__ import annotations

import asyncio
import json
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tabmux.folders import record_folder
from tabmux.record.call_entry import TouchedElement
from tabmux.record.run_files import run_file
from tests.cli.command_line import tabmux
from tests.homes import home_in
from tests.record.runs import entry, written

SAVE = TouchedElement("uid", 'button "Save"', "button", "Save")
EMAIL = TouchedElement("uid", 'textbox "Email"', "textbox", "Email")
RUN = [
    entry("navigate_page", arguments={"url": "https://a.example/"}, page=1),
    entry("fill", arguments={"uid": "a1_1", "value": "x@y.example"}, elements=(EMAIL,), page=1),
    entry("click", arguments={"uid": "a1_2"}, elements=(SAVE,), page=1, diff="+ heading"),
    entry("click", arguments={"uid": "a1_9"}, code="stale_uid", error="It has gone.", page=1),
]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """A home with one run in its record."""
    asyncio.run(written(Path(record_folder(str(tmp_path))), RUN))
    return home_in(tmp_path)


def run_name(home: dict[str, str]) -> str:
    return str(json.loads(tabmux(home, "record", "list", "--json").stdout)[0]["run"])


def test_runs_are_listed_and_shown(home: dict[str, str]) -> None:
    assert "shop" in tabmux(home, "record", "list").stdout
    shown = tabmux(home, "record", "show", run_name(home)[:8]).stdout
    assert 'click button "Save" ok' in shown
    assert "failed [stale_uid]" in shown
    lines = tabmux(home, "record", "show", "--json").stdout.splitlines()
    assert [json.loads(line)["tool"] for line in lines] == [each.tool for each in RUN]


def test_a_changed_run_is_told_by_the_exit_code(home: dict[str, str]) -> None:
    assert tabmux(home, "record", "verify").returncode == 0
    file = run_file(Path(record_folder(home["HOME"])), run_name(home))
    file.write_text(file.read_text().replace("Save", "Sane"))
    checked = tabmux(home, "record", "verify")
    assert checked.returncode == 1
    assert "Line 5 does not follow line 4" in checked.stdout


def test_a_run_is_exported_in_every_form(home: dict[str, str], tmp_path: Path) -> None:
    for kind in ("trace", "har", "report", "python", "playwright", "batch", "json"):
        made = tabmux(home, "record", "export", "--as", kind, folder=tmp_path)
        assert made.returncode == 0, made.stderr
        assert (tmp_path / made.stdout.strip()).stat().st_size > 100
    assert zipfile.is_zipfile(next(tmp_path.glob("*-trace.zip")))


@pytest.mark.parametrize("kind", ["trace", "har", "report", "python", "batch", "json"])
def test_only_the_owner_can_read_what_is_exported(
    home: dict[str, str], tmp_path: Path, kind: str
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.touch(0o644)
    for file in (old, new):
        made = tabmux(home, "record", "export", "--as", kind, "-o", str(file))
        assert made.returncode == 0, made.stderr
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("kind", ["python", "playwright", "batch"])
def test_scripts_are_exported_with_other_values(
    home: dict[str, str], tmp_path: Path, kind: str
) -> None:
    words = ("record", "export", "--as", kind, "-o", "made", "--set")
    made = tabmux(home, *words, "email=z@y.example", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    text = (tmp_path / "made").read_text()
    assert "z@y.example" in text
    assert "x@y.example" not in text
    refused = tabmux(home, *words, "mail=z@y.example", folder=tmp_path)
    assert refused.returncode != 0
    assert "It has: email." in refused.stderr


def test_what_only_tells_of_a_run_takes_no_other_values(
    home: dict[str, str], tmp_path: Path
) -> None:
    refused = tabmux(home, "record", "export", "--set", "email=x", folder=tmp_path)
    assert refused.returncode == 2
    assert "--set needs --as python" in refused.stderr


def test_the_steps_of_a_replay_are_shown_beforehand(home: dict[str, str]) -> None:
    shown = tabmux(home, "record", "replay", "--dry-run").stdout
    assert '2 fill {"uid": "exact=textbox \\"Email\\"", "value": "x@y.example"}' in shown
    assert "--set email=x@y.example" in shown
    assert "a1_9" not in shown


def test_an_unknown_parameter_is_refused_with_those_that_there_are(
    home: dict[str, str],
) -> None:
    refused = tabmux(home, "record", "replay", "--set", "mail=x")
    assert refused.returncode != 0
    assert "email" in refused.stderr


def test_runs_are_pruned(home: dict[str, str]) -> None:
    assert "Removed 0 runs" in tabmux(home, "record", "prune").stdout
    assert "Removed 1 runs" in tabmux(home, "record", "prune", "--all").stdout
    assert tabmux(home, "record", "list", "--json").stdout.strip() == "[]"


def test_calls_are_shown_as_they_are_written(home: dict[str, str]) -> None:
    command = [sys.executable, "-m", "tabmux", "watch", "--json"]
    with subprocess.Popen(
        command, env=home, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stderr is not None
            assert "Watching" in process.stderr.readline()
            asyncio.run(written(Path(record_folder(home["HOME"])), [entry("hover")]))
            assert process.stdout is not None
            assert json.loads(process.stdout.readline())["tool"] == "hover"
        finally:
            process.kill()


def test_reading_the_record_imports_no_server(tmp_path: Path) -> None:
    code = (
        "import sys, tabmux.cli.commands.record_command, tabmux.cli.commands.watch_command;"
        "print([m for m in ('asyncio', 'pydantic', 'msgspec', 're2', 'tabmux.page', 'tabmux.mcp')"
        " if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("key", "value"), [("tool", 5), ("arguments", 7), ("url", []), ("elements", [{"name": 1}])]
)
def test_a_line_with_values_of_the_wrong_kind_is_left_out_and_named(
    home: dict[str, str], tmp_path: Path, key: str, value: object
) -> None:
    file = run_file(Path(record_folder(home["HOME"])), run_name(home))
    lines = file.read_text().splitlines()
    number = next(n for n, line in enumerate(lines) if json.loads(line).get("tool") == "fill")
    lines[number] = json.dumps({**json.loads(lines[number]), key: value})
    file.write_text("\n".join(lines) + "\n")
    shown = tabmux(home, "record", "show")
    assert shown.returncode == 0, shown.stderr
    assert " navigate_page " in shown.stdout
    assert " fill " not in shown.stdout
    made = tabmux(home, "record", "export", "--as", "trace", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    assert f"Line {number + 2} does not follow" in tabmux(home, "record", "verify").stdout


@pytest.mark.parametrize("flag", ["--days", "--megabytes"])
def test_a_limit_below_nothing_removes_no_run(home: dict[str, str], flag: str) -> None:
    pruned = tabmux(home, "record", "prune", flag, "-1")
    assert pruned.returncode == 2
    assert "x>=0" in pruned.stderr
    assert run_name(home)
