from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from tabmux.browsers.chrome_process import LaunchOptions
from tabmux.browsers.health import Health
from tabmux.browsers.spec import BrowserSpec, parse_address
from tabmux.daemon.browser_specs import browser_specs
from tabmux.errors import Misuse
from tabmux.settings import Settings


@pytest.mark.parametrize(
    ("kind", "text", "address", "name", "command"),
    [
        ("url", "http://127.0.0.1:9222", "http://127.0.0.1:9222", "", ""),
        ("url", "work=http://127.0.0.1:9222", "http://127.0.0.1:9222", "work", ""),
        ("url", "http://h:1/?a=b", "http://h:1/?a=b", "", ""),
        ("url", "http://h:1 | chrome --port=1", "http://h:1", "", "chrome --port=1"),
        ("url", "9222", "9222", "", ""),
        ("ws", "main=ws://h/devtools/browser/x", "ws://h/devtools/browser/x", "main", ""),
    ],
)
def test_address_name_and_command_are_told_apart(
    kind: Literal["url", "ws"], text: str, address: str, name: str, command: str
) -> None:
    spec = parse_address(kind, text)
    assert (spec.address, spec.name, spec.start_command) == (address, name, command)
    assert spec.label == address


@pytest.mark.parametrize(("kind", "text"), [("url", "ws://h"), ("ws", "http://h"), ("url", "host")])
def test_wrong_scheme_is_refused(kind: Literal["url", "ws"], text: str) -> None:
    with pytest.raises(Misuse):
        parse_address(kind, text)


def test_same_address_or_profile_is_the_same_browser() -> None:
    one, two = BrowserSpec("url", "http://h/"), BrowserSpec("url", "http://h", "named")
    assert one.same_as(two)
    assert not one.same_as(BrowserSpec("ws", "http://h"))
    folder = LaunchOptions(user_data_dir=Path("/x"))
    assert BrowserSpec("launch", launch=folder).same_as(BrowserSpec("launch", launch=folder))
    assert not BrowserSpec("launch").same_as(BrowserSpec("launch"))


def test_headers_go_to_the_endpoint_in_the_same_place() -> None:
    settings = Settings(ws_endpoint=("ws://a", "ws://b"), ws_headers=('{"x": "1"}', '{"x": "2"}'))
    assert [spec.headers["x"] for spec in browser_specs(settings)] == ["1", "2"]
    shared = Settings(ws_endpoint=("ws://a", "ws://b"), ws_headers=('{"x": "1"}',))
    assert [spec.headers["x"] for spec in browser_specs(shared)] == ["1", "1"]


@pytest.mark.parametrize("text", ["not json", "[1]"])
def test_headers_that_are_no_object_are_refused(text: str) -> None:
    with pytest.raises(Misuse):
        browser_specs(Settings(ws_endpoint=("ws://a",), ws_headers=(text,)))


def test_tables_of_the_file_describe_browsers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    tables = (
        {"name": "left", "url": "http://h:1", "tags": ["shop"], "headers": {"x": "1"}},
        {
            "name": "right",
            "launch": True,
            "headless": True,
            "profile": "right",
            "viewport": "800x600",
        },
    )
    left, right = browser_specs(Settings(browser=tables))
    assert (left.name, left.tags, dict(left.headers)) == ("left", ("shop",), {"x": "1"})
    assert right.launch.viewport == (800, 600)
    assert right.launch.user_data_dir == tmp_path / "tabmux" / "profiles" / "right"
    with pytest.raises(Misuse, match="unknown key: colour"):
        browser_specs(Settings(browser=({"colour": "red"},)))


def test_several_profiles_are_several_browsers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert [s.name for s in browser_specs(Settings(profile=("a", "b")))] == ["a", "b"]
    with pytest.raises(Misuse, match="1280x720"):
        browser_specs(Settings(isolated=True, viewport="big"))


def test_health_counts_and_averages() -> None:
    health = Health()
    assert health.line == "no calls yet"
    health = health.after(0.1, failed=False)
    assert health.line == "1 call, 0 failed, 100 ms"
    health = health.after(0.2, failed=True)
    assert health.line == "2 calls, 1 failed, 120 ms"


def test_browsers_without_an_address_are_named_by_what_they_are() -> None:
    assert BrowserSpec("launch").label == "launched"
    headless = LaunchOptions(headless=True, user_data_dir=Path("/profiles/work"))
    assert BrowserSpec("launch", launch=headless).label == "launched headless on work"
    assert BrowserSpec("auto", "/home/me/chrome").label == "running browser of /home/me/chrome"
