"""The listing of a page's tools, where the page makes it hard."""

from __future__ import annotations

import asyncio

import pytest

from tabmux.errors import PageTrouble
from tabmux.page.frame_tree import Frame
from tabmux.pagetools import page_catalog
from tabmux.pagetools.collect.collector_scripts import collect
from tabmux.pagetools.collect.document_tree import DocumentTree
from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site


async def test_page_that_does_not_answer_is_given_up_and_said_to(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(frame: Frame, **_: bool) -> DocumentTree:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(page_catalog, "collect", never)
    settings = Settings(launch=True, headless=True, isolated=True)
    async with (
        running(settings, timings={"page_tools": 0.05}) as app,
        Agent.joined(app, site) as agent,
    ):
        await agent.open("<h1>Busy</h1>")
        code, text = await agent.fails("list_page_tools")
    assert code == "page_trouble"
    assert "did not answer within 0.05 s. Try again." in text


async def test_page_that_gives_way_to_another_during_the_look_is_looked_at_again(
    whole: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []

    async def first_fails(frame: Frame, *, whole: bool) -> DocumentTree:
        looks.append(frame)
        if len(looks) == 1:
            raise PageTrouble("The page has loaded another document.")
        return await collect(frame, whole=whole)

    monkeypatch.setattr(page_catalog, "collect", first_fails)
    await whole.open("<form action=/s><input name=q placeholder='Search users'></form>")
    assert "search_users" in await whole("list_page_tools")
    assert len(looks) == 2
