from __future__ import annotations

import asyncio
import json
import threading
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tabmux.analysis.trace.trace import read_trace
from tabmux.browsers.browser import Browser
from tabmux.daemon.app import App
from tabmux.errors import Busy, Misuse
from tabmux.page.page import Page
from tabmux.page.profiling.tracing import QUIET_SECONDS, TraceConfig
from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site, _send

BUSY = """<script>addEventListener('load', () => { const noise = () => {
  const end = performance.now() + 60; while (performance.now() < end); setTimeout(noise, 100);
}; noise(); })</script>"""


async def page_with(agent: Agent, html: str) -> Page:
    await agent("navigate_page", url=agent.site.page(html))
    return next(iter(agent.session.pages.values())).attached_page


async def stopped(page: Page) -> tuple[bool, bytes]:
    pieces: list[bytes] = []
    lossy = await page.tracing.stop(pieces.append)
    return lossy, b"".join(pieces)


async def test_recording_is_a_whole_trace(agent: Agent) -> None:
    page = await page_with(agent, "<h1>Hello</h1>")
    await page.tracing.start(TraceConfig(), manual=True)
    assert page.tracing.recording
    lossy, data = await stopped(page)
    assert not lossy
    assert not page.tracing.recording
    assert json.loads(data)["traceEvents"]


async def test_lost_events_are_noticed(agent: Agent) -> None:
    page = await page_with(agent, BUSY)
    await page.tracing.start(TraceConfig(changes=True, buffer_kilobytes=256), manual=True)
    await page.navigation.reload()
    await page.tracing.quiet(1)
    lossy, _ = await stopped(page)
    assert lossy


async def test_second_start_and_stray_stop_are_refused(agent: Agent) -> None:
    page = await page_with(agent, "<h1>Hello</h1>")
    with pytest.raises(Misuse):
        await stopped(page)
    await page.tracing.start(TraceConfig(), manual=True)
    with pytest.raises(Busy):
        await page.tracing.start(TraceConfig(), manual=True)
    page.tracing.discard()
    assert await page.signal.until(lambda: not page.tracing.recording, 20)
    with pytest.raises(Misuse):
        await stopped(page)


async def test_recording_that_nobody_stops_ends_by_itself_and_can_still_be_read(
    site: Site,
) -> None:
    settings = Settings(launch=True, headless=True, isolated=True)
    timings = {"trace_limit": 0.2}
    async with running(settings, timings=timings) as app, Agent.joined(app, site) as agent:
        page = await page_with(agent, "<h1>Hello</h1>")
        await page.tracing.start(TraceConfig(), manual=True)
        assert await page.signal.until(lambda: not page.tracing.recording, 20)
        _, data = await stopped(page)
        assert json.loads(data)["traceEvents"]


async def test_recording_of_someone_outside_is_told_apart(agent: Agent) -> None:
    page = await page_with(agent, "<h1>Hello</h1>")
    await page.channel.call("Tracing.start", {"transferMode": "ReturnAsStream"})
    with pytest.raises(Busy, match="outside tabmux"):
        await page.tracing.start(TraceConfig(), manual=True)
    with page.channel.expecting("Tracing.tracingComplete") as complete:
        await page.channel.call("Tracing.end")
        await complete


async def renderers(browser: Browser) -> set[int]:
    told = await browser.channel.call("SystemInfo.getProcessInfo")
    return {each["id"] for each in told["processInfo"] if each["type"] == "renderer"}


async def test_process_that_began_during_another_recording_is_recorded(
    app: App, agent: Agent, tmp_path: Path
) -> None:
    first = await page_with(agent, "<h1>First</h1>")
    browser = app.browsers.browser_of(first.handle)
    assert browser is not None
    await first.tracing.start(TraceConfig(changes=False), manual=True)
    known = await renderers(browser)
    await agent("new_page", url=agent.site.page("<h1>Second</h1>"))
    async with asyncio.timeout(20):
        while await renderers(browser) <= known:
            pass
    await stopped(first)
    # This one gets the process that Chrome has made ready.
    await agent("new_page", url=agent.site.page("<h1>Third</h1>"))
    page = agent.session.pages[max(agent.session.pages)].attached_page
    for _ in range(5):
        await page.tracing.start(TraceConfig(changes=True), manual=True)
        await page.navigation.reload()
        _, data = await stopped(page)
        path = tmp_path / "trace.json"
        path.write_bytes(data)
        assert not read_trace(path).main_thread_missing


async def test_page_at_rest_is_noticed_early(agent: Agent) -> None:
    page = await page_with(agent, "<h1>Hello</h1>")
    started = time.monotonic()
    await page.tracing.quiet(30)
    assert 0.9 < time.monotonic() - started < 20


async def test_busy_page_is_given_up_in_time(agent: Agent) -> None:
    page = await page_with(agent, BUSY)
    started = time.monotonic()
    await page.tracing.quiet(2.5)
    assert 2.4 < time.monotonic() - started < 12


async def test_late_request_is_waited_for(agent: Agent) -> None:
    answered = threading.Event()

    def late(handler: BaseHTTPRequestHandler) -> None:
        answered.wait(20)
        _send(handler, b"late")

    url = agent.site.route(late)
    page = await page_with(
        agent, f"<script>addEventListener('load', () => fetch('{url}'))</script>"
    )
    # Later than a page at rest would be noticed.
    asyncio.get_running_loop().call_later(2 * QUIET_SECONDS, answered.set)
    await page.tracing.quiet(30)
    assert answered.is_set()


async def test_busy_first_tab_of_a_new_browser_is_handed_over_at_once(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True)
    async with running(settings) as app, Agent.joined(app, site) as agent:
        page = await page_with(agent, BUSY)
        await page.tracing.start(TraceConfig(), manual=True)
        started = time.monotonic()
        await stopped(page)
        # It used to take a minute.
        assert time.monotonic() - started < 20


def test_categories_are_listed_without_repetition() -> None:
    categories = TraceConfig(changes=True).categories
    assert len(set(categories)) == len(categories)
