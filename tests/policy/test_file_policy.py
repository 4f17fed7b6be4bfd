from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.errors import BadArguments, Refused, TabmuxError
from tabmux.policy.file_policy import FilePolicy
from tabmux.policy.policy import Policy
from tabmux.settings import Settings


def test_files_inside_a_root_pass(tmp_path: Path) -> None:
    policy = FilePolicy([tmp_path.resolve()])
    (tmp_path / "there").write_text("x")
    assert policy.readable(str(tmp_path / "there")) == tmp_path.resolve() / "there"
    assert policy.writable(str(tmp_path / "new" / "file")) == tmp_path.resolve() / "new" / "file"


def test_missing_file_and_folder_are_errors(tmp_path: Path) -> None:
    policy = FilePolicy([tmp_path.resolve()])
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadArguments):
        policy.readable(str(tmp_path / "missing"))
    with pytest.raises(BadArguments):
        policy.writable(str(tmp_path / "folder"))


@pytest.mark.parametrize("escape", ["../outside", "sub/../../outside", "link/file", "link"])
def test_ways_out_of_a_root_are_refused(tmp_path: Path, escape: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    os.symlink("/etc", root / "link")
    with pytest.raises(Refused):
        FilePolicy([root.resolve()]).writable(str(root / escape))


def test_sibling_with_the_same_beginning_is_outside(tmp_path: Path) -> None:
    with pytest.raises(Refused):
        FilePolicy([tmp_path / "root"]).writable(str(tmp_path / "root-other" / "file"))


def test_temporary_folder_is_always_allowed(tmp_path: Path) -> None:
    policy = FilePolicy.of([])
    assert policy.writable(str(tmp_path / "x")) == (tmp_path / "x").resolve()


def test_folders_of_the_client_are_allowed_once_it_names_them(tmp_path: Path) -> None:
    policy = FilePolicy([tmp_path / "one"])
    with pytest.raises(Refused):
        policy.writable(str(tmp_path / "two" / "x"))
    wider = policy.joined([tmp_path / "two", Path("relative")])
    assert wider.writable(str(tmp_path / "two" / "x"))
    assert len(wider.roots) == 2


@pytest.mark.parametrize(
    "place",
    [
        ".config/tabmux/config.toml",
        ".local/share/tabmux/token",
        ".local/state/tabmux/sessions/x.db",
        ".local/state/tabmux/record/run.jsonl",
    ],
)
def test_files_of_tabmux_itself_are_never_an_agents(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    file.write_text("x")
    os.symlink(file, tmp_path / "harmless.txt")
    policy = FilePolicy.of([tmp_path])
    for path in (file, tmp_path / "harmless.txt", file.with_name("new")):
        with pytest.raises(Refused, match="tabmux's own"):
            policy.writable(str(path))
    for path in (file, tmp_path / "harmless.txt"):
        with pytest.raises(Refused, match="tabmux's own"):
            policy.readable(str(path))
    assert policy.writable(str(tmp_path / ".config" / "other"))


def test_policy_file_is_no_agents_though_its_folder_is(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text("[default]\ncalls = 5\n")
    policy = Policy.of(Settings(policy=str(tmp_path / "policy.toml"), allow_path=(str(tmp_path),)))
    with pytest.raises(Refused, match="tabmux's own"):
        policy.files.writable(str(tmp_path / "policy.toml"))
    assert policy.files.joined([tmp_path / "more"]).kept == policy.files.kept


def test_second_name_of_a_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("x")
    os.link(tmp_path / "one", tmp_path / "two")
    with pytest.raises(Refused):
        FilePolicy([tmp_path.resolve()]).readable(str(tmp_path / "two"))


@pytest.mark.parametrize("path", ["/proc/self/environ", "/dev/zero", "/dev/null", "/sys/x"])
def test_no_root_makes_a_device_a_file(path: str) -> None:
    with pytest.raises(Refused):
        FilePolicy([Path("/")]).writable(path)


@pytest.mark.parametrize(
    "path", ["", "a\0b", "a\nb", "C:\\x", "C:/x", "\\\\host\\x", "file:///x", "http://x/y"]
)
def test_what_is_no_path_is_an_error(path: str) -> None:
    with pytest.raises(BadArguments):
        FilePolicy([Path("/")]).writable(path)


def test_pipe_is_neither_read_nor_written(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    policy = FilePolicy([tmp_path.resolve()])
    with pytest.raises(Refused):
        policy.writable(str(tmp_path / "pipe"))
    with pytest.raises(BadArguments):
        policy.readable(str(tmp_path / "pipe"))


def test_path_that_the_system_refuses_is_an_error(tmp_path: Path) -> None:
    policy = FilePolicy([tmp_path.resolve()])
    os.symlink("loop", tmp_path / "loop")
    for path in ("x" * 5_000, "y" * 300, "loop", "loop/file"):
        with pytest.raises(BadArguments):
            policy.readable(str(tmp_path / path))


def test_path_below_a_file_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadArguments):
        FilePolicy([tmp_path.resolve()]).readable(str(tmp_path / "file" / "below"))


def test_home_is_not_expanded_and_the_refusal_says_so(tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        FilePolicy([tmp_path, Path.home()]).writable("~/x")
    assert "~ is not expanded" in caught.value.message


@given(st.text(max_size=60))
def test_any_text_is_inside_or_refused_cleanly(text: str) -> None:
    root = Path("/tmp").resolve()
    try:
        found = FilePolicy([root]).writable(f"/tmp/{text}")
    except TabmuxError:
        return
    assert found.is_relative_to(root)
