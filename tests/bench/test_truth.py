"""The judges of sight and touch judge rightly themselves."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from bench.truth import fills, opened, report, widgets_newer
from bench.truth.browser_tab import Answer
from bench.truth.facts import differences
from bench.truth.libraries import FURTHER, LIBRARIES, NEWER
from bench.truth.lines import Line, read
from bench.truth.saved_page import Half, half_of
from bench.truth.saved_pages import SAVED
from bench.truth.tally import Tally
from tests.bench.test_commands import run

SNAPSHOT = r"""uid=a1_1 RootWebArea "Shop" url="http://127.0.0.1/"
 uid=a1_2 button "Say \"go\"" disabled haspopup="menu"
 "Plain words"
 uid=a1_3 iframe
  uid=a1_4 RootWebArea url="about:srcdoc"
   uid=a1_5 textbox "Name" required value="Ann"
 uid=a1_6 button "Say \"go\""
"""


def node(role: str, name: str, value: str = "", **states: Any) -> dict[str, Any]:
    properties = [{"name": key, "value": {"value": state}} for key, state in states.items()]
    return {
        "role": {"value": role},
        "name": {"value": name},
        "value": {"value": value},
        "properties": properties,
    }


def test_lines_are_read_as_agents_read_them() -> None:
    _, first, _, _, field, second = read(SNAPSHOT)
    assert first.name == 'Say "go"'
    assert first.details == {"disabled": "", "haspopup": "menu"}
    assert (first.ordinal, second.ordinal) == (0, 1)
    assert field.details["value"] == "Ann"
    assert (first.frame, field.frame, second.frame) == ("a1_1", "a1_4", "a1_1")


def test_links_of_a_shortened_snapshot_are_read_where_they_stand_side_by_side() -> None:
    row = r'links: a1_7 "Say \"go\", now", a1_8 "Home"'
    assert [(line.uid, line.role, line.name) for line in read(row)] == [
        ("a1_7", "link", 'Say "go", now'),
        ("a1_8", "link", "Home"),
    ]


@pytest.mark.parametrize(
    ("chrome", "differing"),
    [
        (node("textbox", "Name", "Ann", required=True), []),
        (node("searchbox", "Name", "Ann", required=True), ["role"]),
        (node("textbox", "Nick", "Ann", required=True), ["name"]),
        (node("textbox", "Name", "Bob", required=True), ["value"]),
        (node("textbox", "Name", "Ann", disabled=True), ["disabled"]),
    ],
)
def test_what_chrome_sees_differently_is_named(
    chrome: dict[str, Any], differing: list[str]
) -> None:
    field = read(SNAPSHOT)[4]
    assert [what for what, _, _ in differences(field, chrome)] == differing


@pytest.mark.parametrize(
    ("reply", "held", "count"),
    [
        ("Filled the element.", "Blue kite", "fills right"),
        ("Filled the element.", "Old words", "wrong Filled"),
        ("Filled the element. It holds less.", "Blue", "fills told to be otherwise"),
        ("Error [element_readonly]: no", "", "fills refused"),
        ("Error [deadline]: no", "", "out of time"),
    ],
)
def test_fills_are_judged_by_what_the_field_holds(reply: str, held: str, count: str) -> None:
    tally = Tally()
    answer = Answer(reply, reply.startswith("Error"), 0.0)
    fills.judge(answer, Line("a1_5", "textbox", "Name", {}, ""), "Blue kite", held, "page", tally)
    assert tally.counts == {count: 1}
    assert report.is_untrue(tally) == (count == "wrong Filled")


@pytest.mark.parametrize(
    ("line", "is_opener"),
    [
        ('uid=a1_2 button "File" haspopup="menu"', True),
        ('uid=a1_2 button "Open calendar"', True),
        ('uid=a1_2 treeitem "Root" collapsed', True),
        ('uid=a1_2 button "Save"', False),
        ('uid=a1_2 checkbox "Open"', False),
    ],
)
def test_what_a_click_may_open_is_known_by_what_it_says(line: str, is_opener: bool) -> None:
    (read_line,) = read(line)
    assert opened.opens(read_line) is is_opener


def test_both_halves_have_enough_pages_and_libraries() -> None:
    assert len(SAVED) >= 60
    assert len({page.name for page in SAVED}) == len(SAVED)
    assert len(LIBRARIES) >= 30
    for names in (
        [page.name for page in SAVED],
        [each.name for each in LIBRARIES + FURTHER + NEWER],
    ):
        shares = sum(half_of(name) == "develop" for name in names) / len(names)
        assert 0.4 <= shares <= 0.6


def test_every_library_has_a_page() -> None:
    folder = Path(report.__file__).parent / "components"
    assert {library.name for library in LIBRARIES + FURTHER + NEWER} == {
        file.stem for file in folder.iterdir()
    }


def test_newer_libraries_have_widget_tasks_in_both_halves() -> None:
    assert {page.name for page in widgets_newer.PAGES} == {each.name for each in NEWER}
    parts: tuple[Half, ...] = ("develop", "held-out")
    for part in parts:
        assert sum(len(page.tasks) for page in widgets_newer.half(part)) >= 20


@pytest.mark.timeout(120)
def test_samples_are_judged_without_a_miss_of_the_truth() -> None:
    done: subprocess.CompletedProcess[str] = run("bench truth", "--quick")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "right refusals" in done.stdout
    assert "wrong Clicked" in done.stdout
