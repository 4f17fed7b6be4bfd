from __future__ import annotations

import asyncio
import time

import pytest

from tabmux.bridge.extension_link import BrowserInfo, ExtensionLink
from tabmux.bridge.extensions import RETURN_SECONDS, ConnectedExtensions
from tabmux.errors import BrowserTrouble


def link() -> ExtensionLink:
    return ExtensionLink("chrome", BrowserInfo("Chromium", "156", "p1"), frozenset({"cdp"}))


def never() -> bool:
    return False


async def test_extension_that_never_came_is_not_waited_for() -> None:
    began = time.monotonic()
    with pytest.raises(BrowserTrouble, match="not connected"):
        await ConnectedExtensions().reach("p1", never)
    assert time.monotonic() - began < RETURN_SECONDS / 2


async def test_extension_that_has_just_gone_is_waited_for() -> None:
    extensions, first = ConnectedExtensions(), link()
    extensions.arrive(first)
    first.close("gone")
    await asyncio.sleep(0)  # callbacks of a future run in the next turn
    assert extensions.find("p1") is None
    async with asyncio.TaskGroup() as group:
        reaching = group.create_task(extensions.reach("p1", never))
        await asyncio.sleep(0)
        extensions.arrive(link())
    assert reaching.result() is not None


async def test_waiting_ends_when_nobody_wants_it_any_more() -> None:
    extensions, first = ConnectedExtensions(), link()
    extensions.arrive(first)
    first.close("gone")
    await asyncio.sleep(0)
    began = time.monotonic()
    with pytest.raises(BrowserTrouble):
        await extensions.reach("p1", lambda: True)
    assert time.monotonic() - began < RETURN_SECONDS / 2


async def test_late_end_of_an_old_link_does_not_harm_the_new_one() -> None:
    extensions, first, second = ConnectedExtensions(), link(), link()
    extensions.arrive(first)
    extensions.arrive(second)
    first.close("gone")
    await asyncio.sleep(0)
    assert extensions.find("p1") is second
