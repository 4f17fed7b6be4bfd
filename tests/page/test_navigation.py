"""Navigation: a journey ends where it was to go, whatever became of the one before."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tabmux.page.activity import Activity
from tabmux.page.navigation import Navigation
from tests.agent import Agent
from tests.ports import free_port


async def test_failure_that_is_shown_late_is_not_taken_for_that_of_the_next_address(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed, asked_for = Activity._committed, Navigation._asked_for
    late: list[tuple[Activity, Any]] = []

    def loaded(self: Activity, params: Any) -> None:
        committed(self, params)
        self.document.ready = self.document.loaded = True
        self._signal.notify()

    def held(self: Activity, params: Any) -> None:
        if "unreachableUrl" in params["frame"]:
            late.append((self, params))
        else:
            asyncio.get_running_loop().call_later(0.1, loaded, self, params)

    async def after_the_failure(self: Navigation, url: str, timeout: float) -> Any:
        while late:
            loaded(*late.pop())
        return await asked_for(self, url, timeout)

    # Chrome tells of what it shows for a failure when the call has failed already.
    monkeypatch.setattr(Activity, "_committed", held)
    await agent.open("<h1>Before</h1>")
    page = agent.session.pages[agent.session.selected or 0].attached_page
    await agent.fails("navigate_page", url=f"http://127.0.0.1:{free_port()}/")
    assert await page.signal.until(lambda: bool(late), 5.0)
    monkeypatch.setattr(Navigation, "_asked_for", after_the_failure)
    assert "Again" in await agent.open("<h1>Again</h1>")
