from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp_types.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
)

from tabmux.mcp.stream.line_stream import lines as split
from tests.mcp.fake_backend import FakeBackend, FakeSession
from tests.mcp.raw_clients import SECONDS, lines, request, stateless, text


async def happened(event: asyncio.Event) -> None:
    async with asyncio.timeout(SECONDS):
        await event.wait()


def only(backend: FakeBackend) -> FakeSession:
    (session,) = backend.opened
    return session


async def test_a_client_lists_and_calls_tools(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        tools = await client.ask("tools/list")
        answer = await client.call("echo", text="hello")

    assert tools["result"]["tools"][0]["name"] == "echo"
    assert "session" not in tools["result"]["tools"][0]["inputSchema"]["properties"]
    assert text(answer) == "hello"


async def test_what_only_the_stateless_era_knows_is_left_out(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        tools = await client.ask("tools/list")
        answer = await client.call("echo", text="hello")

    assert set(tools["result"]) == {"tools"}
    assert set(answer["result"]) == {"content", "isError"}


async def test_discovery_followed_by_initialize_works(backend: FakeBackend) -> None:
    """Claude Code 2.1.280 opens like this."""
    async with lines(backend) as client:
        client.send(stateless("probe", "server/discover"))
        found = await client.answer("probe")
        await client.initialize()
        answer = await client.call("echo", text="hello")

    assert found["result"]["supportedVersions"] == ["2026-07-28"]
    assert text(answer) == "hello"


async def test_a_bare_discovery_is_an_unknown_method(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        answer = await client.ask("server/discover")

    assert answer["error"]["code"] == METHOD_NOT_FOUND


async def test_both_eras_share_the_session_of_the_connection(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        await client.call("note", text="one")
        client.send(stateless("m", "tools/call", name="note", arguments={"text": "two"}))
        answer = await client.answer("m")

    assert text(answer) == "one\ntwo"
    assert len(backend.opened) == 1


async def test_a_stateless_call_enters_the_session_of_its_handle(backend: FakeBackend) -> None:
    other = backend.open()
    async with lines(backend) as client:
        arguments = {"text": "x", "session": other.handle}
        client.send(stateless(1, "tools/call", name="note", arguments=arguments))
        await client.answer(1)

    assert other.notes == ["x"]
    assert not other.closed.is_set()


async def test_stateless_tools_take_a_session(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        client.send(stateless(1, "tools/list"))
        answer = await client.answer(1)

    assert "session" in answer["result"]["tools"][0]["inputSchema"]["properties"]
    assert answer["result"]["resultType"] == "complete"
    assert {"ttlMs", "cacheScope"} <= set(answer["result"])


async def test_a_garbled_line_is_answered_and_the_next_one_served(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        client.send(b"{garbage")
        refused = await client.answer(None)
        answer = await client.ask("ping")

    assert refused["error"]["code"] == PARSE_ERROR
    assert answer["result"] == {}


async def test_empty_lines_are_passed_over(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        client.send(b"")
        client.send(b"  \r")
        answer = await client.ask("ping")

    assert answer["result"] == {}


async def test_tools_before_initialize_are_refused(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        answer = await client.ask("tools/list")

    assert answer["error"]["code"] == INVALID_REQUEST
    assert "initialize" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("prompts/list", {}, METHOD_NOT_FOUND),
        ("x" * 10_000, {}, METHOD_NOT_FOUND),
        ("tools/call", {}, INVALID_PARAMS),
        ("tools/call", {"name": 5}, INVALID_PARAMS),
        ("tools/call", {"name": "echo", "arguments": []}, INVALID_PARAMS),
        ("tools/list", {"cursor": "x"}, INVALID_PARAMS),
        ("logging/setLevel", {"level": "loud"}, INVALID_PARAMS),
        ("initialize", {}, INVALID_PARAMS),
    ],
)
async def test_a_bad_request_gets_its_code(
    backend: FakeBackend, method: str, params: dict[str, Any], code: int
) -> None:
    async with lines(backend) as client:
        await client.initialize()
        answer = await client.ask(method, **params)

    assert answer["error"]["code"] == code
    assert len(str(answer)) < 2_000


async def test_an_unknown_stateless_revision_is_refused(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        meta = {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}
        client.send(stateless(1, "tools/list", _meta=meta))
        answer = await client.answer(1)

    assert answer["error"]["code"] == UNSUPPORTED_PROTOCOL_VERSION


async def test_a_failed_tool_says_so_with_its_code(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        answer = await client.call("fail")

    assert answer["result"]["isError"] is True
    assert answer["result"]["_meta"] == {"code": "stale_uid"}


async def test_an_unknown_tool_is_what_the_workspace_answers(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        answer = await client.call("nope")

    assert answer["result"]["_meta"] == {"code": "unknown_tool"}


async def test_an_exception_tells_nothing_of_our_inside(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        answer = await client.call("crash")

    assert answer["result"]["isError"] is True
    assert answer["result"]["_meta"] == {"code": "internal"}
    assert "secret" not in str(answer)


async def test_a_broken_listing_is_an_error_and_not_the_end(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        only(backend).is_broken = True
        answer = await client.ask("tools/list")
        after = await client.ask("ping")

    assert answer["error"]["code"] == INTERNAL_ERROR
    assert "secret" not in str(answer)
    assert after["result"] == {}


async def test_a_session_that_cannot_be_opened_says_why(backend: FakeBackend) -> None:
    backend.is_full = True
    async with lines(backend) as client:
        answer = await client.initialize()

    assert answer["error"]["code"] == INTERNAL_ERROR
    assert answer["error"]["message"] == "The backend is full. Come back later."


async def test_progress_and_logs_come_before_the_answer(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        await client.ask("tools/call", name="steps", arguments={}, _meta={"progressToken": "p"})

    methods = [(m["method"], m["params"].get("progress")) for m in client.heard]
    assert [progress for _, progress in methods if progress] == [1, 2, 3]
    assert ("notifications/message", None) in methods


async def test_without_a_token_there_is_no_progress(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        await client.call("steps")

    assert {m["method"] for m in client.heard} == {"notifications/message"}


async def test_the_log_level_of_a_client_is_respected(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        await client.call("steps")
        first, client.heard = len(client.heard), []
        await client.ask("logging/setLevel", level="debug")
        await client.call("steps")
        second, client.heard = len(client.heard), []
        await client.ask("logging/setLevel", level="error")
        await client.call("steps")

    assert (first, second, len(client.heard)) == (2, 3, 0)


async def test_a_stateless_call_logs_only_if_it_asks_to(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        client.send(stateless(1, "tools/call", name="steps"))
        await client.answer(1)
        silent = len(client.heard)
        level = {"io.modelcontextprotocol/logLevel": "debug"}
        client.send(stateless(2, "tools/call", name="steps", _meta=level))
        await client.answer(2)

    assert (silent, len(client.heard)) == (0, 3)


async def test_changed_tools_are_told_during_a_call_and_outside(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        await client.call("grow")
        inside = [m["method"] for m in client.heard]
        only(backend).change_tools()
        outside = await client.receive()

    assert inside == ["notifications/tools/list_changed"]
    assert outside["method"] == "notifications/tools/list_changed"


async def test_a_stateless_client_hears_of_changed_tools_by_listening(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        wanted = {"toolsListChanged": True, "promptsListChanged": True}
        client.send(stateless("sub", "subscriptions/listen", notifications=wanted))
        acknowledged = await client.receive()
        client.send(stateless(1, "tools/call", name="grow"))
        changed = await client.receive()
        while "result" in changed:
            changed = await client.receive()

    assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
    assert acknowledged["params"]["notifications"] == {"toolsListChanged": True}
    assert changed["method"] == "notifications/tools/list_changed"
    assert changed["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": "sub"}


@pytest.mark.parametrize("make", [request, stateless])
async def test_a_cancelled_call_stops_and_is_not_answered(backend: FakeBackend, make: Any) -> None:
    async with lines(backend) as client:
        await client.initialize()
        client.send(make("slow", "tools/call", name="slow"))
        await happened(only(backend).started)
        cancelled = {"requestId": "slow", "reason": "enough"}
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled})
        await happened(only(backend).stopped)
        answer = await client.ask("ping")

    assert answer["result"] == {}
    assert only(backend).cancelled == 1


async def test_cancelling_what_is_not_running_changes_nothing(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        for ident in (99, None, ["x"]):
            params = {"requestId": ident}
            client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
        answer = await client.ask("ping")

    assert answer["result"] == {}


async def test_a_slow_call_does_not_delay_another(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        client.send(request("slow", "tools/call", name="slow"))
        await happened(only(backend).started)
        quick = await client.call("echo", text="quick")
        only(backend).release.set()
        slow = await client.answer("slow")

    assert (text(quick), text(slow)) == ("quick", "released")


async def test_an_id_in_use_is_refused_and_its_first_call_goes_on(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        client.send(request("twice", "tools/call", name="slow"))
        await happened(only(backend).started)
        client.send(request("twice", "tools/call", name="echo"))
        refused = await client.answer("twice")
        only(backend).release.set()
        answer = await client.answer("twice")

    assert refused["error"]["code"] == INVALID_REQUEST
    assert text(answer) == "released"


async def test_too_many_calls_at_once_are_refused(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.initialize()
        for number in range(128):
            client.send(request(f"slow{number}", "tools/call", name="slow"))
        refused = await client.call("echo")
        only(backend).release.set()

    assert "in flight" in refused["error"]["message"]


async def test_the_end_of_input_stops_the_calls_and_closes_the_session(
    backend: FakeBackend,
) -> None:
    async with lines(backend) as client:
        await client.initialize()
        client.send(request("slow", "tools/call", name="slow"))
        await happened(only(backend).started)
        await client.hang_up()
        await happened(only(backend).closed)

    assert only(backend).cancelled == 1


async def test_a_client_that_needs_no_session_opens_none(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        await client.ask("ping")

    assert backend.opened == []


async def test_two_connections_have_two_sessions(backend: FakeBackend) -> None:
    async with lines(backend) as one, lines(backend) as two:
        await one.initialize()
        await two.initialize()
        await one.call("grow")
        await one.call("note", text="mine")
        grown, plain = await one.ask("tools/list"), await two.ask("tools/list")
        notes = await two.call("note", text="yours")

    assert len(grown["result"]["tools"]) == len(plain["result"]["tools"]) + 1
    assert text(notes) == "yours"
    assert two.heard == []


class Pieces:
    def __init__(self, *pieces: bytes) -> None:
        self._pieces = list(pieces)

    async def read(self, n: int = -1, /) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([b"a\nb\n"], [b"a", b"b"]),
        ([b"a", b"b\n", b"c"], [b"ab", b"c"]),
        ([b"12345", b"67890", b"1\nok\n"], [None, b"ok"]),
        ([b"12345678901\nok\n"], [b"12345678901", b"ok"]),
        ([], []),
    ],
)
async def test_a_stream_is_cut_into_lines(
    pieces: list[bytes], expected: list[bytes | None]
) -> None:
    found = [line async for line in split(Pieces(*pieces), longest=8)]

    assert found == expected
