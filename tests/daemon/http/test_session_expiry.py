"""Sessions that nobody uses end, whatever way their client came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabmux.daemon.app import App
from tabmux.sessions.session import Session
from tabmux.settings import Settings
from tests.mcp.raw_clients import SECONDS, events, http, lines, next_event, request, serving
from tests.serving import running


@asynccontextmanager
async def server(idle: int = 1) -> AsyncIterator[App]:
    async with running(Settings(session_idle=idle), bridged=False) as app:
        yield app


async def ended(session: Session) -> None:
    over = asyncio.Event()
    session.on_closed(over.set)
    async with asyncio.timeout(SECONDS):
        await over.wait()


async def test_an_idle_session_is_closed_and_unknown_afterwards() -> None:
    async with server() as app, serving(app) as address, http(address) as client:
        await client.initialize()
        (session,) = app.sessions.all()
        await ended(session)
        after = await client.post(request(1, "ping"), **client.headers)

    assert after.status_code == 404


async def test_a_session_that_listens_is_not_idle() -> None:
    async with (
        server() as app,
        serving(app) as address,
        http(address) as one,
        http(address) as two,
    ):
        await one.initialize()
        (first,) = app.sessions.all()
        async with one.listen(**one.headers) as response:
            await two.initialize()
            (second,) = set(app.sessions.all()) - {first}
            await ended(second)
            first.enable(["memory"])
            event = await next_event(events(response))

    assert event.message["method"] == "notifications/tools/list_changed"


async def test_the_handle_of_a_stateless_client_ends_with_its_session() -> None:
    async with server() as app, serving(app) as address, http(address) as client:
        await client.ask_stateless("tools/call", name="list_browsers")
        (session,) = app.sessions.all()
        await ended(session)
        arguments = {"session": session.handle}
        later = await client.ask_stateless("tools/call", name="list_browsers", arguments=arguments)

    assert later["result"]["_meta"]["code"] == "unknown_session"


async def test_a_connection_keeps_its_session_from_expiring() -> None:
    async with server() as app, lines(app) as client:
        await client.initialize()
        (held,) = app.sessions.all()
        other = app.open()
        await ended(other)

        assert app.sessions.all() == [held]
