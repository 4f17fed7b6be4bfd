from __future__ import annotations

import asyncio
from typing import Any

from tabmux.mcp.http.http_request import HttpRequest


class Wire:
    """One request, whose client hangs up when told to; the end of its answer looks the same."""

    def __init__(self) -> None:
        self.hung_up = asyncio.Event()
        scope = {"method": "POST", "path": "/mcp", "query_string": b"", "headers": []}
        self.http = HttpRequest(scope, self._receive, self._send)

    async def _receive(self) -> dict[str, Any]:
        await self.hung_up.wait()
        return {"type": "http.disconnect"}

    async def _send(self, event: Any) -> None:
        if event["type"] == "http.response.body" and not event["more_body"]:
            self.hung_up.set()


async def test_client_that_hangs_up_during_the_work_is_gone_and_has_no_answer() -> None:
    wire, ended = Wire(), list[str]()

    async def work() -> None:
        try:
            wire.hung_up.set()
            await asyncio.get_running_loop().create_future()
        finally:
            ended.append("cancelled")

    await wire.http.stay(work())
    assert ended == ["cancelled"]
    assert wire.http.is_gone
    assert not wire.http.is_answered


async def test_client_that_has_the_whole_answer_is_not_taken_for_gone() -> None:
    wire = Wire()

    async def work() -> None:
        await wire.http.reply(200, b"{}")
        await asyncio.get_running_loop().create_future()

    await wire.http.stay(work())
    assert wire.http.is_answered
