"""Other frames: a press that Chrome hands to a neighbour does nothing there."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from tabmux.page.act.aiming import InputPoint
from tabmux.page.act.input_events import Input
from tests.agent import Agent

OPEN = "<button onclick=\"this.after('opened')\" style='width:90px;height:30px'>Open</button>"
DELETE = "<button onclick=\"this.after('deleted')\" style='width:90px;height:30px'>Delete</button>"
STYLE = "position:absolute;border:0;width:200px;height:100px;left:0"


def _beside(agent: Agent, first: str) -> str:
    address = agent.site.page(f"<body style='margin:0'>{DELETE}", other=True)
    return (
        f"<body style='margin:0'>{first}<iframe src='{address}' style='{STYLE};top:300px'></iframe>"
    )


@pytest.fixture
def strays(monkeypatch: pytest.MonkeyPatch) -> list[InputPoint]:
    """Have presses go to the neighbour, as they do where Chrome has drawn an older page."""
    click, left = Input._click, [2]
    gone: list[InputPoint] = []

    async def stray(self: Input, point: InputPoint, count: int = 1) -> None:
        if left[0]:
            left[0] -= 1
            gone.append(point)
            channel = self._page.channel
            point = dataclasses.replace(point, channel=channel, x=40.0, y=315.0)
        await click(self, point, count)

    monkeypatch.setattr(Input, "_click", stray)
    return gone


@pytest.mark.parametrize("in_frame", [False, True])
async def test_a_press_that_strays_is_held_back_there_and_made_again(
    agent: Agent, strays: list[Any], in_frame: bool
) -> None:
    inner = agent.site.page(f"<body style='margin:0'>{OPEN}", other=True)
    first = f"<iframe src='{inner}' style='{STYLE};top:0'></iframe>" if in_frame else OPEN
    await agent.open(_beside(agent, first))
    # Which frame a press goes to is only known once they are drawn.
    await agent("take_screenshot")
    text = await agent("click", uid=agent.uid('button "Open"'))
    assert ("opened" in text, len(strays)) == (True, 2)
    shown = await agent("take_snapshot")
    assert ("opened" in shown, "deleted" in shown) == (True, False)
    # Whoever presses it knowingly gets it.
    assert "deleted" in await agent("click", uid=agent.uid('button "Delete"'))


@pytest.mark.parametrize("other", [False, True])
async def test_a_click_on_a_frame_is_for_what_is_in_it(agent: Agent, other: bool) -> None:
    inner = f"<body style='margin:0'>{OPEN.replace('width:90px;height:30px', 'width:200px;height:100px')}"
    address = agent.site.page(inner, other=other)
    await agent.open(f"<iframe src='{address}' style='{STYLE};top:0'></iframe>")
    await agent("take_screenshot")
    text = await agent("click", uid=agent.uid("iframe"))
    assert "Clicked the element. The document inside of it took the click." in text
    assert "opened" in await agent("take_snapshot")
