from __future__ import annotations

import asyncio

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


async def located(text: str) -> str:
    locator = Locator.read(text)
    assert locator is not None
    meant = await locator.among(rows(PAGE))
    found = [row.line for row in meant if row.uid]
    if not found:
        raise absent(locator, meant, rows(PAGE))
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
        ('exact=button "Save"', "a1_4"),
        ('exact=button "Save as "copy""', "a1_5"),
    ],
)
async def test_role_and_name_mean_one_element(locator: str, uid: str) -> None:
    assert await located(locator) == uid


async def test_others_have_turns_while_a_very_long_page_is_searched() -> None:
    locator = Locator.read('link "Row 199999"')
    assert locator is not None
    text = "\n".join(f'uid=a1_{n} link "Row {n}"' for n in range(200_000))
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async with asyncio.TaskGroup() as group:
        counting = group.create_task(count())
        found = await locator.among(rows(text))
        counting.cancel()
    assert [row.uid for row in found] == ["a1_199999"]
    assert turns > 5


@pytest.mark.parametrize(
    ("locator", "code", "hint"),
    [
        ('button "Delete"', "not_found", 'There are: "Save"'),
        ('button "sav"', "ambiguous", "uid=a1_4 button"),
        ("button", "ambiguous", "uid=a1_5 button"),
        ("slider", "not_found", "none"),
        ('exact=button "copy"', "not_found", 'There are: "Save"'),
        ('exact=button "save"', "not_found", 'There are: "Save"'),
        ('listitem "Apple"', "not_found", "css="),
    ],
)
async def test_what_means_none_or_several_is_refused(locator: str, code: str, hint: str) -> None:
    with pytest.raises(Misuse) as caught:
        await located(locator)
    assert caught.value.code == code
    assert hint in caught.value.text


def test_test_ids_and_selectors_are_css() -> None:
    assert Locator.read("css=a > .b") == Locator("css=a > .b", selector="a > .b")
    found = Locator.read('testid=sa"ve')
    assert found is not None
    assert found.selector.startswith('[data-testid="sa\\"ve"], ')


def test_a_frame_is_named_by_how_its_address_begins() -> None:
    found = Locator.read("frame=https://a.example/ css=a > .b")
    assert found is not None
    assert found.selector == "a > .b"
    assert found.looks_into("https://a.example/form", is_main=False)
    assert not found.looks_into("https://a.example/form", is_main=True)
    assert not found.looks_into("https://a.example.evil/", is_main=False)
    main = Locator.read("frame=main testid=save")
    assert main is not None
    assert main.looks_into("https://a.example/", is_main=True)
    assert not main.looks_into("https://a.example/", is_main=False)


@pytest.mark.parametrize(
    "text",
    [
        "exact=button",
        "frame=main button",
        "frame= css=a",
        "a1_5",
        "u:a:1:5",
        "",
        "css=",
        'button"x"',
        "two words",
    ],
)
def test_other_texts_are_no_locators(text: str) -> None:
    assert Locator.read(text) is None


@given(st.text())
def test_any_text_can_be_read_as_rows(text: str) -> None:
    assert len(list(rows(text))) == text.count("\n") + 1
