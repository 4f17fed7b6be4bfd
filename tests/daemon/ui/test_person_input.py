from __future__ import annotations

import json

import pytest

from tabmux.daemon.ui.person_input import part, send_key
from tabmux.daemon.ui.routes import VIEW_MINUTES, link_minutes
from tests.agent import Agent


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ("0.25", 0.25), ("-3", 0.0), ("7", 1.0), ("NaN", 0.0), ("Infinity", 1.0), ("-Infinity", 0.0),
        ("1" + "0" * 400, 1.0), ('"x"', 0.0), ("null", 0.0),
    ],
)  # fmt: skip
def test_a_place_is_inside_of_the_picture_whatever_is_sent(given: str, place: float) -> None:
    assert part(json.loads(given)) == place


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("5", 5), ("", VIEW_MINUTES), ("0", VIEW_MINUTES), ("x", VIEW_MINUTES), ("9" * 9_000, 10_080)],
)
def test_a_link_is_valid_for_a_time_whatever_is_sent(text: str, minutes: int) -> None:
    assert link_minutes(text) == minutes


@pytest.mark.parametrize("modifiers", [0, 1, 3, 8])
async def test_a_key_writes_what_the_persons_machine_says(agent: Agent, modifiers: int) -> None:
    await agent.open("<input autofocus>")
    page = agent.session.pages[agent.session.selected or 0].attached_page
    key = {"key": "@", "code": "KeyQ", "keyCode": 81, "modifiers": modifiers}
    for writes in (False, True):
        send_key(page, {**key, "kind": "down", "writes": writes})
        send_key(page, {**key, "kind": "up"})
    assert await agent.value("document.querySelector('input').value") == '"@"'
