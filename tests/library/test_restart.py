"""The daemon ends while programs use it: they go on with the one that takes over."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator

import pytest

import tabmux
import tabmux.sync
from tabmux import daemon_connection, exceptions
from tests.chromium import Chromium, chromium
from tests.homes import home_in
from tests.site import Site

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    """A browser that outlives daemons."""
    async with chromium() as found:
        yield found


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix="tm-", dir="/tmp")
    monkeypatch.setenv("HOME", folder)
    monkeypatch.delenv("TABMUX_SESSION", raising=False)
    yield folder
    stop = [sys.executable, "-m", "tabmux", "daemon", "stop"]
    subprocess.run(stop, env=home_in(folder), check=False, timeout=40, capture_output=True)
    shutil.rmtree(folder, ignore_errors=True)


def kill_daemon() -> None:
    words = daemon_connection.ask("status")[0].split()
    (pid,) = [word.removeprefix("pid=") for word in words if word.startswith("pid=")]
    os.kill(int(pid), signal.SIGKILL)
    # Until its end nobody is told that the connection is no more.
    end = time.monotonic() + 20
    while connection := daemon_connection.connect():
        connection.close()
        assert time.monotonic() < end


async def test_next_call_joins_the_session_in_the_next_daemon(
    browser: Chromium, site: Site
) -> None:
    async with tabmux.session(browser=browser.url) as tab:
        await tab.goto(site.page("<title>Kept</title>"))
        handle = tab.handle
        kill_daemon()
        # Whether the end is noticed before the call or during it is for the system to say.
        try:
            title = await tab.evaluate("() => document.title")
        except exceptions.OutcomeUnknown:
            title = await tab.evaluate("() => document.title")
        assert (title, tab.handle) == ("Kept", handle)


def test_blocking_twin_goes_on_too(browser: Chromium, site: Site) -> None:
    with tabmux.sync.session(browser=browser.url) as tab:
        tab.goto(site.page("<title>Kept</title>"))
        kill_daemon()
        assert tab.evaluate("() => document.title") == "Kept"
        address = tab.cdp_url
        kill_daemon()
        assert tab.evaluate("() => 1") == 1
        assert tab.cdp_url != address


def test_daemon_that_was_stopped_is_not_started_again(browser: Chromium, site: Site) -> None:
    with tabmux.sync.session(browser=browser.url) as tab:
        tab.goto(site.page("<title>Gone</title>"))
        subprocess.run([sys.executable, "-m", "tabmux", "daemon", "stop"], check=True, timeout=40)
        with pytest.raises(exceptions.DaemonTrouble, match="was stopped"):
            tab.evaluate("() => 1")
