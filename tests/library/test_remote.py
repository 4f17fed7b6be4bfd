"""The library with a server on HTTP, as on another machine."""

from __future__ import annotations

import asyncio

import pytest

import tabmux
from tabmux import exceptions
from tabmux.daemon.app import App
from tabmux.daemon.http.http_server import build_http, listen, serve_http
from tabmux.library.wire import websocket_url
from tests.site import Site

TOKEN = "t0ken"


@pytest.mark.parametrize(
    ("url", "session", "expected"),
    [
        ("http://a:1/mcp?token=x", "", "ws://a:1/mcp/ws?token=x"),
        ("https://a/mcp?token=x", "work", "wss://a/mcp/ws?token=x&session=work"),
        ("http://a/under/mcp/?session=b", "c", "ws://a/under/mcp/ws?session=c"),
        ("ws://a/mcp/ws", "", "ws://a/mcp/ws"),
    ],
)
def test_url_of_the_websocket(url: str, session: str, expected: str) -> None:
    assert websocket_url(url, session) == expected


def test_what_is_no_url_is_refused() -> None:
    with pytest.raises(exceptions.Misuse):
        websocket_url("file:///etc/passwd", "")


async def test_remote_sessions_async_and_blocking(app: App, site: Site) -> None:
    listener = listen("127.0.0.1", 0)
    port = listener.getsockname()[1]
    http = build_http(app, version="test", host="127.0.0.1", port=port, token=TOKEN)
    url = f"http://127.0.0.1:{port}/mcp?token={TOKEN}"
    ready = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(
            serve_http(http, "127.0.0.1", port, ready.set, listener=listener)
        )
        await ready.wait()
        try:
            await use_async(url, app, site)
            await asyncio.to_thread(use_sync, url, site.page("<title>Sync</title>"))
            for name, token in ((None, "wrong"), ("no/name", TOKEN)):
                with pytest.raises(exceptions.DaemonTrouble):
                    async with tabmux.session(name, url=url.replace(TOKEN, token)):
                        pass
        finally:
            serving.cancel()


async def use_async(url: str, app: App, site: Site) -> None:
    known = len(app.sessions.all())
    async with tabmux.session(url=url) as tab:
        await tab.goto(site.page("<button onclick=\"document.title='Clicked'\">Save</button>"))
        assert 'button "Save"' in (await tab.click('button "Save"')).diff
        assert await tab.evaluate("() => document.title") == "Clicked"
        with pytest.raises(exceptions.NotFound) as missing:
            await tab.click('button "No"')
        assert missing.value.hint == 'There are: "Save".'
    async with asyncio.timeout(20):
        while len(app.sessions.all()) > known:
            await asyncio.sleep(0.01)
    async with tabmux.session("far", url=url) as tab:
        await tab.goto(site.page("<title>Far</title>"))
    async with tabmux.session("far", url=url) as tab:
        assert await tab.evaluate("() => document.title") == "Far"
    session = app.labelled("far")
    assert session is not None
    await session.close()


def use_sync(url: str, page: str) -> None:
    with (
        pytest.raises(exceptions.DaemonTrouble),
        tabmux.sync.session(url=url.replace(TOKEN, "wrong")),
    ):
        pass
    with tabmux.sync.session(url=url) as tab:
        tab.goto(page)
        assert tab.evaluate("() => document.title") == "Sync"
