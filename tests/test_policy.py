from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.errors import BadArguments, Refused, TabmuxError
from tabmux.policy import FilePolicy, UrlPolicy, redacted


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "https://a.b:8443/x?y#z",
        "about:blank",
        "data:text/html,hi",
        "HTTP://X/",
    ],
)
def test_ordinary_addresses_pass(url: str) -> None:
    assert UrlPolicy().check(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        " file:///etc/passwd",
        "view-source:file:///etc/passwd",
        "chrome://settings",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "devtools://devtools/",
        "chrome-extension://abc/page.html",
        "filesystem:http://x/",
        "ftp://host/",
    ],
)
def test_other_schemes_are_refused(url: str) -> None:
    with pytest.raises(Refused):
        UrlPolicy().check(url)


@pytest.mark.parametrize(
    "url", ["", "example.com", "/path", "http://", "https:///x", "http://[bad"]
)
def test_incomplete_addresses_are_errors(url: str) -> None:
    with pytest.raises(BadArguments):
        UrlPolicy().check(url)


def test_scheme_can_be_allowed() -> None:
    policy = UrlPolicy(frozenset({"http", "file"}))
    assert policy.check("file:///tmp/x") == "file:///tmp/x"


@given(st.text())
def test_any_text_is_passed_or_refused_cleanly(text: str) -> None:
    try:
        checked = UrlPolicy().check(text)
    except TabmuxError:
        return
    assert checked.split(":")[0].lower() in UrlPolicy().allowed_schemes


def test_files_inside_a_root_pass(tmp_path: Path) -> None:
    policy = FilePolicy([tmp_path.resolve()])
    (tmp_path / "there").write_text("x")
    assert policy.readable(str(tmp_path / "there")) == tmp_path.resolve() / "there"
    assert policy.writable(str(tmp_path / "new" / "file")) == tmp_path.resolve() / "new" / "file"


def test_missing_file_and_folder_are_errors(tmp_path: Path) -> None:
    policy = FilePolicy([tmp_path.resolve()])
    with pytest.raises(BadArguments):
        policy.readable(str(tmp_path / "missing"))
    with pytest.raises(BadArguments):
        policy.writable(str(tmp_path))


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


@pytest.mark.parametrize(
    ("header", "shown"),
    [("Cookie", False), ("authorization", False), ("X-Session-Token", False), ("Accept", True)],
)
def test_credentials_in_headers_are_redacted(header: str, shown: bool) -> None:
    assert (redacted(header, "value") == "value") is shown
