from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tabmux.mcp.dispatch.progress_notifications import RequestingClient
from tabmux.mcp.dispatch.request_context import RequestContext
from tabmux.mcp.rpc import Id, RpcRequest
from tests.mcp.raw_clients import SECONDS


class Ear:
    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.twice = asyncio.Event()

    def send(self, frame: bytes) -> None:
        self.heard.append(json.loads(frame)["params"])
        if len(self.heard) == 2:
            self.twice.set()

    finish = send

    def abandon(self, ident: Id) -> None: ...

    async def drained(self) -> None: ...


def context(ear: Ear, meta: dict[str, Any]) -> RequestContext:
    return RequestContext(RpcRequest(1, "tools/call", {"_meta": meta}), ear, object())


async def test_reports_are_sent_with_the_clients_token() -> None:
    ear = Ear()
    with RequestingClient(context(ear, {"progressToken": "t"})) as client:
        await client.progress(1, 3, "one")
        await client.progress(2, None, "")

    assert ear.heard == [
        {"progressToken": "t", "progress": 1, "total": 3, "message": "one"},
        {"progressToken": "t", "progress": 2},
    ]


async def test_a_step_back_is_not_reported() -> None:
    ear = Ear()
    with RequestingClient(context(ear, {"progressToken": 0})) as client:
        await client.progress(2, None, "")
        await client.progress(2, None, "")
        await client.progress(1, None, "")

    assert len(ear.heard) == 1


@pytest.mark.parametrize("meta", [{}, {"progressToken": None}, {"progressToken": [1]}])
async def test_nobody_who_did_not_ask_is_told(meta: dict[str, Any]) -> None:
    ear = Ear()
    with RequestingClient(context(ear, meta), heartbeat=0) as client:
        await client.progress(1, None, "")

    assert ear.heard == []


async def test_a_silent_call_is_said_to_be_running() -> None:
    ear = Ear()
    with RequestingClient(context(ear, {"progressToken": 1}), heartbeat=0.001) as client:
        async with asyncio.timeout(SECONDS):
            await ear.twice.wait()
        await client.progress(1, 3, "the tool's own")

    values = [each["progress"] for each in ear.heard]
    assert values == sorted(set(values))
    assert ear.heard[0]["message"] == "still running"
    assert values[-1] == 1
