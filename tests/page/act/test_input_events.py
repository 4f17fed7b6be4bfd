from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tabmux.cdp.channel import Channel, Params
from tests.agent import Agent

ADDS = "<button onclick=\"document.body.append('more')\">Add</button>"
LATE = "<button onclick=\"setTimeout(() => document.body.append('more'), 30)\">Add</button>"
IDLE = "<button>Add</button>"
MOUSE = ["Input.dispatchMouseEvent"] * 3
EVALUATE = ["Runtime.evaluate"]
# Where the press landed is asked in the flight of the press itself.
CALL = ["Runtime.callFunctionOn"]


@contextmanager
def round_trips(channel: Channel, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[str]]]:
    """Group commands by the round trip they travel in: those made while none is under way."""
    trips: list[list[str]] = []
    call, pending = channel.call, set[asyncio.Future[Params]]()

    def counted(method: str, *args: Any, **options: Any) -> asyncio.Future[Params]:
        if not pending:
            trips.append([])
        trips[-1].append(method)
        future = call(method, *args, **options)
        pending.add(future)
        future.add_done_callback(pending.discard)
        return future

    with monkeypatch.context() as patch:
        patch.setattr(channel, "call", counted)
        yield trips


@pytest.mark.parametrize(
    ("html", "change", "more"),
    [(ADDS, '+ "more"', []), (LATE, '+ "more"', [EVALUATE, CALL]), (IDLE, "focused", [EVALUATE])],
)
async def test_click_and_its_diff_take_three_round_trips_and_more_without_an_effect(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, html: str, change: str, more: list[list[str]]
) -> None:
    await agent.open(html)
    (page,) = agent.session.pages.values()
    with round_trips(page.attached_page.channel, monkeypatch) as trips:
        text = await agent("click", uid=agent.uid("button"))
    assert change in text
    assert trips == [CALL, MOUSE + CALL, CALL, *more]


async def test_click_that_fetches_waits_for_the_answer_and_shows_it(agent: Agent) -> None:
    fetching = "fetch('/').then((answer) => document.body.append(`status ${answer.status}`))"
    await agent.open(f'<button onclick="{fetching}">Load</button>')
    assert '+ "status ' in await agent("click", uid=agent.uid("button"))


async def test_click_that_adds_a_frame_shows_what_is_in_it(agent: Agent) -> None:
    frame = "Object.assign(document.createElement('iframe'), {srcdoc: '<p>inside</p>'})"
    await agent.open(f'<button onclick="document.body.append({frame})">Embed</button>')
    assert "inside" in await agent("click", uid=agent.uid("button"))
