"""The listing of a page's tools, where the page makes it hard."""

from __future__ import annotations

import asyncio

import pytest

from tabmux.errors import PageTrouble
from tabmux.page.frames import Frame
from tabmux.pagetools import catalogue
from tabmux.pagetools.collect import collect
from tabmux.pagetools.report import Report
from tests.agent import Agent


async def test_page_that_does_not_answer_is_given_up_and_said_to(
    whole: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(frame: Frame, **_: bool) -> Report:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(catalogue, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(catalogue, "collect", never)
    await whole.open("<h1>Busy</h1>")
    code, text = await whole.fails("list_page_tools")
    assert code == "page_trouble"
    assert "did not answer within 0.05 s. Try again." in text


async def test_page_that_gives_way_to_another_during_the_look_is_looked_at_again(
    whole: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []

    async def first_fails(frame: Frame, *, whole: bool) -> Report:
        looks.append(frame)
        if len(looks) == 1:
            raise PageTrouble("The page has loaded another document.")
        return await collect(frame, whole=whole)

    monkeypatch.setattr(catalogue, "collect", first_fails)
    await whole.open("<form action=/s><input name=q placeholder='Search users'></form>")
    assert "search_users" in await whole("list_page_tools")
    assert len(looks) == 2
