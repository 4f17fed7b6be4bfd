"""What cannot be undone is asked of the user, through a client that can ask."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tabmux.daemon.app import App
from tabmux.mcp.stream.line_stream import serve_stream
from tabmux.policy.policy import Policy
from tabmux.policy.rule_source import RuleSource
from tabmux.sessions.session import Session
from tabmux.settings import Settings
from tests.serving import running
from tests.site import Site

DELETE = "<main><button onclick='document.title = \"gone\"'>Delete account</button></main>"
TITLE = {"function": "() => document.title"}


@pytest.fixture(scope="module")
async def careful(anyio_backend: str) -> AsyncIterator[App]:
    settings = Settings(launch=True, headless=True, isolated=True, destructive="confirm")
    async with running(settings) as app:
        yield app


class Client:
    """A client of the wire that answers what it is asked."""

    def __init__(self, streams: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
        self._reader, self._writer = streams
        self._last = 0
        self.answer: dict[str, Any] = {}
        self.asked: list[dict[str, Any]] = []

    async def request(self, method: str, **params: Any) -> dict[str, Any]:
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while True:
            message: dict[str, Any] = json.loads(await self._reader.readline())
            if message.get("method") == "elicitation/create":
                self.asked.append(message["params"])
                self._send({"id": message["id"], **self.answer})
            elif message.get("id") == self._last:
                result: dict[str, Any] = message["result"]
                return result

    async def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        return await self.request("tools/call", name=name, arguments=arguments)

    async def title(self) -> str:
        return str((await self.call("evaluate_script", **TITLE))["content"][0]["text"])

    def _send(self, message: dict[str, Any]) -> None:
        self._writer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


async def deleted(
    app: App, site: Site, capabilities: dict[str, Any], answer: dict[str, Any]
) -> tuple[Client, dict[str, Any], str]:
    """Call a tool that destroys something, without confirming; returns what came of it."""
    near, far = socket.socketpair()
    ours, theirs = [await asyncio.open_connection(sock=end) for end in (near, far)]
    client = Client(ours)
    client.answer = answer
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(serve_stream(app, *theirs, version="test"))
        await client.request(
            "initialize",
            protocolVersion="2025-11-25",
            capabilities=capabilities,
            clientInfo={"name": "test", "version": "1"},
        )
        await client.call("new_page", url=site.page(DELETE))
        result = await client.call("call_page_tool", name="delete_account", arguments="{}")
        title = await client.title()
        ours[1].close()
        await serving
        theirs[1].close()
    return client, result, title


async def test_user_who_accepts_has_it_done(careful: App, site: Site) -> None:
    accepted = {"result": {"action": "accept", "content": {}}}
    client, result, title = await deleted(careful, site, {"elicitation": {}}, accepted)
    assert not result.get("isError")
    assert "gone" in title
    (asked,) = client.asked
    assert "delete_account" in asked["message"]
    assert "127.0.0.1" in asked["message"]
    assert asked["requestedSchema"]["type"] == "object"


async def test_action_that_is_confirmed_is_one_call_of_the_budget(
    careful: App, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    # To open the page, to delete, to read the title; the last of them is left over.
    sources = {"calls": RuleSource("[default]", "calls", "policy.toml", 1)}
    monkeypatch.setattr(Session, "policy", Policy(calls=3, sources=sources))
    accepted = {"result": {"action": "accept", "content": {}}}
    _, result, title = await deleted(careful, site, {"elicitation": {}}, accepted)
    assert not result.get("isError")
    assert "gone" in title


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_user_who_does_not_keeps_everything(careful: App, site: Site, action: str) -> None:
    refused = {"result": {"action": action}}
    client, result, title = await deleted(careful, site, {"elicitation": {"form": {}}}, refused)
    assert result["_meta"]["code"] == "refused_by_user"
    assert "gone" not in title
    assert len(client.asked) == 1


@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {"url": {}}}])
async def test_client_that_cannot_ask_is_told_what_is_missing(
    careful: App, site: Site, capabilities: dict[str, Any]
) -> None:
    client, result, title = await deleted(careful, site, capabilities, {})
    assert result["_meta"]["code"] == "bad_arguments"
    assert "confirm is missing" in result["content"][0]["text"]
    assert "gone" not in title
    assert not client.asked


async def test_client_that_fails_to_ask_has_not_consented(careful: App, site: Site) -> None:
    broken = {"error": {"code": -32603, "message": "no window"}}
    _, result, title = await deleted(careful, site, {"elicitation": {}}, broken)
    assert result["_meta"]["code"] == "bad_arguments"
    assert "gone" not in title
