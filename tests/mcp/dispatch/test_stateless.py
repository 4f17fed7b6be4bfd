"""Revision 2026-07-28 over HTTP."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx2
import pytest
from mcp_types import methods

from tabmux.mcp.http.http_limits import HttpLimits
from tabmux.mcp.http.http_request import HttpTimings
from tests.mcp.fake_backend import FakeBackend
from tests.mcp.keeping_backend import KeepingBackend
from tests.mcp.raw_clients import SECONDS, Http, events, http, next_event, serving, stateless, text


def handle(answer: dict[str, Any]) -> str:
    found = re.search(r"^session=(\S+)$", text(answer), re.MULTILINE)
    assert found, text(answer)
    return found[1]


async def happened(event: asyncio.Event) -> None:
    async with asyncio.timeout(SECONDS):
        await event.wait()


async def test_a_server_describes_itself(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        answer = await client.ask_stateless("server/discover")

    methods.validate_server_result("server/discover", "2026-07-28", answer["result"])
    info = answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert info["name"] == "tabmux"
    assert backend.opened == []


async def test_every_client_sees_the_same_tools_with_a_session_argument(
    backend: FakeBackend,
) -> None:
    async with serving(backend) as address, http(address) as client:
        before = await client.ask_stateless("tools/list")
        grown = await client.ask_stateless("tools/call", name="grow")
        after = await client.ask_stateless("tools/list")

    assert not grown["result"]["isError"]
    assert before["result"] == after["result"]
    for tool in before["result"]["tools"]:
        assert "session" in tool["inputSchema"]["properties"]
        assert "session" not in tool["inputSchema"].get("required", [])


async def test_a_call_without_a_session_opens_one_and_says_its_handle(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        first = await client.ask_stateless("tools/call", name="note", arguments={"text": "one"})
        again = {"text": "two", "session": handle(first)}
        second = await client.ask_stateless("tools/call", name="note", arguments=again)

    assert text(first).startswith("one\nsession=")
    assert text(second) == "one\ntwo"
    methods.validate_server_result("tools/call", "2026-07-28", second["result"])


async def test_a_failed_call_says_the_handle_too(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        answer = await client.ask_stateless("tools/call", name="fail")
        known = backend.find(handle(answer))

    assert answer["result"]["isError"] is True
    assert known is backend.opened[0]


@pytest.mark.parametrize("given", ["made-up", "", 5, ["x"]])
async def test_an_unknown_handle_is_an_error_that_says_what_to_do(
    backend: FakeBackend, given: object
) -> None:
    async with serving(backend) as address, http(address) as client:
        arguments = {"session": given}
        answer = await client.ask_stateless("tools/call", name="note", arguments=arguments)

    assert answer["result"]["isError"] is True
    assert answer["result"]["_meta"]["code"] == "unknown_session"
    assert "without `session`" in text(answer)
    assert backend.opened == []


async def test_beyond_the_cap_a_call_is_told_so(backend: FakeBackend) -> None:
    async with serving(backend, limits=HttpLimits(sessions=1)) as address, http(address) as client:
        await client.ask_stateless("tools/call", name="note")
        answer = await client.ask_stateless("tools/call", name="note")

    assert answer["result"]["_meta"]["code"] == "busy"


async def test_progress_comes_before_the_answer_and_logs_only_if_asked_for(
    backend: FakeBackend,
) -> None:
    async with serving(backend) as address, http(address) as client:
        token = {"progressToken": "p"}
        await client.ask_stateless("tools/call", name="steps", _meta=token)
        silent, client.heard = client.heard, []
        level = {"io.modelcontextprotocol/logLevel": "debug"}
        await client.ask_stateless("tools/call", name="steps", _meta=level)

    assert [m["params"]["progress"] for m in silent] == [1, 2, 3]
    assert [m["params"]["data"] for m in client.heard] == ["step 1", "step 2", "step 3"]


async def _hang_up_on(client: Http, backend: FakeBackend, message: dict[str, Any]) -> None:
    """Post a call, and break the connection when the call has begun."""
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
        post = group.create_task(client.post_stateless(message))
        await backend.started.wait()
        post.cancel()


@pytest.mark.parametrize("patience", [0.001, 60])
async def test_hanging_up_cancels_the_call(backend: FakeBackend, patience: float) -> None:
    """Whether the answer had begun as a stream of events or not."""
    limits = HttpLimits(timings=HttpTimings(plain_json=patience))
    async with serving(backend, limits=limits) as address, http(address) as client:
        await _hang_up_on(client, backend, stateless(1, "tools/call", name="slow"))
        await happened(backend.opened[0].stopped)
        await happened(backend.opened[0].closed)

    assert backend.opened[0].cancelled == 1


async def test_a_session_with_a_known_handle_outlives_a_cancelled_call(
    backend: FakeBackend,
) -> None:
    session = backend.open()
    async with serving(backend) as address, http(address) as client:
        message = stateless(1, "tools/call", name="slow", arguments={"session": session.handle})
        await _hang_up_on(client, backend, message)
        await happened(session.stopped)

    assert not session.closed.is_set()


async def test_who_listens_is_told_of_changed_tools(backend: FakeBackend) -> None:
    message = stateless("sub", "subscriptions/listen", notifications={"toolsListChanged": True})
    async with (
        serving(backend) as address,
        http(address) as client,
        _listening(client, message) as response,
    ):
        stream = events(response)
        acknowledged = await next_event(stream)
        backend.change_tools()
        changed = await next_event(stream)

    assert acknowledged.message["method"] == "notifications/subscriptions/acknowledged"
    assert acknowledged.message["params"]["notifications"] == {"toolsListChanged": True}
    assert changed.message["method"] == "notifications/tools/list_changed"
    subscription = changed.message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"]
    assert subscription == "sub"


async def test_a_stopping_server_ends_a_subscription_with_its_answer(backend: FakeBackend) -> None:
    message = stateless("sub", "subscriptions/listen", notifications={})
    async with http("http://127.0.0.1") as client:
        async with serving(backend) as address:
            client.client.base_url = address
            request = _listen_request(client, message)
            response = await client.client.send(request, stream=True)
            stream = events(response)
            await next_event(stream)
        ended = await next_event(stream)
        await response.aclose()

    assert ended.message["id"] == "sub"
    assert ended.message["result"]["resultType"] == "complete"


def _listen_request(client: Http, message: dict[str, Any]) -> httpx2.Request:
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "subscriptions/listen",
    }
    return client.client.build_request("POST", "/mcp", json=message, headers=headers)


def _listening(client: Http, message: dict[str, Any]) -> Any:
    request = _listen_request(client, message)
    return client.client.stream("POST", "/mcp", content=request.content, headers=request.headers)


async def test_call_whose_client_hung_up_counts_as_not_answered() -> None:
    backend = KeepingBackend()
    session = backend.open("shop")
    async with serving(backend) as address, http(address, "?session=shop") as client:
        async with asyncio.TaskGroup() as group:
            post = group.create_task(client.post_stateless(stateless(5, "tools/call", name="slow")))
            await happened(session.started)
            post.cancel()
        await happened(session.stopped)
        await client.ask_stateless("tools/call", name="echo")

    assert [key.split()[-1] for key in backend.answers] == ["1"]
