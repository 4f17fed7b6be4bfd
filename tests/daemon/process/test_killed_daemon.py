"""What clients notice of a daemon that is killed, or started anew."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import psutil
import pytest

from tabmux.browsers.profiles import holder_process
from tests.chromium import Chromium, chromium
from tests.daemon.process.kills import kill, kill_while_agents_write
from tests.daemon.process.relays import relay, run
from tests.site import Site

COUNTED = "() => {{ fetch('{url}'); return new Promise(() => {{}}) }}"


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with chromium() as browser:
        yield browser


@pytest.fixture
async def home(home: dict[str, str]) -> AsyncIterator[dict[str, str]]:
    """A home whose daemon is stopped afterwards."""
    yield home
    await run(home, "daemon", "stop")


class Calls:
    """An address that counts how often it is asked for."""

    def __init__(self, site: Site) -> None:
        self.count, self.came = 0, asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self.url = site.route(self._answer)

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        self.count += 1
        self._loop.call_soon_threadsafe(self.came.set)
        handler.send_response(204)
        handler.end_headers()


async def test_action_in_flight_ends_with_outcome_unknown_and_is_not_repeated(
    home: dict[str, str], browser: Chromium, site: Site
) -> None:
    calls, url = Calls(site), site.page("<title>Kept</title>")
    async with relay(home, "--browser-url", browser.url) as client, asyncio.timeout(60):
        await client.call("navigate_page", url=url)
        async with asyncio.TaskGroup() as group:
            script = {"function": COUNTED.format(url=calls.url)}
            call = group.create_task(client.call("evaluate_script", **script))
            await calls.came.wait()
            await kill(home)
            text = await call
        assert text.startswith("Error [outcome_unknown]")
        pages = await client.call("list_pages")
        assert f"Kept ({url}) [selected]" in pages
        assert calls.count == 1


async def test_browser_that_only_the_killed_daemon_was_told_of_is_known_to_the_next(
    home: dict[str, str], browser: Chromium, site: Site
) -> None:
    url = site.page("<title>Kept</title>")
    await run(home, "daemon", "start", "--browser-url", browser.url)
    async with relay(home) as client, asyncio.timeout(60):
        await client.call("new_page", url=url)
        for _ in range(2):
            await kill(home)
            assert f"Kept ({url}) [selected]" in await client.call("list_pages")


async def test_call_that_only_reads_is_asked_again(
    home: dict[str, str], browser: Chromium, site: Site
) -> None:
    calls = Calls(site)
    html = "<title>Slow</title><script>window.show = () => document.body.append('Ready now')"
    async with relay(home, "--browser-url", browser.url) as client, asyncio.timeout(60):
        await client.call("navigate_page", url=site.page(f"{html}</script>"))
        show = f"() => {{ setTimeout(() => {{ show(); fetch('{calls.url}') }}, 4000) }}"
        await client.call("evaluate_script", function=show)
        async with asyncio.TaskGroup() as group:
            call = group.create_task(client.call("wait_for", text=["Ready now"], timeout=30_000))
            await kill(home)
            assert "Error" not in await call
        await calls.came.wait()
        assert calls.count == 1


async def test_daemon_that_is_started_anew_goes_unnoticed(
    home: dict[str, str], browser: Chromium, site: Site
) -> None:
    url = site.page("<title>Kept</title><input aria-label=Name>")
    async with relay(home, "--browser-url", browser.url) as client, asyncio.timeout(90):
        await client.call("navigate_page", url=url)
        before = await run(home, "daemon", "status")
        async with asyncio.TaskGroup() as group:
            restarting = group.create_task(run(home, "daemon", "restart"))
            for number in range(1000):
                filled = await client.call("fill", uid='textbox "Name"', value=f"name {number}")
                assert "Error" not in filled
                if restarting.done():
                    break
        after = await run(home, "daemon", "status")
        assert re.findall(r"pid=\d+", before[1]) != re.findall(r"pid=\d+", after[1])
        assert f'value="name {number}"' in await client.call("take_snapshot")


async def test_kept_browser_outlives_the_daemon_and_is_found_again(
    home: dict[str, str], site: Site
) -> None:
    flags = ("--launch", "--headless", "--keep", "--profile", "kept", "--chrome-arg=--no-sandbox")
    async with relay(home, *flags) as client, asyncio.timeout(90):
        await client.call("navigate_page", url=site.page("<title>Kept</title>"))
        await client.call("evaluate_script", function="() => { window.kept = 42 }")
        profile = Path(home["HOME"]) / ".local/share/tabmux/profiles/kept"
        process = holder_process(profile)
        assert process is not None
        try:
            await kill(home)
            asked = await client.call("evaluate_script", function="() => window.kept")
            assert "42" in asked
            assert holder_process(profile) == process
            await client.call("close_browser")
            assert not psutil.pid_exists(process)
        finally:
            if psutil.pid_exists(process):
                os.kill(process, signal.SIGKILL)


async def test_sessions_pages_and_actions_survive_kills_while_agents_write(
    home: dict[str, str], browser: Chromium, site: Site
) -> None:
    """The whole of it, fifty kills and eight agents, is `scripts/kills`."""
    outcome = await kill_while_agents_write(2, 2, 1, home, browser, site)
    assert outcome.kills == 2
    assert not outcome.repeated
    assert not outcome.missing
    assert not outcome.lost_pages
    assert not outcome.failures
