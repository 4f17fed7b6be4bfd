from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import Iterator

import pytest

from tabmux.browsers.addressed import UrlSpec
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.registry import Browsers
from tabmux.errors import BrowserTrouble
from tests.clock import AT_ONCE
from tests.ports import free_port


@pytest.fixture
def silent() -> Iterator[UrlSpec]:
    """An address that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield UrlSpec(f"http://127.0.0.1:{server.getsockname()[1]}")


async def connecting(browser: Browser) -> None:
    async with asyncio.timeout(AT_ONCE):
        while browser.state is not BrowserState.CONNECTING:
            await asyncio.sleep(0)


async def test_end_does_not_wait_for_an_address_that_is_silent(silent: UrlSpec) -> None:
    async with Browsers() as browsers:
        browser = browsers.register(silent)
        browsers.connect_all_in_background()
        await connecting(browser)
        began = time.monotonic()
    # The attempts alone would take longer.
    assert time.monotonic() - began < AT_ONCE
    assert browser.state is BrowserState.DISCONNECTED


async def test_removed_browser_ends_the_wait_of_whoever_asked_for_it(silent: UrlSpec) -> None:
    async with Browsers() as browsers, asyncio.TaskGroup() as group:
        browser = browsers.register(silent)
        asking = group.create_task(failure(browsers, browser))
        await connecting(browser)
        browsers.remove(browser)
        assert "called off" in await asking
        assert not browsers.all()


async def test_next_attempt_is_said_to_be_a_calls_unless_tabmux_makes_one_itself() -> None:
    async with Browsers() as browsers:
        browser = browsers.register(UrlSpec(f"http://127.0.0.1:{free_port()}"))
        await failure(browsers, browser)
        assert re.fullmatch(r"with the first call after (59|60) s", browser.next_attempt())
        with pytest.raises(BrowserTrouble) as caught:
            await browsers.connect(browser)
        assert "with the first call after" in caught.value.hint
        browser.plan_retry(30)
        assert browser.next_attempt() == "in 30 s"


async def failure(browsers: Browsers, browser: Browser) -> str:
    with pytest.raises(BrowserTrouble) as caught:
        await browsers.connect(browser)
    return caught.value.message
