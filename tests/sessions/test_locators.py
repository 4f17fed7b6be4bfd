from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.errors import Misuse
from tabmux.sessions.locators import is_locator, locate, rows

PAGE = """\
uid=a1_1 RootWebArea "Shop" url="http://x/"
  uid=a1_2 form "Order"
    uid=a1_3 textbox "Name" value="Ann"
    uid=a1_4 button "Save"
    uid=a1_5 button "Save as \\"copy\\""
  list
    listitem "Apple"
  "plain text"
  uid=a1_6 link "Home" url="/"
"""


def test_rows_know_their_role_name_uid_and_place() -> None:
    found = {row.line.split(" url")[0]: row for row in rows(PAGE)}
    row = found['uid=a1_3 textbox "Name" value="Ann"']
    assert (row.uid, row.role, row.name, row.place) == ("a1_3", "textbox", "Name", 'form "Order"')
    assert found['listitem "Apple"'].uid == ""
    assert found['"plain text"'].role == ""
    assert found['uid=a1_6 link "Home"'].place == ""


@pytest.mark.parametrize(
    ("locator", "uid"),
    [
        ('button "Save"', "a1_4"),
        ('button "save"', "a1_4"),
        ('button "copy"', "a1_5"),
        ('textbox "Name"', "a1_3"),
        ("textbox", "a1_3"),
        ("link", "a1_6"),
    ],
)
def test_role_and_name_mean_one_element(locator: str, uid: str) -> None:
    assert locate(PAGE, locator) == uid


@pytest.mark.parametrize(
    ("locator", "code"),
    [
        ('button "Delete"', "not_found"),
        ('button "sav"', "ambiguous"),
        ("", "bad_request"),
        ("slider", "not_found"),
    ],
)
def test_what_means_none_or_several_is_refused(locator: str, code: str) -> None:
    with pytest.raises(Misuse) as caught:
        locate(PAGE, locator)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "expected"),
    [('button "Save"', True), ("button", True), ("a1_5", False), ("u:a:1:5", False), ("", False)],
)
def test_uids_are_not_taken_for_locators(text: str, expected: bool) -> None:
    assert is_locator(text) is expected


@given(st.text())
def test_any_text_can_be_read_as_rows(text: str) -> None:
    assert len(list(rows(text))) == text.count("\n") + 1
