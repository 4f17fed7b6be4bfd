from __future__ import annotations

from collections.abc import Sequence

from tabmux.bridge.extension_link import BrowserInfo, ExtensionLink
from tabmux.browsers.registry import Browsers
from tabmux.browsers.spec import BrowserSpec
from tabmux.daemon.bridge.extension_browsers import ExtensionBrowsers
from tabmux.daemon.browser_specs import browser_specs
from tabmux.settings import Settings


def names(browsers: Browsers) -> Sequence[str]:
    return [browser.spec.label for browser in browsers.all()]


def link(name: str = "chrome", profile: str = "p1", can: str = "cdp") -> ExtensionLink:
    return ExtensionLink(name, BrowserInfo("Chromium", "156", profile), frozenset({can}))


async def test_every_profile_is_a_browser_and_comes_back_as_the_one_it_was() -> None:
    async with Browsers() as browsers:
        receive = ExtensionBrowsers(browsers)
        first = link()
        receive(first)
        receive(link("work", "p2"))
        first.close("gone")
        receive(link())
        assert names(browsers) == ["extension chrome", "extension work"]


async def test_extension_without_cdp_is_no_browser() -> None:
    async with Browsers() as browsers:
        ExtensionBrowsers(browsers)(link(can="tabs"))
        assert browsers.is_empty


async def test_name_that_is_taken_gets_an_addition() -> None:
    async with Browsers() as browsers:
        browsers.register(BrowserSpec("url", "http://127.0.0.1:9", "chrome"))
        ExtensionBrowsers(browsers)(link())
        assert [browser.name for browser in browsers.all()] == ["chrome", "chrome-extension"]


async def test_browser_that_nobody_named_gives_way_to_the_users_own() -> None:
    async with Browsers() as browsers:
        for spec in browser_specs(Settings()):
            browsers.register(spec)
        ExtensionBrowsers(browsers)(link())
        assert names(browsers) == ["extension chrome"]


async def test_browser_that_was_asked_for_stays() -> None:
    async with Browsers() as browsers:
        for spec in browser_specs(Settings(launch=True, headless=True)):
            browsers.register(spec)
        ExtensionBrowsers(browsers)(link())
        assert browsers.count == 2
