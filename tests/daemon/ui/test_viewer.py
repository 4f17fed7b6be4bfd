from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, MutableMapping
from typing import Any

import pytest

from tabmux.concurrency import TaskOwner
from tabmux.daemon.app import App
from tabmux.daemon.ui.live_view import LiveView
from tabmux.daemon.ui.outbox import Outbox
from tabmux.daemon.ui.passes import Pass
from tabmux.daemon.ui.past_runs import PastRuns
from tabmux.daemon.ui.person_actions import PersonActions
from tabmux.daemon.ui.viewer import MOST_UNDER_WAY
from tests.agent import Agent

BURST = 100


class Socket:
    """A viewer's end of a socket: all that it sends is there at once."""

    def __init__(self, *messages: Mapping[str, Any]) -> None:
        self._messages = [json.dumps(each) for each in messages]
        self.read, self.left = asyncio.Event(), asyncio.Event()
        self.told = asyncio.Queue[dict[str, Any]]()

    async def receive(self) -> Mapping[str, Any]:
        if self._messages:
            return {"type": "websocket.receive", "text": self._messages.pop(0)}
        self.read.set()
        await self.left.wait()
        return {"type": "websocket.disconnect"}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        self.told.put_nowait(json.loads(message["text"]))


async def test_of_a_burst_only_some_is_under_way_and_nothing_is_dropped_without_a_word(
    app: App, tasks: TaskOwner, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    async def tell_run(past: PastRuns, outbox: Outbox, run: str) -> None:
        begun.append(run)
        await asyncio.Event().wait()

    monkeypatch.setattr(PastRuns, "tell_run", tell_run)
    runs = [{"type": "run", "run": str(each)} for each in range(BURST)]
    socket = Socket(*runs, {"type": "watch", "page": -1})
    allowed = Pass("view", time.time() + 60)
    serving = tasks.start(LiveView(app).serve(allowed, socket.receive, socket.send))
    async with asyncio.timeout(20):
        problems: list[str] = []
        while not problems or "no session's" not in problems[-1]:
            message = await socket.told.get()
            problems += [message["text"]] if message["type"] == "problem" else []
    assert len(begun) == MOST_UNDER_WAY
    assert sum("still under way" in each for each in problems) == BURST - MOST_UNDER_WAY
    socket.left.set()
    await serving


async def test_a_person_who_points_all_the_time_can_steer(
    app: App, agent: Agent, tasks: TaskOwner, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[float] = []
    shown = asyncio.Event()

    async def show_element(actions: PersonActions, message: Mapping[str, Any]) -> None:
        begun.append(message["x"])
        shown.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(PersonActions, "show_element", show_element)
    await agent.open("<title>Shop</title>")
    page = agent.session.pages[agent.session.selected or 0]
    picks = [{"type": "pick", "page": page.id, "x": each} for each in range(BURST)]
    socket = Socket(*picks, {"type": "take", "page": page.id})
    allowed = Pass("steer", time.time() + 60, person="ann")
    serving = tasks.start(LiveView(app).serve(allowed, socket.receive, socket.send))
    async with asyncio.timeout(20):
        await shown.wait()
        while not page.control.person:
            await socket.told.get()
    assert begun == [BURST - 1]
    socket.left.set()
    await serving
    page.give_back("ann")
