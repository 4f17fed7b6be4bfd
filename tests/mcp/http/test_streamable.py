"""Sessions over Streamable HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

from tabmux.mcp.http.http_limits import HttpLimits
from tabmux.mcp.http.http_request import HttpTimings
from tests.mcp.fake_backend import FakeBackend, FakeSession
from tests.mcp.keeping_backend import KeepingBackend
from tests.mcp.raw_clients import SECONDS, Http, events, http, next_event, request, serving, text


async def happened(event: asyncio.Event) -> None:
    async with asyncio.timeout(SECONDS):
        await event.wait()


def only(backend: FakeBackend) -> FakeSession:
    (session,) = backend.opened
    return session


async def test_a_session_lasts_from_request_to_request(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        await client.call("note", text="one")
        answer = await client.call("note", text="two")

    assert text(answer) == "one\ntwo"


async def test_a_deleted_session_is_closed_and_forgotten(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        deleted = await client.client.delete("/mcp", headers=client.headers)
        await happened(only(backend).closed)
        after = await client.post(request(1, "ping"), **client.headers)

    assert (deleted.status_code, after.status_code) == (204, 404)


async def test_notifications_are_taken_without_an_answer(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        response = await client.post(message, **client.headers)

    assert (response.status_code, response.content) == (202, b"")


async def test_progress_and_logs_ride_on_the_calls_own_stream(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        answer = await client.call("steps", meta={"progressToken": 7})

    progress = [m["params"]["progress"] for m in client.heard if "progress" in m["params"]]
    logs = [m["params"]["data"] for m in client.heard if m["method"] == "notifications/message"]
    assert (progress, logs) == ([1, 2, 3], ["step 2", "step 3"])
    assert text(answer) == "walked"


async def test_changed_tools_are_told_on_the_stream_of_the_call_that_changed_them(
    backend: FakeBackend,
) -> None:
    async with serving(backend) as address, http(address) as one, http(address) as two:
        await one.initialize()
        await two.initialize()
        await one.call("grow")
        grown, plain = await one.ask("tools/list"), await two.ask("tools/list")

    assert [m["method"] for m in one.heard] == ["notifications/tools/list_changed"]
    assert two.heard == []
    assert len(grown["result"]["tools"]) == len(plain["result"]["tools"]) + 1


async def test_changed_tools_outside_a_call_reach_only_the_stream_of_their_session(
    backend: FakeBackend,
) -> None:
    async with serving(backend) as address, http(address) as one, http(address) as two:
        await one.initialize()
        await two.initialize()
        async with one.listen(**one.headers) as ours, two.listen(**two.headers) as theirs:
            mine, yours = events(ours), events(theirs)
            backend.opened[0].change_tools()
            first = await next_event(mine)
            backend.opened[1].log("error", "for the second")
            second = await next_event(yours)

    assert first.message["method"] == "notifications/tools/list_changed"
    assert second.message["params"]["data"] == "for the second"


async def test_what_was_said_before_anyone_listened_is_not_lost(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        only(backend).change_tools()
        async with client.listen(**client.headers) as response:
            event = await next_event(events(response))

    assert event.message["method"] == "notifications/tools/list_changed"


async def test_a_stream_is_resumed_after_the_last_event_that_was_read(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        for number in (1, 2, 3):
            only(backend).log("error", str(number))
        async with client.listen(**client.headers) as response:
            first = await next_event(events(response))
        async with client.listen(last_event_id=first.id, **client.headers) as response:
            second = await next_event(events(response))

    assert (first.message["params"]["data"], second.message["params"]["data"]) == ("1", "2")


async def test_a_broken_call_goes_on_and_its_answer_is_fetched_later(backend: FakeBackend) -> None:
    limits = HttpLimits(timings=HttpTimings(plain_json=0.01))
    async with serving(backend, limits=limits) as address, http(address) as client:
        await client.initialize()
        ident = await _begin_and_hang_up(client, request(5, "tools/call", name="slow"))
        only(backend).release.set()
        async with client.listen(last_event_id=ident, **client.headers) as response:
            async with asyncio.timeout(SECONDS):
                (event,) = [event async for event in events(response)]

    assert event.message["id"] == 5
    assert text(event.message) == "released"
    assert only(backend).cancelled == 0


async def test_answer_counts_as_given_once_its_client_has_read_it() -> None:
    backend, limits = KeepingBackend(), HttpLimits(timings=HttpTimings(plain_json=0.01))
    async with serving(backend, limits=limits) as address, http(address) as client:
        await client.initialize()
        await client.call("echo", text="as JSON")
        key = f"{client.session} 5"
        assert backend.answers == [f"{client.session} 1"]
        only(backend).left.clear()
        ident = await _begin_and_hang_up(client, request(5, "tools/call", name="slow"))
        await happened(only(backend).left)
        only(backend).release.set()
        async with client.listen(last_event_id=ident, **client.headers) as response:
            assert key not in backend.answers
            only(backend).left.clear()
            assert [event async for event in events(response)]
        await happened(only(backend).left)

    assert backend.answers[1:] == [key]


async def test_answer_without_a_reader_counts_as_none() -> None:
    backend = KeepingBackend()
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        session = only(backend)
        session.left.clear()
        async with asyncio.TaskGroup() as group:
            message = request(5, "tools/call", name="slow")
            post = group.create_task(client.post(message, **client.headers))
            await happened(session.started)
            post.cancel()
        await happened(session.left)
        session.release.set()
        await client.ask("ping")

    assert backend.answers == []
    assert session.cancelled == 0


async def _begin_and_hang_up(client: Http, message: dict[str, Any]) -> str:
    """Post a call, read the first event id of its stream and break the connection."""
    headers = {**client.headers, "accept": "application/json, text/event-stream"}
    async with client.client.stream("POST", "/mcp", json=message, headers=headers) as response:
        async for event in events(response):
            return event.id
    raise AssertionError("there was no event")


async def test_an_event_of_another_session_cannot_be_replayed(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as one, http(address) as two:
        await one.initialize()
        await two.initialize()
        backend.opened[0].log("error", "secret of the first")
        async with one.listen(**one.headers) as response:
            await next_event(events(response))
        async with two.listen(last_event_id="s-0", **two.headers) as response:
            backend.opened[1].log("error", "own")
            event = await next_event(events(response))

    assert event.message["params"]["data"] == "own"


async def test_a_second_stream_replaces_the_first(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        async with client.listen(**client.headers) as old:
            stream = events(old)
            await anext(stream)
            async with client.listen(**client.headers) as new:
                async with asyncio.timeout(SECONDS):
                    left = [event async for event in stream]
                only(backend).change_tools()
                event = await next_event(events(new))

    assert left == []
    assert event.message["method"] == "notifications/tools/list_changed"


async def test_a_cancelled_call_is_stopped_and_its_post_ended(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
            message = request("s", "tools/call", name="slow")
            post = group.create_task(client.post(message, **client.headers))
            await only(backend).started.wait()
            cancel = {
                "jsonrpc": "2.0",
                "method": "notifications/cancelled",
                "params": {"requestId": "s"},
            }
            await client.post(cancel, **client.headers)

    assert post.result().json()["error"]["code"] == -32800
    assert only(backend).cancelled == 1


async def test_a_stopping_server_closes_streams_and_sessions(backend: FakeBackend) -> None:
    async with http("http://127.0.0.1") as client:
        async with serving(backend) as address:
            client.client.base_url = address
            await client.initialize()
            response = await client.client.send(
                client.client.build_request(
                    "GET", "/mcp", headers={**client.headers, "accept": "text/event-stream"}
                ),
                stream=True,
            )
        async with asyncio.timeout(SECONDS):
            left = [event async for event in events(response) if event.data]

    assert left == []
    assert only(backend).closed.is_set()


async def test_no_answer_carries_fields_of_the_stateless_era(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        opened = (await client.initialize()).json()
        answers = [
            opened,
            await client.ask("tools/list"),
            await client.call("echo", text="x"),
            await client.call("fail"),
            await client.ask("ping"),
        ]

    newer = {"resultType", "ttlMs", "cacheScope"}
    assert [answer["result"].keys() & newer for answer in answers] == [set()] * 5
