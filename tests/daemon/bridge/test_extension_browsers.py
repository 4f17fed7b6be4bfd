from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest

from tabmux.bridge.extension_link import BrowserInfo, ExtensionLink
from tabmux.browsers.addressed import UrlSpec
from tabmux.browsers.browser_view import BrowserView
from tabmux.browsers.registry import Browsers
from tabmux.daemon.bridge.extension_browsers import (
    ConnectedExtensions,
    ExtensionBrowsers,
)
from tabmux.daemon.browser_specs import browser_specs
from tabmux.errors import BrowserTrouble
from tabmux.settings import Settings
from tabmux.timings import Timings


def names(browsers: Browsers) -> Sequence[str]:
    return [browser.spec.label for browser in browsers.all()]


def link(name: str = "chrome", profile: str = "p1", can: str = "cdp") -> ExtensionLink:
    return ExtensionLink(name, BrowserInfo("Chromium", "156", profile), frozenset({can}))


async def test_every_profile_is_a_browser_and_comes_back_as_the_one_it_was() -> None:
    async with Browsers() as browsers:
        register = ExtensionBrowsers(browsers)
        first = link()
        register(first)
        register(link("work", "p2"))
        first.close("gone")
        register(link())
        assert names(browsers) == ["extension chrome", "extension work"]


async def test_extension_without_cdp_is_no_browser() -> None:
    async with Browsers() as browsers:
        ExtensionBrowsers(browsers)(link(can="tabs"))
        assert not browsers.all()


async def test_name_that_is_taken_gets_an_addition() -> None:
    async with Browsers() as browsers:
        browsers.register(UrlSpec("http://127.0.0.1:9", name="chrome"))
        ExtensionBrowsers(browsers)(link())
        assert [browser.name for browser in browsers.all()] == ["chrome", "chrome-extension"]


async def test_browser_that_nobody_named_gives_way_to_the_users_own() -> None:
    async with Browsers() as browsers:
        for spec in browser_specs(Settings()):
            browsers.register(spec)
        view = BrowserView(browsers)
        assert [browser.spec.label for browser in view.all()] == ["launched on default"]
        ExtensionBrowsers(browsers)(link())
        assert [browser.spec.label for browser in view.all()] == ["extension chrome"]


async def test_browser_that_was_asked_for_stays() -> None:
    async with Browsers() as browsers:
        for spec in browser_specs(Settings(launch=True, headless=True)):
            browsers.register(spec)
        ExtensionBrowsers(browsers)(link())
        assert browsers.count == 2


def never() -> bool:
    return False


async def test_extension_that_never_came_is_not_waited_for() -> None:
    began = time.monotonic()
    with pytest.raises(BrowserTrouble, match="not connected"):
        await ConnectedExtensions(Timings.extension_return).transport("p1", never)
    assert time.monotonic() - began < Timings.extension_return / 2


async def test_extension_that_has_just_gone_is_waited_for() -> None:
    extensions, first = ConnectedExtensions(Timings.extension_return), link()
    extensions.add(first)
    first.close("gone")
    await asyncio.sleep(0)  # callbacks of a future run in the next turn
    assert extensions.find("p1") is None
    async with asyncio.TaskGroup() as group:
        reaching = group.create_task(extensions.transport("p1", never))
        await asyncio.sleep(0)
        extensions.add(link())
    assert reaching.result() is not None


async def test_waiting_ends_when_nobody_wants_it_any_more() -> None:
    extensions, first = ConnectedExtensions(Timings.extension_return), link()
    extensions.add(first)
    first.close("gone")
    await asyncio.sleep(0)
    began = time.monotonic()
    with pytest.raises(BrowserTrouble):
        await extensions.transport("p1", lambda: True)
    assert time.monotonic() - began < Timings.extension_return / 2


async def test_late_end_of_an_old_link_does_not_harm_the_new_one() -> None:
    extensions, first, second = ConnectedExtensions(Timings.extension_return), link(), link()
    extensions.add(first)
    extensions.add(second)
    first.close("gone")
    await asyncio.sleep(0)
    assert extensions.find("p1") is second
