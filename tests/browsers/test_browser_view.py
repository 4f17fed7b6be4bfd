"""Browser view: what one session sees of the daemon's browsers."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tabmux.browsers.addressed import UrlSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.browser_view import BrowserView
from tabmux.browsers.launched import LaunchedSpec, LaunchOptions
from tabmux.browsers.lent import LentSpec
from tabmux.browsers.registry import Browsers
from tabmux.cdp.transports import Transport
from tabmux.errors import BrowserTrouble, Misuse
from tabmux.timings import Timings

ONE, TWO = UrlSpec("http://127.0.0.1:9"), UrlSpec("http://127.0.0.1:7")
STAND_IN = LaunchedSpec(LaunchOptions(), stand_in=True)


def joined(browsers: Browsers, *specs: Any) -> BrowserView:
    view = BrowserView(browsers, specs)
    browsers.views.add(view)
    return view


def ended(browsers: Browsers, view: BrowserView) -> None:
    browsers.views.discard(view)
    view.close()


def labels(view: BrowserView) -> list[tuple[int, str]]:
    return [(each.number, each.browser.spec.label) for each in view.listed()]


async def test_a_client_sees_what_it_named_and_counts_from_one() -> None:
    async with Browsers() as browsers:
        first, second = joined(browsers, ONE), joined(browsers, TWO)
        usual = joined(browsers)
        assert labels(first) == [(1, ONE.label)]
        assert labels(second) == [(1, TWO.label)]
        assert labels(usual) == []
        assert (first.others, usual.others) == (1, 2)
        assert first.choose(None) is not second.choose(None)


async def test_the_same_address_is_one_connection_under_two_names() -> None:
    async with Browsers() as browsers:
        first = joined(browsers, UrlSpec(ONE.address, name="work"))
        second = joined(
            browsers, UrlSpec(TWO.address, name="work"), UrlSpec(ONE.address, name="home")
        )
        assert browsers.count == 2
        assert first.get("work") is second.get("home") is second.get(2)
        assert second.get("work") is not first.get("work")
        with pytest.raises(Misuse, match="no browser 'home'"):
            first.get("home")


async def test_a_browser_goes_with_the_last_client_that_named_it() -> None:
    async with Browsers() as browsers:
        browsers.register(TWO)
        first, second = joined(browsers, ONE), joined(browsers, ONE, TWO)
        ended(browsers, first)
        assert browsers.count == 2
        ended(browsers, second)
        assert [b.spec.label for b in browsers.all()] == [TWO.label]


async def test_letting_go_of_a_shared_browser_leaves_it_to_the_others() -> None:
    async with Browsers() as browsers:
        own = browsers.register(ONE)
        first, second = joined(browsers), joined(browsers)
        first.remove(own)
        assert (first.count, second.count) == (0, 1)
        second.remove(own)
        assert browsers.count == 0


async def test_a_further_browser_is_seen_beside_the_daemon_s_own() -> None:
    async with Browsers() as browsers:
        browsers.register(ONE)
        mine, other = joined(browsers), joined(browsers)
        mine.add(TWO)
        assert labels(mine) == [(1, ONE.label), (2, TWO.label)]
        assert labels(other) == [(1, ONE.label)]
        mine.remove(mine.get(1))
        assert labels(mine) == [(2, TWO.label)]


async def test_one_that_nobody_named_gives_way_until_it_is_used() -> None:
    async with Browsers() as browsers:
        browsers.register(STAND_IN)
        view = joined(browsers)
        assert labels(view) == [(1, STAND_IN.label)]
        view.add(ONE)
        assert [label for _, label in labels(view)] == [ONE.label]


async def test_how_to_start_a_browser_replaces_the_one_that_nobody_named() -> None:
    async with Browsers() as browsers:
        browsers.register(STAND_IN)
        headless = LaunchedSpec(LaunchOptions(headless=True), stand_in=True)
        assert labels(joined(browsers, headless)) == [(1, headless.label)]
        assert labels(joined(browsers)) == [(1, STAND_IN.label)]


async def test_an_extension_s_browser_that_has_quit_is_out_of_the_way() -> None:
    async def unreachable(profile: str, is_abandoned: object) -> Transport:
        raise BrowserTrouble(f"{profile} is gone.")

    async with Browsers(Timings(cool_down=0)) as browsers:
        browsers.register(STAND_IN)
        lent = browsers.register(LentSpec("p", partial(unreachable, "p"), name="chrome"))
        view = joined(browsers)
        assert [label for _, label in labels(view)] == [lent.spec.label]
        with pytest.raises(BrowserTrouble):
            await browsers.connect(lent)
        assert lent.state is BrowserState.DISCONNECTED
        assert [label for _, label in labels(view)] == [STAND_IN.label]
        # Who has pages there must hear what became of them.
        view.is_in_use = lambda browser: browser is lent
        assert [label for _, label in labels(view)] == [lent.spec.label]


async def test_other_rules_for_the_same_address_are_refused() -> None:
    async with Browsers() as browsers:
        joined(browsers, UrlSpec(ONE.address, allow_url=("a.com",)))
        joined(browsers, ONE)
        with pytest.raises(Misuse, match="other rules"):
            joined(browsers, UrlSpec(ONE.address, allow_url=("b.com",)))


async def test_wishes_count_while_the_browser_is_not_started(tmp_path: Any) -> None:
    async with Browsers() as browsers:
        options = LaunchOptions(user_data_dir=tmp_path)
        browser = browsers.register(LaunchedSpec(options, stand_in=True))
        headless = LaunchedSpec(LaunchOptions(headless=True, user_data_dir=tmp_path))
        assert joined(browsers, headless).all() == [browser]
        assert browser.spec.differences(headless) == []
        proxied = LaunchedSpec(LaunchOptions(proxy="http://p", user_data_dir=tmp_path))
        assert browser.spec.differences(proxied) == ["--proxy"]
