"""Display: found where displays are, whatever the environment says."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabmux import display
from tabmux.display import find_display

pytestmark = pytest.mark.skipif(os.uname().sysname != "Linux", reason="X11 and Wayland")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty folders in place of the machine's own."""
    monkeypatch.setattr(display, "X11_SOCKETS", str(tmp_path / "x11"))
    monkeypatch.setattr(display, "RUNTIME_FOLDERS", str(tmp_path / "run"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "x11").mkdir()
    (tmp_path / "run" / str(os.getuid())).mkdir(parents=True)
    return tmp_path


@pytest.fixture
def listening() -> Iterator[list[socket.socket]]:
    sockets: list[socket.socket] = []
    yield sockets
    for each in sockets:
        each.close()


def bind(path: Path, listening: list[socket.socket]) -> None:
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen()
    listening.append(server)


def test_no_display_means_no_window(place: Path) -> None:
    assert find_display({}) is None
    assert find_display({"DISPLAY": ":5"}) is None


def test_a_desktop_is_found_without_any_variable(
    place: Path, listening: list[socket.socket]
) -> None:
    bind(place / "x11" / "X3", listening)
    found = find_display({})
    assert found is not None
    assert found.environment == {"DISPLAY": ":3"}
    assert found.found.endswith("X3")


def test_a_socket_that_nobody_serves_is_no_display(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(place / "x11" / "X3"))
    assert find_display({}) is None


def test_the_environment_is_believed_where_it_is_right(
    place: Path, listening: list[socket.socket]
) -> None:
    for number in (3, 4):
        bind(place / "x11" / f"X{number}", listening)
    found = find_display({"DISPLAY": ":4.0"})
    assert found is not None
    assert (found.name, found.found, dict(found.environment)) == (":4.0", "DISPLAY", {})


def test_the_desktop_comes_before_a_display_far_away(
    place: Path, listening: list[socket.socket]
) -> None:
    far = find_display({"DISPLAY": "localhost:10.0"})
    assert far is not None
    assert far.name == "localhost:10.0"
    bind(place / "x11" / "X1", listening)
    near = find_display({"DISPLAY": "localhost:10.0"})
    assert near is not None
    assert near.name == ":1"


def test_wayland_is_found_with_its_folder(place: Path, listening: list[socket.socket]) -> None:
    folder = place / "run" / str(os.getuid())
    bind(folder / "wayland-0", listening)
    (folder / "wayland-0.lock").touch()
    found = find_display({})
    assert found is not None
    assert dict(found.environment) == {
        "WAYLAND_DISPLAY": "wayland-0",
        "XDG_RUNTIME_DIR": str(folder),
    }
