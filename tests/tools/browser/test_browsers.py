from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from tabmux.cdp.discovery import find_endpoint
from tabmux.daemon.app import App
from tabmux.settings import Settings
from tests.agent import Agent
from tests.chromium import Chromium, chromium
from tests.clock import AT_ONCE
from tests.ports import free_port
from tests.serving import running
from tests.site import Site

REQUIRED = "browserIndex parameter is required when multiple browsers are connected"
FORBIDDEN = "browserIndex must NOT be specified when only one browser is connected"


@asynccontextmanager
async def joined(site: Site, **settings: Any) -> AsyncIterator[tuple[Agent, App]]:
    async with running(Settings(**settings)) as app, Agent.joined(app, site) as agent:
        yield agent, app


@pytest.fixture(scope="module")
async def two(anyio_backend: str) -> AsyncIterator[tuple[Chromium, Chromium]]:
    async with chromium() as one, chromium() as other:
        yield one, other


async def test_list_of_one_browser_is_word_for_word(
    site: Site, two: tuple[Chromium, Chromium]
) -> None:
    async with joined(site, browser_url=(two[0].url,)) as (agent, _):
        await agent("list_pages")
        text = await agent("list_browsers")
        assert text.startswith(
            "Total browsers: 1\n\n"
            f"[1] {two[0].url} - connected\n\n"
            "Single browser mode: browserIndex parameter must NOT be specified.\n"
        )
        assert "browserIndex" not in (await agent.tools())["click"]["inputSchema"]["properties"]
        _code, text = await agent.fails("list_pages", browserIndex=1)
        assert FORBIDDEN in text


async def test_list_of_two_browsers_is_word_for_word(
    site: Site, two: tuple[Chromium, Chromium]
) -> None:
    async with joined(site, browser_url=tuple(b.url for b in two)) as (agent, _):
        for index in (1, 2):
            await agent("list_pages", browserIndex=index)
        text = await agent("list_browsers")
        assert text.startswith(
            "Total browsers: 2\n\n"
            f"[1] {two[0].url} - connected\n"
            f"[2] {two[1].url} - connected\n\n"
            "Multiple browsers detected. You MUST specify browserIndex parameter in all tool calls "
            "to target a specific browser.\n"
        )


async def test_calls_go_to_the_browser_they_name(
    site: Site, two: tuple[Chromium, Chromium]
) -> None:
    settings = {"browser_url": (f"work={two[0].url}", two[1].url)}
    async with joined(site, **settings) as (agent, _):
        assert REQUIRED in (await agent.fails("navigate_page", url=site.page("x")))[1]
        for index, colour in ((1, "red"), ("2", "blue")):
            url = site.page(f"<title>{colour}</title><body style='background:{colour}'>")
            await agent("navigate_page", browserIndex=index, url=url)
        shots = [
            (await agent.reply("take_screenshot", browserIndex=index)).images[0].data
            for index in ("work", 2)
        ]
        assert shots[0] != shots[1]
        assert "red" in await agent("list_pages", browserIndex="work")
        assert "blue" in await agent("list_pages", browserIndex=2)


async def test_page_of_the_session_already_says_the_browser(
    site: Site, two: tuple[Chromium, Chromium]
) -> None:
    async with joined(site, browser_url=tuple(b.url for b in two)) as (agent, _):
        await agent("new_page", browserIndex=2, url=site.page("<button>Go</button>"))
        page_id = max(agent.session.pages)
        await agent("take_snapshot", pageId=page_id)
        await agent("click", uid=agent.uid("button"))
        code, _text = await agent.fails("take_snapshot", pageId=page_id, browserIndex=1)
        assert code == "wrong_browser"


@pytest.mark.parametrize("key", [3, 0, -1, "nobody"])
async def test_unknown_browser_lists_what_exists(
    site: Site, two: tuple[Chromium, Chromium], key: int | str
) -> None:
    async with joined(site, browser_url=tuple(b.url for b in two)) as (agent, _):
        code, text = await agent.fails("list_pages", browserIndex=key)
        assert code == "no_such_browser"
        assert "[1]" in text
        assert two[1].url in text


async def test_browsers_come_and_go_at_run_time(site: Site, two: tuple[Chromium, Chromium]) -> None:
    async with joined(site, browser_url=(two[0].url,)) as (agent, _):
        changed: list[int] = []
        agent.session.on_tools_changed(lambda: changed.append(1))
        await agent("connect_browser", url=two[1].url, name="second")
        tools = await agent.tools()
        assert all("browserIndex" in tool["inputSchema"]["properties"] for tool in tools.values())
        await agent("new_page", browserIndex="second", url="about:blank")
        assert "[1]" in await agent("disconnect_browser", browserIndex="second")
        assert "browserIndex" not in (await agent.tools())["click"]["inputSchema"]["properties"]
        assert len(changed) == 2
        assert two[1].process.returncode is None


async def test_browser_that_cannot_be_reached_is_not_kept(site: Site, agent: Agent) -> None:
    code, _ = await agent.fails("connect_browser", url="http://127.0.0.1:1")
    assert code == "browser_unreachable"
    assert "Total browsers: 1" in await agent("list_browsers")


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"url": "http://x", "launch": True},
        {"url": "http://127.0.0.1:9|touch /tmp/x"},
        {"url": "nonsense"},
        {"profile": "../../etc"},
    ],
)
async def test_connect_browser_refuses_nonsense(agent: Agent, arguments: dict[str, Any]) -> None:
    code, _ = await agent.fails("connect_browser", **arguments)
    assert code in ("bad_arguments", "bad_request")


async def test_launched_browser_is_closed_and_started_again(site: Site) -> None:
    async with joined(site, launch=True, headless=True, isolated=True) as (agent, _):
        await agent("new_page", url=site.page("<title>One</title>"))
        text = await agent("close_browser")
        assert "disconnected" in text
        text = await agent("new_page", url=site.page("<title>Two</title>"))
        assert "Note: browser [1] was reconnected; its page ids are new." in text
        assert "One" not in text


async def test_users_browser_is_not_closed(site: Site, two: tuple[Chromium, Chromium]) -> None:
    async with joined(site, browser_url=(two[0].url,)) as (agent, _):
        assert (await agent.fails("close_browser"))[0] == "bad_request"
    assert two[0].process.returncode is None


async def test_tag_answers_for_every_browser_that_carries_it(
    site: Site, two: tuple[Chromium, Chromium]
) -> None:
    tables = tuple(
        {"url": browser.url, "name": name, "tags": ["shop"]}
        for name, browser in zip(("left", "right"), two, strict=True)
    )
    async with joined(site, browser=tables) as (agent, _):
        for name in ("left", "right"):
            await agent("new_page", browserIndex=name, url=site.page(f"<title>{name}</title>"))
        text = await agent("list_pages", browserIndex="shop")
        assert text.index("[1] left") < text.index("[2] right")
        reply = await agent.reply("take_screenshot", browserIndex="shop")
        assert len(reply.images) == 2
        text = await agent(
            "navigate_page", browserIndex="shop", url=site.page("<title>Both</title>")
        )
        assert text.count("Successfully navigated") == 2
        text = await agent("evaluate_script", browserIndex="shop", function="() => document.title")
        assert text.count('"Both"') == 2
        code, text = await agent.fails(
            "take_screenshot", browserIndex="shop", filePath="/tmp/one.png"
        )
        assert code == "bad_arguments"
        assert "one file" in text


async def test_data_of_several_browsers_says_which_is_whose(
    site: Site, two: tuple[Chromium, Chromium]
) -> None:
    tables = tuple(
        {"url": browser.url, "name": name, "tags": ["shop"]}
        for name, browser in zip(("left", "right"), two, strict=True)
    )
    async with joined(site, browser=tables, structured=True) as (agent, _):
        url = site.page("<title>Both</title>")
        data = await agent.data("navigate_page", browserIndex="shop", url=url)
        assert data == {"browsers": [{"browser": n, "navigatedTo": url} for n in (1, 2)]}


async def test_default_browser_is_meant_by_calls_that_name_none(
    site: Site, two: tuple[Chromium, Chromium]
) -> None:
    async with joined(site, browser_url=(two[0].url, two[1].url)) as (agent, _):
        assert "select_default_browser" in [spec.name for spec in agent.session.tools()]
        code, _ = await agent.fails("list_pages")
        assert code == "bad_request"
        text = await agent("select_default_browser", browserIndex=2)
        assert "[2] default" in text
        await agent("new_page", url=site.page("<title>Default</title>"))
        assert "Default" in await agent("list_pages", browserIndex=2)
        assert "Default" not in await agent("list_pages", browserIndex=1)


async def test_killed_browser_is_noticed_healed_and_disturbs_no_other(site: Site) -> None:
    async with AsyncExitStack() as stack:
        doomed = await stack.enter_async_context(chromium(free_port()))
        other = await stack.enter_async_context(chromium())
        urls = (f"{doomed.url}|{doomed.command}", other.url)
        agent, app = await stack.enter_async_context(joined(site, browser_url=urls))
        for index in (1, 2):
            await agent("new_page", browserIndex=index, url=site.page(f"<title>{index}</title>"))
        await doomed.kill()
        started = time.monotonic()
        code, text = await agent.fails("list_pages", browserIndex=1)
        assert time.monotonic() - started < AT_ONCE
        assert code in ("browser_unreachable", "browser_gone")
        code, text = await agent.fails("list_pages", browserIndex=1)
        assert "reconnect_browser" in text
        text = await agent("list_browsers")
        assert f"[1] {doomed.url} - disconnected" in text
        assert "last error" in text
        assert "2 (http" in await agent("list_pages", browserIndex=2)
        text = await agent("reconnect_browser", browserIndex=1)
        try:
            assert f"[1] {doomed.url} - connected" in text
            text = await agent("new_page", browserIndex=1, url=site.page("<title>Back</title>"))
            assert "was reconnected" in text
        finally:
            await app.browsers.all()[0].channel.call("Browser.close")


async def test_stopped_browser_is_noticed_by_the_heartbeat(site: Site) -> None:
    async with chromium() as browser:
        settings = Settings(browser_url=(browser.url,), heartbeat=1)
        async with (
            running(settings, timings={"heartbeat_deadline": 0.5}) as app,
            Agent.joined(app, site) as agent,
        ):
            await agent("list_pages")
            os.kill(browser.process.pid, signal.SIGSTOP)
            try:
                started = time.monotonic()
                reply = await agent.reply("list_pages")
                assert reply.code in ("browser_gone", "browser_unreachable")
                assert time.monotonic() - started < AT_ONCE
            finally:
                os.kill(browser.process.pid, signal.SIGCONT)


async def test_many_calls_to_a_pending_browser_make_one_attempt(
    site: Site, two: tuple[Chromium, Chromium], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "tabmux.browsers.registry.Browsers.connect_all_in_background", lambda _: None
    )
    attempts: list[str] = []

    async def counted(address: str, headers: Any) -> str:
        attempts.append(address)
        return await find_endpoint(address, headers)

    monkeypatch.setattr("tabmux.browsers.addressed.find_endpoint", counted)
    async with joined(site, browser_url=(two[0].url,)) as (agent, _):
        await asyncio.gather(*(agent("list_pages") for _ in range(20)))
    assert len(attempts) == 1


async def test_hundred_unreachable_browsers_delay_nothing(
    site: Site, two: tuple[Chromium, Chromium], monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = asyncio.Event()

    async def slow(address: str, headers: Any) -> str:
        if address != two[0].url:
            await answered.wait()
        return await find_endpoint(address, headers)

    monkeypatch.setattr("tabmux.browsers.addressed.find_endpoint", slow)
    nobody = tuple(f"http://127.0.0.1:{port}" for port in range(2, 102))
    settings = Settings(browser_url=(two[0].url, *nobody))
    async with running(settings) as app, Agent.joined(app, site) as agent:
        await agent("list_pages", browserIndex=1)
        answered.set()
        code, _ = await agent.fails("list_pages", browserIndex=50)
        assert code == "browser_unreachable"


@pytest.mark.timeout(180)
async def test_ten_browsers_each_show_their_own_page(site: Site) -> None:
    async with AsyncExitStack() as stack:
        browsers = await asyncio.gather(*(stack.enter_async_context(chromium()) for _ in range(10)))
        agent, _ = await stack.enter_async_context(
            joined(site, browser_url=tuple(b.url for b in browsers))
        )
        pages = [site.page(f"<title>Page of {n}</title><h1>{n}</h1>") for n in range(1, 11)]
        await asyncio.gather(
            *(
                agent("navigate_page", browserIndex=index, url=url)
                for index, url in enumerate(pages, 1)
            )
        )
        for index in range(1, 11):
            text = await agent("list_pages", browserIndex=index)
            assert f"Page of {index} (" in text
        assert (await agent("list_browsers")).count("- connected") == 10
