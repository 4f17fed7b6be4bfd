from __future__ import annotations

import pytest

from tabmux.record.call_entry import TouchedElement
from tabmux.record.strict_locators import strict_locator


@pytest.mark.parametrize(
    ("locator", "name", "strict"),
    [
        ('button "Delete"', "Delete", 'exact=button "Delete"'),
        ('button "Say "yes""', 'Say "yes"', 'exact=button "Say "yes""'),
        ('button "A very long na"', "A very long na…", 'button "A very long na"'),
        # The agent's own words: the element that they meant has a longer name.
        ('button "delete"', "Delete draft", 'exact=button "Delete draft"'),
        ('button "Show"', "Show <hidden value>", 'button "Show"'),
        ('button "Show"', f"Show {'x' * 100}", 'button "Show"'),
        ('button "Delete"', "", 'button "Delete"'),
        ("button", "Delete", "button"),
        ("testid=delete", "Delete", "testid=delete"),
        ('exact=button "Delete"', "Delete", 'exact=button "Delete"'),
    ],
)
def test_a_whole_name_is_asked_for_where_it_is_known(locator: str, name: str, strict: str) -> None:
    assert strict_locator(TouchedElement("uid", locator, "button", name)) == strict


@pytest.mark.parametrize(
    ("role", "frame", "strict"),
    [
        ("button", "", "frame=main css=p > b"),
        ("", "", "css=p > b"),
        ("button", "https://pay.example/form?id=1", "frame=https://pay.example/ css=p > b"),
        ("button", "about:srcdoc", "frame=about: css=p > b"),
        ("button", "data:text/html,<b>", "frame=data: css=p > b"),
    ],
)
def test_a_path_is_looked_for_in_the_frame_that_it_is_of(
    role: str, frame: str, strict: str
) -> None:
    assert strict_locator(TouchedElement("uid", "css=p > b", role, frame=frame)) == strict
