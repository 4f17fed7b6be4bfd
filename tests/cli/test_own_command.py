from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from tabmux.cli.own_command import EXTRAS, missing_extras, own_command


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("UV", "UV_CACHE_DIR", "XDG_CACHE_HOME", "PIPX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    return tmp_path


def program(file: Path) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(0o755)
    return str(file)


def test_without_a_script_the_interpreter_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["__main__.py"])
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    assert own_command() == (str(tmp_path / "python"), "-m", "tabmux")
    script = tmp_path / "tabmux"
    script.touch(0o755)
    assert own_command() == (os.fspath(script),)


@pytest.mark.parametrize("place", [".cache/uv/archive-v0/x", "elsewhere/archive-v0/x", "own/y"])
def test_what_uvx_runs_is_started_by_uvx_again(
    home: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Its environment is in a cache, which may be cleaned."""
    monkeypatch.setenv("UV_CACHE_DIR", str(home / "own"))
    monkeypatch.setattr("sys.prefix", str(home / place))
    monkeypatch.setattr("sys.argv", [program(home / place / "bin" / "tabmux")])
    assert own_command() == ("uvx", "tabmux")
    uvx = program(home / "bin" / "uvx")
    assert own_command() == (uvx, "tabmux")
    monkeypatch.setenv("UV", str(home / "uv" / "uv"))
    beside = program(home / "uv" / "uvx")
    assert own_command() == (beside, "tabmux")


def test_extras_are_asked_for_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", str(home / ".cache" / "uv" / "archive-v0" / "x"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name == "numpy" or None)
    assert own_command() == ("uvx", "--from", "tabmux[memory]", "tabmux")


def test_every_extra_of_the_package_is_known() -> None:
    table = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    assert {*EXTRAS, "all"} == {*table["project"]["optional-dependencies"]}


def test_all_extras_are_found_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert missing_extras() == []
    monkeypatch.setitem(EXTRAS, "otel", "no_such_package.sdk")
    assert missing_extras() == ["otel"]


def test_what_pipx_runs_once_is_run_by_pipx_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.prefix", str(home / ".cache" / "pipx" / "x"))
    assert own_command() == ("pipx", "run", "tabmux")


def test_tool_that_uv_installed_is_started_by_its_link(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = program(home / ".local" / "bin" / "tabmux")
    monkeypatch.setattr("sys.prefix", str(home / ".local" / "share" / "uv" / "tools" / "tabmux"))
    monkeypatch.setattr("sys.argv", [link])
    assert own_command() == (link,)
