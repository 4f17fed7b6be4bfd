"""The official Python client, in both eras, over every transport."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest
from mcp.client.client import Client
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent, ToolListChangedNotification

from tests.mcp.fake_backend import FakeBackend
from tests.mcp.raw_clients import SECONDS, serving

Mode = Literal["legacy", "auto"]
LEGS = [
    ("stdio", "legacy"),
    ("stdio", "auto"),
    ("http", "legacy"),
    ("http", "auto"),
    ("sse", "legacy"),
]
VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
STDIO = StdioServerParameters(command=sys.executable, args=["-m", "tests.mcp.stdio_server"])


@asynccontextmanager
async def connected(
    backend: FakeBackend, way: str, mode: Mode, hear: Callable[[Any], None] = lambda message: None
) -> AsyncIterator[Client]:
    """Connect the official client."""

    async def handler(message: Any) -> None:
        hear(message)

    async with asyncio.timeout(4 * SECONDS), serving(backend) as address:
        target: Any = STDIO
        if way == "http":
            target = streamable_http_client(f"{address}/mcp")
        elif way == "sse":
            target = sse_client(f"{address}/mcp")
        async with Client(target, mode=mode, message_handler=handler) as client:
            yield client


def said(result: Any) -> str:
    (first, *_) = result.content
    assert isinstance(first, TextContent)
    return first.text


@pytest.mark.parametrize(("way", "mode"), LEGS)
async def test_the_client_agrees_on_its_newest_revision(
    backend: FakeBackend, way: str, mode: Mode
) -> None:
    async with connected(backend, way, mode) as client:
        assert client.protocol_version == VERSIONS[mode]


@pytest.mark.parametrize(("way", "mode"), LEGS)
async def test_the_client_lists_and_calls_tools(backend: FakeBackend, way: str, mode: Mode) -> None:
    steps: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        steps.append(progress)

    async with connected(backend, way, mode) as client:
        tools = (await client.list_tools()).tools
        echoed = await client.call_tool("echo", {"text": "hello"})
        picture = await client.call_tool("picture")
        walked = await client.call_tool("steps", progress_callback=note)
        crashed = await client.call_tool("crash")

    assert [tool.name for tool in tools][:2] == ["echo", "note"]
    assert said(echoed).splitlines()[0] == "hello"
    assert [item.type for item in picture.content] == ["text", "image"]
    assert said(walked).splitlines()[0] == "walked"
    assert steps == [1, 2, 3]
    assert crashed.is_error


@pytest.mark.parametrize(("way", "mode"), [leg for leg in LEGS if leg[1] == "legacy"])
async def test_the_client_hears_of_changed_tools(
    backend: FakeBackend, way: str, mode: Mode
) -> None:
    heard = asyncio.Event()

    def hear(message: Any) -> None:
        if isinstance(message, ToolListChangedNotification):
            heard.set()

    async with connected(backend, way, mode, hear) as client:
        before = len((await client.list_tools()).tools)
        await client.call_tool("grow")
        await heard.wait()
        after = len((await client.list_tools()).tools)

    assert after == before + 1


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_that_gives_up_stops_its_call(backend: FakeBackend, mode: Mode) -> None:
    async with connected(backend, "http", mode) as client, asyncio.TaskGroup() as group:
        call = group.create_task(client.call_tool("slow"))
        await backend.started.wait()
        call.cancel()
        await backend.opened[-1].stopped.wait()
        await client.list_tools()

    assert sum(session.cancelled for session in backend.opened) == 1


async def test_a_stateless_client_keeps_its_session_by_its_handle(backend: FakeBackend) -> None:
    async with connected(backend, "http", "auto") as client:
        first = said(await client.call_tool("note", {"text": "one"}))
        handle = first.rpartition("session=")[2]
        second = said(await client.call_tool("note", {"text": "two", "session": handle}))

    assert second == "one\ntwo"


async def test_leaving_a_session_over_http_closes_it(backend: FakeBackend) -> None:
    async with connected(backend, "http", "legacy") as client:
        await client.call_tool("echo")

    (session,) = backend.opened
    assert session.closed.is_set()
