"""The HTTP+SSE transport of 2024-11-05, on the same path."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from tests.mcp.fake_backend import FakeBackend
from tests.mcp.raw_clients import (
    INITIALIZE,
    SECONDS,
    Event,
    Http,
    Message,
    events,
    http,
    next_event,
    request,
    serving,
    text,
)


class Stream:
    """A client that has opened its stream."""

    def __init__(self, client: Http, stream: AsyncIterator[Event], endpoint: str) -> None:
        self._client, self._stream, self.endpoint = client, stream, endpoint

    async def post(self, message: Message) -> httpx2.Response:
        return await self._client.client.post(self.endpoint, json=message)

    async def answer(self) -> Message:
        return (await next_event(self._stream)).message


@asynccontextmanager
async def stream(client: Http, query: str = "", path: str = "/mcp") -> AsyncIterator[Stream]:
    headers = {"accept": "text/event-stream"}
    async with client.client.stream("GET", f"{path}{query}", headers=headers) as response:
        incoming = events(response)
        opening = await next_event(incoming)
        assert opening.name == "endpoint"
        yield Stream(client, incoming, opening.data)


async def test_the_stream_names_where_to_post(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client, stream(client) as opened:
        posted = await opened.post(request(1, "initialize", **INITIALIZE))
        first = await opened.answer()
        await opened.post(request(2, "tools/call", name="echo", arguments={"text": "hello"}))
        second = await opened.answer()

    assert opened.endpoint.startswith("/mcp?sessionId=")
    assert posted.status_code == 202
    assert first["result"]["serverInfo"]["name"] == "tabmux"
    assert text(second) == "hello"


async def test_the_stream_is_also_found_where_old_clients_look(backend: FakeBackend) -> None:
    async with (
        serving(backend) as address,
        http(address) as client,
        stream(client, path="/sse") as opened,
    ):
        await opened.post(request(1, "initialize", **INITIALIZE))
        answer = await opened.answer()

    assert opened.endpoint.startswith("/sse?sessionId=")
    assert answer["result"]["serverInfo"]["name"] == "tabmux"


async def test_the_query_of_the_stream_is_kept_for_the_posts(backend: FakeBackend) -> None:
    async with (
        serving(backend, token="secret") as address,
        http(address) as client,
        stream(client, "?token=secret") as opened,
    ):
        posted = await opened.post(request(1, "ping"))

    assert posted.status_code == 202


async def test_everything_about_the_session_comes_down_the_stream(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client, stream(client) as opened:
        await opened.post(request(1, "initialize", **INITIALIZE))
        await opened.answer()
        await opened.post(request(2, "tools/call", name="grow"))
        inside = [await opened.answer(), await opened.answer()]
        backend.opened[0].change_tools()
        outside = await opened.answer()

    assert [message.get("method") for message in [*inside, outside]] == [
        "notifications/tools/list_changed",
        None,
        "notifications/tools/list_changed",
    ]


async def test_leaving_closes_the_session_and_stops_its_calls(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        async with stream(client) as opened:
            await opened.post(request(1, "initialize", **INITIALIZE))
            await opened.answer()
            await opened.post(request(2, "tools/call", name="slow"))
            async with asyncio.timeout(SECONDS):
                await backend.opened[0].started.wait()
        async with asyncio.timeout(SECONDS):
            await backend.opened[0].closed.wait()
        after = await opened.post(request(3, "ping"))

    assert backend.opened[0].cancelled == 1
    assert after.status_code == 404


async def test_a_made_up_session_is_not_found(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        response = await client.client.post("/mcp?sessionId=made-up", json=request(1, "ping"))

    assert response.status_code == 404


async def test_the_ids_of_the_two_transports_are_not_interchangeable(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client, stream(client) as opened:
        ident = opened.endpoint.partition("=")[2]
        as_header = await client.post(request(1, "ping"), mcp_session_id=ident)
        await client.initialize()
        as_query = await client.client.post(
            f"/mcp?sessionId={client.session}", json=request(1, "ping")
        )

    assert (as_header.status_code, as_query.status_code) == (404, 404)
