"""Whatever goes wrong with one browser is that browser's trouble alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from tabmux.browsers import registry
from tabmux.browsers.addressed import UrlSpec
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_connection import Attachment
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.registry import Browsers
from tabmux.cdp.transports import Transport
from tabmux.errors import TabmuxError
from tabmux.timings import Timings
from tests.cdp.peer import FakeBrowser
from tests.clock import AT_ONCE
from tests.site import Site, _send

NESTED = b"[" * 200_000


@dataclass(frozen=True)
class DefectSpec(BrowserSpec):
    at: str = ""

    @property
    def label(self) -> str:
        return f"defect at {self.at or 'nothing'}"

    @property
    def identity(self) -> str:
        return self.at


class DefectBrowser(Browser):
    """One whose own code fails in a way that nobody thought of."""

    spec: DefectSpec

    @asynccontextmanager
    async def open_transport(
        self, stop: asyncio.Event, *, run_start_command: bool
    ) -> AsyncIterator[Transport]:
        self._fail_at("start")
        self.peer = FakeBrowser(
            {"Target.setDiscoverTargets": lambda _: {}, "Browser.getVersion": lambda _: {}}
        )
        yield self.peer
        self._fail_at("end")

    def retry_delays(self) -> tuple[float, ...]:
        self._fail_at("retry")
        return ()

    def _fail_at(self, place: str) -> None:
        if self.spec.at == place:
            raise RecursionError("unexpected")


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: dict[type[BrowserSpec], type[Browser]] = {DefectSpec: DefectBrowser}
    monkeypatch.setattr(registry, "KINDS", {**registry.KINDS, **kinds})


async def reached(browser: Browser, state: BrowserState) -> None:
    async with asyncio.timeout(AT_ONCE):
        while browser.state is not state:
            await asyncio.sleep(0)


async def test_defect_while_connecting_is_that_browsers_own() -> None:
    async with Browsers() as browsers:
        healthy = await browsers.connect(browsers.register(DefectSpec()))
        faulty = browsers.register(DefectSpec(at="start"))
        with pytest.raises(TabmuxError, match="failed with the browser defect at start"):
            await browsers.connect(faulty)
        assert faulty.state is BrowserState.DISCONNECTED
        assert healthy.state is BrowserState.CONNECTED
        await healthy.channel.call("Browser.getVersion")


@pytest.mark.parametrize("place", ["end", "retry"])
async def test_defect_after_a_loss_is_that_browsers_own(place: str) -> None:
    async with Browsers() as browsers:
        healthy = await browsers.connect(browsers.register(DefectSpec()))
        faulty = await browsers.connect(browsers.register(DefectSpec(at=place)))
        assert isinstance(faulty, DefectBrowser)
        faulty.peer.hang_up()
        await reached(faulty, BrowserState.DISCONNECTED)
        await faulty.ended()
        assert healthy.state is BrowserState.CONNECTED
        assert (await browsers.connect(faulty, force=True)).state is BrowserState.CONNECTED


async def test_lost_browser_is_connected_again_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DefectBrowser, "retry_delays", lambda _: (0.0,))
    async with Browsers() as browsers:
        browser = await browsers.connect(browsers.register(DefectSpec()))
        assert isinstance(browser, DefectBrowser)
        browser.peer.hang_up()
        await reached(browser, BrowserState.DISCONNECTED)
        await reached(browser, BrowserState.CONNECTED)
        assert browser.history.connections == 2


async def test_defect_while_connected_counts_as_a_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    async def defect(*_: object) -> None:
        raise RecursionError("unexpected")

    async with Browsers(Timings(heartbeat=0)) as browsers:
        monkeypatch.setattr(Attachment, "_send_heartbeats", defect)
        faulty = browsers.register(DefectSpec())
        await browsers.connect(faulty)
        await reached(faulty, BrowserState.DISCONNECTED)
        assert "failed with the browser" in faulty.history.last_error


async def test_listener_that_fails_keeps_no_browser_from_connecting() -> None:
    def defect() -> None:
        raise RecursionError("unexpected")

    async with Browsers() as browsers:
        browser = browsers.register(DefectSpec())
        browser.on_change(defect)
        assert (await browsers.connect(browser)).state is BrowserState.CONNECTED


async def test_address_that_answers_endless_brackets_harms_nobody_else() -> None:
    with Site() as site:
        site._routes["/json/version"] = lambda handler: _send(handler, NESTED)
        async with Browsers() as browsers:
            healthy = await browsers.connect(browsers.register(DefectSpec()))
            with pytest.raises(TabmuxError):
                await browsers.connect(browsers.register(UrlSpec(site.origin)))
            assert healthy.state is BrowserState.CONNECTED
