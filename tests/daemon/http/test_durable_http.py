"""What HTTP clients notice of a server that is killed and started again on its port."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from http.server import BaseHTTPRequestHandler
from typing import Any, Literal

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.chromium import Chromium, chromium
from tests.daemon.server import process
from tests.mcp.raw_clients import SECONDS, Http, http, request, stateless
from tests.ports import free_port
from tests.site import Site

NEVER = "() => {{ fetch('{url}'); return new Promise(() => {{}}) }}"


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with chromium() as browser:
        yield browser


@asynccontextmanager
async def serving(
    home: dict[str, str], port: int, browser: Chromium
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the server until it is killed, or the block ends."""
    flags = ("--no-auth", "--no-fence", "--port", str(port), "--browser-url", browser.url)
    async with process(home, *flags) as server, asyncio.timeout(SECONDS * 4):
        assert server.stdout is not None
        assert b"is ready" in await server.stdout.readline()
        yield server


async def killed(server: asyncio.subprocess.Process) -> None:
    server.kill()
    await server.wait()


async def broken_off(call: Awaitable[httpx2.Response]) -> None:
    """Make a call whose server ends."""
    with suppress(httpx2.HTTPError):
        await call


def said(result: Any) -> str:
    return "\n".join(item.text for item in result.content)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_official_client_goes_on_with_its_session(
    home: dict[str, str], browser: Chromium, site: Site, mode: Literal["legacy", "auto"]
) -> None:
    port, url = free_port(), site.page("<title>Kept</title>")
    async with serving(home, port, browser) as server:
        target = streamable_http_client(f"http://127.0.0.1:{port}/mcp")
        async with Client(target, mode=mode) as client:
            first = said(await client.call_tool("new_page", {"url": url}))
            handle = re.findall(r"session=(\S+)", first)
            own = {"session": handle[0]} if handle else {}
            script = {"function": "() => { window.kept = 42 }", **own}
            await client.call_tool("evaluate_script", script)
            await killed(server)
            async with serving(home, port, browser):
                script = {"function": "() => window.kept", **own}
                assert "42" in said(await client.call_tool("evaluate_script", script))
                pages = said(await client.call_tool("list_pages", own))
                assert f"Kept ({url}) [selected]" in pages


async def test_stopped_server_leaves_its_sessions_to_the_next(
    home: dict[str, str], browser: Chromium, site: Site
) -> None:
    port, url = free_port(), site.page("<title>Kept</title>")
    async with serving(home, port, browser), http(f"http://127.0.0.1:{port}") as client:
        await client.initialize()
        await client.call("new_page", url=url)
    async with serving(home, port, browser), http(f"http://127.0.0.1:{port}") as again:
        again.session = client.session
        assert f"Kept ({url}) [selected]" in str(await again.call("list_pages"))
        ended = await again.client.delete("/mcp", headers=again.headers)
        assert ended.status_code == 204
    async with serving(home, port, browser), http(f"http://127.0.0.1:{port}") as again:
        again.session = client.session
        gone = await again.post(request(1, "tools/list"), **again.headers)
        assert gone.status_code == 404


@pytest.mark.parametrize("era", ["handshake", "stateless"])
async def test_action_in_flight_is_not_repeated_for_a_client_that_asks_again(
    home: dict[str, str], browser: Chromium, site: Site, era: str
) -> None:
    port, came, count = free_port(), asyncio.Event(), [0]
    loop = asyncio.get_running_loop()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        count[0] += 1
        loop.call_soon_threadsafe(came.set)
        handler.send_response(204)
        handler.end_headers()

    script = {"function": NEVER.format(url=site.route(answer))}
    page = {"url": site.page("<title>Kept</title>")}

    async def send(client: Http, ident: int, tool: str, given: dict[str, str]) -> httpx2.Response:
        if era == "handshake":
            message = request(ident, "tools/call", name=tool, arguments=given)
            return await client.post(message, **client.headers)
        message = stateless(ident, "tools/call", name=tool, arguments=given)
        return await client.post_stateless(message)

    async with serving(home, port, browser) as server, http(f"http://127.0.0.1:{port}") as client:
        await client.initialize()
        opened = await send(client, 7, "new_page", page)
        handle = re.findall(r"session=([\w-]+)", opened.text)
        own = {"session": handle[0]} if handle else {}
        async with asyncio.TaskGroup() as group:
            group.create_task(broken_off(send(client, 8, "evaluate_script", {**script, **own})))
            await came.wait()
            await killed(server)
        async with serving(home, port, browser), http(f"http://127.0.0.1:{port}") as again:
            again.session = client.session
            retried = await send(again, 8, "evaluate_script", {**script, **own})
            assert "outcome_unknown" in retried.text
            assert count == [1]
            assert "Kept" in (await send(again, 9, "list_pages", own)).text
