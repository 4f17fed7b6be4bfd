"""Faults of browsers: they die, freeze, quit, fail to start, and lose parts of themselves."""

from __future__ import annotations

import asyncio
import json
import shlex
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from websockets.asyncio.client import connect

from tabmux.browsers.executable import find_executable
from tabmux.daemon.app import App
from tabmux.settings import Settings
from tests.agent import Agent
from tests.chromium import Chromium, chromium
from tests.clock import AT_ONCE
from tests.hostile.control_group import control_group
from tests.hostile.tally import WHOLE_SECONDS, whole
from tests.ports import free_port
from tests.serving import running
from tests.site import Site

LAUNCHED = Settings(launch=True, headless=True, isolated=True, cool_down=0)


@pytest.fixture
async def own(anyio_backend: str) -> AsyncIterator[App]:
    """A server with a browser of its own, which a test may harm."""
    async with running(LAUNCHED) as app:
        yield app


def parts(browser: psutil.Process, kind: str) -> list[psutil.Process]:
    return [
        p for p in browser.children(recursive=True) if f"--type={kind}" in " ".join(p.cmdline())
    ]


def browser_process() -> psutil.Process:
    """The browser that this process started last."""
    found = [child for child in psutil.Process().children() if "chrom" in child.name()]
    return max(found, key=lambda process: process.create_time())


@whole
@pytest.mark.parametrize("kind", ["gpu-process", "utility"])
async def test_helper_process_that_is_killed_is_not_noticed(
    own: App, site: Site, kind: str
) -> None:
    async with Agent.joined(own, site) as agent:
        await agent.open("<title>Kept</title><h1>Kept</h1>")
        for process in parts(browser_process(), kind):
            process.send_signal(signal.SIGKILL)
        assert "Kept" in await agent("take_snapshot")
        assert "More" in await agent.open("<h1>More</h1>")


@whole
async def test_browser_without_its_zygote_says_what_is_wrong_or_goes_on(
    own: App, site: Site
) -> None:
    async with Agent.joined(own, site) as agent:
        await agent.open("<title>Kept</title><h1>Kept</h1>")
        for process in parts(browser_process(), "zygote"):
            process.send_signal(signal.SIGKILL)
        async with asyncio.timeout(6 * AT_ONCE):
            reply = await agent.reply("new_page", url=site.page("<h1>New</h1>"), timeout=5000)
            assert reply.code != "internal"
            browser_process().send_signal(signal.SIGKILL)
            while (await agent.reply("navigate_page", url=site.page("<h1>Back</h1>"))).failed:
                await asyncio.sleep(0.2)
        assert "Back" in await agent("take_snapshot")


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_browser_that_runs_out_of_memory_loses_its_page_and_comes_back(
    site: Site, tmp_path: Path
) -> None:
    """The kernel kills the largest process of the group: a renderer, or the browser itself."""
    with control_group("memory", 700 << 20) as group:
        wrapper = tmp_path / "browser"
        wrapper.write_text(f'#!/bin/sh\n{group.entrance}\nexec {find_executable()} "$@"\n')
        wrapper.chmod(0o755)
        settings = Settings(
            launch=True, headless=True, isolated=True, cool_down=0, executable_path=str(wrapper)
        )
        async with running(settings) as app, Agent.joined(app, site) as agent:
            await agent.open("<title>Greedy</title>")
            script = "() => { const all = []; for (;;) all.push(new Uint8Array(1e7).fill(7)) }"
            reply = await agent.reply("evaluate_script", function=script, timeout=60_000)
            assert reply.code in ("page_crashed", "browser_gone", "browser_unreachable"), reply.text
            async with asyncio.timeout(6 * AT_ONCE):
                while (await agent.reply("navigate_page", url=site.page("<h1>Back</h1>"))).failed:
                    await asyncio.sleep(0.2)
            assert "Back" in await agent("take_snapshot")


@whole
async def test_browser_that_its_user_quits_is_started_again_by_the_next_call(
    own: App, site: Site
) -> None:
    async with Agent.joined(own, site) as agent:
        await agent.open("<h1>Before</h1>")
        browser = browser_process()
        browser.terminate()
        await asyncio.to_thread(browser.wait, 20)
        async with asyncio.timeout(6 * AT_ONCE):
            while (await agent.reply("navigate_page", url=site.page("<h1>After</h1>"))).failed:
                await asyncio.sleep(0.2)
        assert "After" in await agent("take_snapshot")


@whole
async def test_browser_that_is_replaced_on_the_disk_keeps_working_and_starts_again(
    site: Site, tmp_path: Path
) -> None:
    wrapper = tmp_path / "browser"
    wrapper.write_text(f'#!/bin/sh\nexec {find_executable()} "$@"\n')
    wrapper.chmod(0o755)
    settings = Settings(
        launch=True, headless=True, isolated=True, cool_down=0, executable_path=str(wrapper)
    )
    async with running(settings) as app, Agent.joined(app, site) as agent:
        await agent.open("<h1>Old</h1>")
        newer = tmp_path / "newer"
        newer.write_text(wrapper.read_text() + "# newer\n")
        newer.chmod(0o755)
        newer.rename(wrapper)
        assert "Old" in await agent("take_snapshot")
        await agent("close_browser")
        assert "New" in await agent.open("<h1>New</h1>")


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_start_command_that_never_opens_its_port_is_given_up(site: Site) -> None:
    """What it started is the user's own, and is left alone."""
    address = f"http://127.0.0.1:{free_port()}|exec sleep 1234567"
    async with running(Settings(browser_url=(address,), cool_down=0)) as app:
        async with Agent.joined(app, site) as agent, asyncio.timeout(12 * AT_ONCE):
            code, _ = await agent.fails("reconnect_browser")
            assert code.startswith("browser")
    left = [
        process
        for process in psutil.process_iter(["cmdline"])
        if process.info["cmdline"] == ["sleep", "1234567"]
    ]
    assert left
    for process in left:
        process.kill()


@whole
async def test_start_command_that_leaves_its_browser_running_is_known_by_its_port(
    site: Site,
) -> None:
    port = free_port()
    async with chromium() as template:
        line = template.command.replace(str(template.port), str(port))
        line = line.replace(str(template.folder), f"{template.folder}-own")
        address = f"http://127.0.0.1:{port}|setsid {line} > /dev/null 2>&1 & exit 0"
        async with running(Settings(browser_url=(address,))) as app:
            async with Agent.joined(app, site) as agent:
                assert "connected" in await agent("reconnect_browser")
                assert "Up" in await agent.open("<h1>Up</h1>")
        started = [p for p in psutil.process_iter(["cmdline"]) if _is_of(p, port)]
        assert started, "a browser that its user's command started is left running"
        for process in started:
            process.kill()


def _is_of(process: psutil.Process, port: int) -> bool:
    return f"--remote-debugging-port={port}" in (process.info["cmdline"] or [])


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_start_command_that_fails_again_and_again_is_tried_with_pauses(
    site: Site, tmp_path: Path
) -> None:
    log = tmp_path / "starts"
    address = f"http://127.0.0.1:{free_port()}|echo x >> {shlex.quote(str(log))}; exit 3"
    async with (
        asyncio.timeout(12 * AT_ONCE),
        running(Settings(browser_url=(address,), cool_down=5)) as app,
        Agent.joined(app, site) as agent,
        Agent.joined(app, site) as other,
        asyncio.TaskGroup() as group,
    ):
        for _ in range(3):
            assert (await agent.fails("list_pages"))[0] == "browser_unreachable"
        assert not log.exists(), "no call starts a browser by the way"
        first = group.create_task(agent.fails("reconnect_browser"))
        while not log.exists():
            await asyncio.sleep(0.05)
        # This attempt takes the place of the first one, whose browser may be coming up.
        for code, _ in (await other.fails("reconnect_browser"), await first):
            assert code == "browser_unreachable"
        assert log.read_text().count("x") == 1
        await agent.fails("reconnect_browser")
        assert log.read_text().count("x") == 2


class Devtools:
    """Another client of the same browser, as a person with DevTools is."""

    def __init__(self, browser: Chromium) -> None:
        self._browser = browser

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        import urllib.request

        def version() -> str:
            with urllib.request.urlopen(f"{self._browser.url}/json/version") as answer:
                found: str = json.load(answer)["webSocketDebuggerUrl"]
                return found

        async with connect(await asyncio.to_thread(version), max_size=None) as socket:
            await socket.send(json.dumps({"id": 1, "method": method, "params": params}))
            while (message := json.loads(await socket.recv())).get("id") != 1:
                pass
            result: dict[str, Any] = message["result"]
            return result


@whole
async def test_second_debugger_and_pages_of_the_browser_itself_disturb_nobody(site: Site) -> None:
    async with chromium() as browser:
        devtools = Devtools(browser)
        for url in ("chrome://version", "chrome://settings", "devtools://devtools/bundled/x.html"):
            await devtools.call("Target.createTarget", url=url)
        async with running(Settings(browser_url=(browser.url,))) as app:
            async with Agent.joined(app, site) as agent:
                await agent.open("<h1>Shared</h1>")
                pages = await agent("list_pages")
                assert "devtools://" not in pages
                targets = (await devtools.call("Target.getTargets"))["targetInfos"]
                ours = next(t for t in targets if t["url"].startswith(site.origin))
                await devtools.call(
                    "Target.attachToTarget", targetId=ours["targetId"], flatten=True
                )
                assert "Shared" in await agent("take_snapshot")


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_five_hundred_tabs_at_connect_are_listed_at_once(site: Site) -> None:
    async with chromium() as browser:
        devtools = Devtools(browser)
        for _ in range(500):
            await devtools.call("Target.createTarget", url="about:blank")
        began = time.monotonic()
        async with running(Settings(browser_url=(browser.url,))) as app:
            async with Agent.joined(app, site) as agent:
                await agent("list_pages")
                assert time.monotonic() - began < 3 * AT_ONCE
                assert "Fine" in await agent.open("<h1>Fine</h1>")


async def test_launched_browser_has_no_port_and_no_open_door(own: App, site: Site) -> None:
    async with Agent.joined(own, site) as agent:
        await agent("list_pages")
        command = " ".join(browser_process().cmdline())
    assert "--remote-debugging-pipe" in command
    assert "--remote-debugging-port" not in command
    assert "--remote-allow-origins" not in command
    assert "--disable-web-security" not in command


@pytest.mark.parametrize(
    "text",
    [
        "http://127.0.0.1:1|touch {canary}", "http://127.0.0.1:1/$(touch {canary})",
        "http://127.0.0.1:1/`touch {canary}`", "x=http://127.0.0.1:1|touch {canary}",
        "http://127.0.0.1:1\n|touch {canary}", "http://127.0.0.1:1/;touch {canary}",
        "9222|touch {canary}", "ws://127.0.0.1:1|touch {canary}",
        "http://127.0.0.1:1 & touch {canary}", "http://127.0.0.1:1/%7Ctouch {canary}", "|touch {canary}",
    ],
)  # fmt: skip
async def test_no_agent_starts_a_command(agent: Agent, tmp_path: Path, text: str) -> None:
    canary = tmp_path / "canary"
    given = text.format(canary=canary)
    for arguments in (
        {"url": given}, {"wsEndpoint": given}, {"profile": given, "launch": False},
        {"url": "http://127.0.0.1:1", "name": given},
    ):  # fmt: skip
        reply = await agent.reply("connect_browser", **arguments)
        assert reply.failed
        assert reply.code != "internal"
    assert not canary.exists()
