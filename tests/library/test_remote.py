"""The library with a server on HTTP, as on another machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qsl, urlsplit

import pytest

import tabmux
import tabmux.sync
from tabmux import exceptions
from tabmux.daemon.app import App
from tabmux.daemon.http.http_server import build_http, listen, serve_http
from tabmux.library.server_url import ServerUrl
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
    server = ServerUrl.read(url, session)
    assert server.websocket == expected
    assert server.session == dict(parse_qsl(urlsplit(expected).query)).get("session", "")


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "localhost/mcp",
        "http:///mcp?token=s3cret",
        "http://u@h/mcp?token=s3cret",
        "http://u:s3cret@h/mcp",
        "http://h:99999/mcp?token=s3cret",
        "http://h:x/mcp?token=s3cret",
        "http://[::1/mcp?token=s3cret",
    ],
)
def test_what_is_no_url_is_refused_and_not_quoted(url: str) -> None:
    with (
        pytest.raises(exceptions.Misuse, match="no URL of a tabmux server") as failure,
        tabmux.sync.session(url=url),
    ):
        pass
    assert "s3cret" not in failure.value.text


def test_errors_quote_a_url_without_its_token() -> None:
    server = ServerUrl.read("http://h:1/mcp?token=s3cret", "work")
    text = server.refused(f"{server.websocket} isn't a valid URI").text
    assert "http://h:1/mcp" in text
    assert "s3cret" not in text + repr(server)


class Server:
    """A server on HTTP, which can be ended and started again at the same port."""

    def __init__(self, app: App, group: asyncio.TaskGroup) -> None:
        self._app, self._group = app, group
        self._port = 0
        self._serving: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Its URL for MCP."""
        return f"http://127.0.0.1:{self._port}/mcp?token={TOKEN}"

    async def start(self) -> None:
        """Serve until `end`."""
        listener = listen("127.0.0.1", self._port)
        self._port = port = listener.getsockname()[1]
        http = build_http(self._app, version="test", host="127.0.0.1", port=port, token=TOKEN)
        ready = asyncio.Event()
        serving = serve_http(http, "127.0.0.1", port, ready.set, listener=listener)
        self._serving = self._group.create_task(serving)
        await ready.wait()

    async def end(self) -> None:
        """Serve no longer."""
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.wait([self._serving])


@asynccontextmanager
async def served(app: App) -> AsyncIterator[Server]:
    async with asyncio.TaskGroup() as group:
        server = Server(app, group)
        await server.start()
        try:
            yield server
        finally:
            await server.end()


async def test_remote_sessions_async_and_blocking(app: App, site: Site) -> None:
    async with served(app) as server:
        await use_async(server.url, app, site)
        await asyncio.to_thread(use_sync, server.url, site.page("<title>Sync</title>"))
        for name, token in ((None, "wrong"), ("no/name", TOKEN)):
            with pytest.raises(exceptions.DaemonTrouble):
                async with tabmux.session(name, url=server.url.replace(TOKEN, token)):
                    pass


async def test_named_remote_session_goes_on_after_a_restart_and_others_say_their_end(
    app: App, site: Site
) -> None:
    page = site.page("<title>Kept</title>")
    async with served(app) as server:
        async with (
            tabmux.session("kept", url=server.url) as tab,
            tabmux.session(url=server.url) as other,
        ):
            await tab.goto(page)
            await other.pages()
            await server.end()
            for each in (tab, other):
                with pytest.raises(exceptions.TabmuxError):
                    await each.pages()
            await server.start()
            assert await tab.evaluate("() => document.title") == "Kept"
            with pytest.raises(exceptions.DaemonTrouble, match="which had no name"):
                await other.pages()
        session = app.labelled("kept")
        assert session is not None
        await session.close()


async def test_blocking_remote_session_goes_on_after_a_restart(app: App, site: Site) -> None:
    page = site.page("<title>Kept</title>")
    loop = asyncio.get_running_loop()
    async with served(app) as server:

        def work() -> str:
            with tabmux.sync.session(url=f"{server.url}&session=far") as tab:
                tab.goto(page)
                asyncio.run_coroutine_threadsafe(server.end(), loop).result(20)
                asyncio.run_coroutine_threadsafe(server.start(), loop).result(20)
                # The end of the connection may be noticed before the call or during it.
                with suppress(exceptions.OutcomeUnknown):
                    tab.pages()
                return f"{tab.name}: {tab.evaluate('() => document.title')}"

        assert await asyncio.to_thread(work) == "far: Kept"
        session = app.labelled("far")
        assert session is not None
        await session.close()


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
