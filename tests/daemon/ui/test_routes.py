from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from tabmux.daemon.app import App
from tabmux.daemon.ui import past_runs
from tabmux.daemon.ui.passes import Role


@contextmanager
def browser(link: str) -> Iterator[httpx2.Client]:
    """A client that keeps cookies, at the address of a link."""
    parts = urlsplit(link)
    with httpx2.Client(base_url=f"{parts.scheme}://{parts.netloc}") as client:
        yield client


async def get(client: httpx2.Client, path: str, **headers: str) -> httpx2.Response:
    return await asyncio.to_thread(client.get, path, headers=headers)


async def entered(app: App, client: httpx2.Client, role: Role = "steer") -> str:
    link = await app.ui_server.link(role, 60)
    answer = await get(client, link)
    assert answer.status_code == 200
    return answer.headers["set-cookie"]


async def test_a_link_is_exchanged_for_a_cookie_of_this_host_alone(app: App) -> None:
    link = await app.ui_server.link("steer", 60)
    with browser(link) as client:
        assert (await get(client, "/ui/")).status_code == 401
        cookie = await entered(app, client)
        assert re.match(r"tabmux-ui-\d+=", cookie)
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert "Path=/ui" in cookie
        assert "Domain" not in cookie
        assert (await get(client, "/ui/")).status_code == 200
        assert (await get(client, link)).status_code == 200
    with browser(link) as stranger:
        assert (await get(stranger, link)).status_code == 401


async def test_the_page_may_run_nothing_but_its_own_files(app: App) -> None:
    with browser(await app.ui_server.link("steer", 60)) as client:
        await entered(app, client)
        answer = await get(client, "/ui/")
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert not re.search(r"<script(?![^>]* src=)|\son\w+=|style=", answer.text)
        for file in re.findall(r"/ui/static/[\w./-]+", answer.text):
            assert (await get(client, file)).status_code == 200


@pytest.mark.parametrize("path", ["../routes.py", "%2e%2e/routes.py", "vendor/../../routes.py", ""])
async def test_there_are_no_other_files(app: App, path: str) -> None:
    with browser(await app.ui_server.link("steer", 60)) as client:
        answer = await get(client, f"/ui/static/{path}")
        assert answer.status_code == 404


async def test_other_hosts_and_origins_get_nothing(app: App) -> None:
    with browser(await app.ui_server.link("steer", 60)) as client:
        await entered(app, client)
        assert (await get(client, "/ui/", host="evil.example")).status_code == 421
        assert (await get(client, "/ui/", origin="http://evil.example")).status_code == 403
        cross = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
        assert (await get(client, "/ui/", **cross)).status_code == 403
        link = await app.ui_server.link("view", 60)
        assert (await get(client, link, **cross)).status_code == 200


async def test_nothing_but_the_live_view_is_served(app: App) -> None:
    with browser(await app.ui_server.link("steer", 60)) as client:
        await entered(app, client)
        for path in ("/", "/mcp", "/health/", "/metrics", "/uix"):
            assert (await get(client, path)).status_code in (401, 404)


async def test_the_socket_wants_a_cookie_and_its_own_page(app: App) -> None:
    with browser(await app.ui_server.link("steer", 60)) as client:
        cookie = (await entered(app, client)).partition(";")[0]
        host = client.base_url.netloc.decode()
    address = f"ws://{host}/ui/socket"
    own = f"http://{host}"
    refused = [
        ({}, own),
        ({"cookie": cookie}, None),
        ({"cookie": cookie}, "http://evil.example"),
        ({"cookie": cookie}, f"http://localhost:{host.rpartition(':')[2]}"),
        ({"cookie": f"{cookie}x"}, own),
    ]
    for headers, origin in refused:
        with pytest.raises(InvalidStatus):
            async with connect(
                address,
                additional_headers=headers,
                origin=Origin(origin) if origin else None,
                proxy=None,
            ):
                pass
    async with connect(
        address, additional_headers={"cookie": cookie}, origin=Origin(own), proxy=None
    ) as socket:
        assert '"role":"steer"' in str(await socket.recv())


async def test_what_is_no_message_ends_the_socket(app: App) -> None:
    with browser(await app.ui_server.link("steer", 60)) as client:
        cookie = (await entered(app, client)).partition(";")[0]
        host = client.base_url.netloc.decode()
    headers, own = {"cookie": cookie}, f"http://{host}"
    async with connect(
        f"ws://{host}/ui/socket", additional_headers=headers, origin=Origin(own), proxy=None
    ) as socket:
        await socket.send('{"type":"watch","page":"x"}')
        await socket.send('{"type":"__init__"}')
        await socket.send("[1]")
        await socket.send("{")
        async with asyncio.timeout(10):
            async for _ in socket:
                pass
        assert socket.close_code is not None


async def test_a_flood_of_questions_leaves_threads_to_others(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once, most = 0, 0
    lock = threading.Lock()

    def slow(*_: Any) -> list[Any]:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        released.wait(20)
        with lock:
            at_once -= 1
        return []

    released = threading.Event()
    monkeypatch.setattr(past_runs, "runs", slow)
    with browser(await app.ui_server.link("view", 60)) as client:
        cookie = (await entered(app, client)).partition(";")[0]
        host = client.base_url.netloc.decode()
    headers, own = {"cookie": cookie}, f"http://{host}"
    async with connect(
        f"ws://{host}/ui/socket", additional_headers=headers, origin=Origin(own), proxy=None
    ) as socket:
        for _ in range(200):
            await socket.send('{"type":"runs"}')
        async with asyncio.timeout(10):
            assert await asyncio.to_thread(lambda: "served") == "served"
        released.set()
        async with asyncio.timeout(20):
            while '"type":"runs"' not in str(await socket.recv()):
                pass
    assert most == 1
