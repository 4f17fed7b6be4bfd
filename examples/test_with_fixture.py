"""Browser tests with a pytest fixture: every test has a session of its own.

SITE=https://shop.example pytest examples/test_with_fixture.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

import tabmux.sync


@pytest.fixture
def tab() -> Iterator[tabmux.sync.Tab]:
    """A tab that nobody else has; it is closed after the test."""
    with tabmux.sync.session(headless=True) as tab:
        yield tab


def test_message_is_sent(tab: tabmux.sync.Tab) -> None:
    tab.goto(os.environ["SITE"])
    tab.fill('textbox "Message"', "Hello")
    change = tab.click('button "Send"')
    assert "Sent: Hello" in change.diff
    assert not [each for each in tab.console().messages if each.type == "error"]


def test_empty_message_is_not_sent(tab: tabmux.sync.Tab) -> None:
    tab.goto(os.environ["SITE"])
    assert "Sent" not in tab.click('button "Send"').diff
