"""Daemons of a cluster as processes: one is killed, or stopped for a while."""

from __future__ import annotations

import asyncio
import re
import signal
import threading
from collections import Counter
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tabmux.cluster import keys
from tabmux.cluster.redis_link import RedisLink
from tests.browsers.grid.fake_grid import FakeGrid, served
from tests.chromium import Chromium, chromium
from tests.cluster.balancer import balancer
from tests.cluster.daemons import Persistent, daemon
from tests.cluster.redis_server import needs_redis, redis_server
from tests.cluster.takeover import kill_one_of_two
from tests.mcp.raw_clients import Http, http, request, stateless
from tests.ports import free_port
from tests.site import Site

pytestmark = [needs_redis, pytest.mark.timeout(180)]

TAB: dict[str, Any] = {"function": "() => tab"}
FORM = """<title>Form</title><script>window.marker = crypto.randomUUID()</script>"""
NEVER = "() => {{ fetch('{url}'); return new Promise(() => {{}}) }}"


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with chromium() as browser:
        yield browser


async def test_no_session_is_lost_and_no_action_repeated_when_a_daemon_is_killed(
    tmp_path: Path,
) -> None:
    outcome = await kill_one_of_two(12, 120, tmp_path)
    assert outcome.sessions == 12
    assert (outcome.repeated, outcome.missing, outcome.lost) == ([], [], [])
    assert outcome.failures == []
    assert outcome.pause < 5.0


@pytest.mark.parametrize("era", ["handshake", "stateless"])
async def test_action_in_flight_on_the_killed_daemon_is_not_sent_again(
    tmp_path: Path, browser: Chromium, site: Site, era: str
) -> None:
    came, counted = asyncio.Event(), Counter[str]()
    loop = asyncio.get_running_loop()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        counted[handler.path] += 1
        loop.call_soon_threadsafe(came.set)
        handler.send_response(204)
        handler.end_headers()

    script = {"function": NEVER.format(url=site.route(answer))}
    marker = {"function": "() => window.marker"}

    async def send(client: Http, ident: int, tool: str, given: dict[str, str]) -> httpx2.Response:
        if era == "handshake":
            message = request(ident, "tools/call", name=tool, arguments=given)
            return await client.post(message, **client.headers)
        return await client.post_stateless(
            stateless(ident, "tools/call", name=tool, arguments=given)
        )

    killed, other = free_port(), free_port()
    async with redis_server() as redis, balancer(killed, other) as balancing:
        flags = ("--browser-url", browser.url, "--no-fence", "--allow-host", balancing.host)
        async with (
            daemon(tmp_path, redis.url, *flags, port=killed) as (_, process),
            daemon(tmp_path, redis.url, *flags, port=other),
            http(f"http://127.0.0.1:{killed}") as client,
            httpx2.AsyncClient(
                transport=Persistent(), base_url=f"http://{balancing.host}", timeout=30
            ) as asking,
        ):
            await client.initialize()
            page = {"url": site.page(FORM)}
            opened = await send(client, 7, "new_page", page)
            handle = re.findall(r"session=([\w.-]+)", opened.text)
            own = {"session": handle[0]} if handle and era == "stateless" else {}
            before = (await send(client, 8, "evaluate_script", {**marker, **own})).text
            again = Http(asking)
            again.session = client.session
            call = asyncio.gather(send(again, 9, "evaluate_script", {**script, **own}))
            await came.wait()
            process.kill()
            async with asyncio.timeout(15):
                (answered,) = await call
            assert "outcome_unknown" in answered.text
            after = (await send(again, 10, "evaluate_script", {**marker, **own})).text
            assert re.findall(r"[0-9a-f-]{36}", after) == re.findall(r"[0-9a-f-]{36}", before)
            assert list(counted.values()) == [1]


async def test_daemon_that_is_told_to_end_answers_first_and_is_followed_at_once(
    tmp_path: Path, browser: Chromium, site: Site
) -> None:
    came, may_answer = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        loop.call_soon_threadsafe(came.set)
        may_answer.wait(30)
        handler.send_response(204)
        handler.end_headers()

    script = f"() => fetch('{site.route(answer)}').then(answer => 'got ' + answer.status)"
    flags = ("--browser-url", browser.url, "--no-fence")
    async with (
        redis_server() as redis,
        daemon(tmp_path, redis.url, *flags) as (ending, process),
        daemon(tmp_path, redis.url, *flags) as (other, _),
        http(f"http://127.0.0.1:{ending}") as client,
        http(f"http://127.0.0.1:{other}") as again,
        RedisLink(redis.url) as link,
        asyncio.TaskGroup() as group,
    ):
        await client.initialize()
        url = site.page(FORM)
        await client.call("new_page", url=url)
        call = group.create_task(client.call("evaluate_script", function=script))
        await came.wait()
        process.terminate()
        await refused(ending)
        may_answer.set()
        assert "got 204" in str(await call)
        await process.wait()
        leases = await link.ask("KEYS", keys.lease("*"))
        assert len(leases) == 1
        again.session = client.session
        assert url in str(await again.call("list_pages"))


async def refused(port: int) -> None:
    """Wait until nobody listens on a port."""
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionError:
            return
        writer.close()
        await asyncio.sleep(0.02)


async def test_daemon_that_was_stopped_for_long_does_nothing_for_its_old_sessions(
    tmp_path: Path,
) -> None:
    async with served(FakeGrid(4, 4)) as grid, redis_server() as redis:
        flags = ("--grid", grid.url, "--no-fence")
        async with (
            daemon(tmp_path, redis.url, *flags) as (stopped, process),
            daemon(tmp_path, redis.url, *flags) as (other, _),
            http(f"http://127.0.0.1:{stopped}") as client,
            httpx2.AsyncClient(
                transport=Persistent(), base_url=f"http://127.0.0.1:{other}", timeout=30
            ) as asking,
        ):
            await client.initialize()
            tab = await client.call("evaluate_script", **TAB)
            # Who asks again counts its requests anew; by now the first ones are known as answered.
            await client.call("evaluate_script", **TAB)
            process.send_signal(signal.SIGSTOP)
            late = asyncio.gather(
                client.post(
                    request(
                        77,
                        "tools/call",
                        name="evaluate_script",
                        arguments={"function": "() => 'late'"},
                    ),
                    **client.headers,
                ),
                return_exceptions=True,
            )
            again = Http(asking)
            again.session = client.session
            async with asyncio.timeout(15):
                found = await again.call("evaluate_script", **TAB)
            assert found["result"]["content"] == tab["result"]["content"]
            process.send_signal(signal.SIGCONT)
            async with asyncio.timeout(30):
                await late
            assert not [script for script in grid.scripts if "'late'" in script]
            # It begins anew, and passes the session's requests on.
            async with httpx2.AsyncClient(
                transport=Persistent(), base_url=f"http://127.0.0.1:{stopped}", timeout=30
            ) as anew:
                back = Http(anew)
                back.session = client.session
                answer: dict[str, Any] = {}
                async with asyncio.timeout(30):
                    while answer.get("result", {}).get("content") != tab["result"]["content"]:
                        answer = await back.ask("tools/call", name="evaluate_script", arguments=TAB)
