from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.errors import Misuse
from tabmux.sessions.locators import Locator, absent, only, rows

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


def located(text: str) -> str:
    locator = Locator.read(text)
    assert locator is not None
    found = [row.line for row in locator.among(rows(PAGE)) if row.uid]
    if not found:
        raise absent(locator, rows(PAGE))
    return only(locator, found)


@pytest.mark.parametrize(
    ("locator", "uid"),
    [
        ('button "Save"', "a1_4"),
        ('button "save"', "a1_4"),
        ('button "copy"', "a1_5"),
        ('button "Save as "copy""', "a1_5"),
        ('textbox "Name"', "a1_3"),
        ("textbox", "a1_3"),
        ("link", "a1_6"),
    ],
)
def test_role_and_name_mean_one_element(locator: str, uid: str) -> None:
    assert located(locator) == uid


@pytest.mark.parametrize(
    ("locator", "code", "hint"),
    [
        ('button "Delete"', "not_found", 'There are: "Save"'),
        ('button "sav"', "ambiguous", "uid=a1_4 button"),
        ("button", "ambiguous", "uid=a1_5 button"),
        ("slider", "not_found", "none"),
        ('listitem "Apple"', "not_found", "css="),
    ],
)
def test_what_means_none_or_several_is_refused(locator: str, code: str, hint: str) -> None:
    with pytest.raises(Misuse) as caught:
        located(locator)
    assert caught.value.code == code
    assert hint in caught.value.text


def test_test_ids_and_selectors_are_css() -> None:
    assert Locator.read("css=a > .b") == Locator("css=a > .b", selector="a > .b")
    found = Locator.read('testid=sa"ve')
    assert found is not None
    assert found.selector.startswith('[data-testid="sa\\"ve"], ')


@pytest.mark.parametrize("text", ["a1_5", "u:a:1:5", "", "css=", 'button"x"', "two words"])
def test_other_texts_are_no_locators(text: str) -> None:
    assert Locator.read(text) is None


@given(st.text())
def test_any_text_can_be_read_as_rows(text: str) -> None:
    assert len(list(rows(text))) == text.count("\n") + 1
