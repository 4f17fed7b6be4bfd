from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabmux.browsers.addressed import AddressedSpec
from tabmux.browsers.launched import LaunchedSpec
from tabmux.browsers.profiles import profile_folder
from tabmux.daemon.browser_specs import browser_specs
from tabmux.errors import Misuse
from tabmux.settings import Settings


def headers_of(settings: Settings) -> list[str]:
    specs = browser_specs(settings)
    return [spec.headers["x"] for spec in specs if isinstance(spec, AddressedSpec)]


def test_headers_go_to_the_endpoint_in_the_same_place() -> None:
    settings = Settings(ws_endpoint=("ws://a", "ws://b"), ws_headers=('{"x": "1"}', '{"x": "2"}'))
    assert headers_of(settings) == ["1", "2"]
    shared = Settings(ws_endpoint=("ws://a", "ws://b"), ws_headers=('{"x": "1"}',))
    assert headers_of(shared) == ["1", "1"]


@pytest.mark.parametrize("text", ["not json", "[1]"])
def test_headers_that_are_no_object_are_refused(text: str) -> None:
    with pytest.raises(Misuse):
        browser_specs(Settings(ws_endpoint=("ws://a",), ws_headers=(text,)))


def test_tables_of_the_file_describe_browsers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
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
    assert isinstance(left, AddressedSpec)
    assert isinstance(right, LaunchedSpec)
    assert (left.name, left.tags, dict(left.headers)) == ("left", ("shop",), {"x": "1"})
    assert right.options.viewport == (800, 600)
    assert right.options.user_data_dir == profile_folder("right")
    with pytest.raises(Misuse, match="unknown key: colour"):
        browser_specs(Settings(browser=({"colour": "red"},)))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"tags": 5}, "tags must be a list of texts"),
        ({"deny_url": "http://a"}, "deny-url must be a list of texts"),
        ({"url": "http://a", "headers": ["x"]}, "headers must be a table of texts"),
        ({"url": 9222}, "url must be a text"),
        ({"launch": True, "headless": "no"}, "headless must be true or false"),
        ({"url": "http://["}, "is not a browser's address"),
    ],
)
def test_what_does_not_fit_in_a_table_is_named(table: dict[str, object], message: str) -> None:
    with pytest.raises(Misuse, match=message):
        browser_specs(Settings(browser=(table,)))


def test_several_profiles_are_several_browsers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert [s.name for s in browser_specs(Settings(profile=("a", "b")))] == ["a", "b"]
    with pytest.raises(Misuse, match="1280x720"):
        browser_specs(Settings(isolated=True, viewport="big"))


def test_browser_that_is_kept_needs_a_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (spec,) = browser_specs(Settings(launch=True, keep=True))
    assert isinstance(spec, LaunchedSpec)
    assert spec.options.keep
    named = browser_specs(Settings(profile=("shop",), isolated=True, keep=True))
    assert [each.options.keep for each in named if isinstance(each, LaunchedSpec)] == [True]
    with pytest.raises(Misuse, match="needs a profile"):
        browser_specs(Settings(launch=True, isolated=True, keep=True))


def test_untrusted_certificates_are_taken_by_browsers_that_are_started() -> None:
    (spec,) = browser_specs(Settings(accept_insecure_certs=True))
    assert isinstance(spec, LaunchedSpec)
    assert "--ignore-certificate-errors" in spec.options.arguments
    table = {"name": "dev", "launch": True, "accept-insecure-certs": True}
    (spec,) = browser_specs(Settings(browser=(table,)))
    assert isinstance(spec, LaunchedSpec)
    assert "--ignore-certificate-errors" in spec.options.arguments


@pytest.mark.parametrize("where", [{"browser_url": ("http://a",)}, {"grid": "http://127.0.0.1:1"}])
def test_browsers_of_others_keep_looking_at_certificates(where: dict[str, Any]) -> None:
    with pytest.raises(Misuse, match="that tabmux starts"):
        browser_specs(Settings(accept_insecure_certs=True, **where))
