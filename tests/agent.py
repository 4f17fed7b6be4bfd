"""An agent as the tests play it: an MCP client that calls tools and reads what they answer."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import socket
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Self

from tabmux.concurrency import Signal
from tabmux.content import Image, Reply
from tabmux.daemon.app import App
from tabmux.mcp.stream.line_stream import serve_stream
from tabmux.sessions.session import Session
from tests.site import Site

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


async def _outcome(work: Coroutine[Any, Any, object]) -> Exception | None:
    try:
        await work
    except Exception as error:  # noqa: BLE001 raised when the agent leaves
        return error
    return None


class ToolFailed(AssertionError):
    """A tool failed where the test wants it to succeed."""


class Agent:
    """One client. Call it with a tool's name; it returns the text of the reply."""

    def __init__(self, app: App, site: Site, writer: asyncio.StreamWriter) -> None:
        self.site, self.seen = site, ""
        self.session: Session
        self.notices: list[dict[str, Any]] = []
        self.noticed = Signal()
        self._app, self._writer = app, writer
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}

    @classmethod
    @asynccontextmanager
    async def joined(
        cls,
        app: App,
        site: Site,
        capabilities: dict[str, Any] | None = None,
        *,
        client: str = "test",
        label: str = "",
    ) -> AsyncIterator[Self]:
        """Connect over a socket, as a relay does, for the length of the block.

        Args:
            app: The server.
            site: Where its pages are served.
            capabilities: What the client says that it can do.
            client: What the client calls itself.
            label: What its session is called.
        """
        near, far = socket.socketpair()
        ours, theirs = [
            await asyncio.open_connection(sock=end, limit=1 << 28) for end in (near, far)
        ]
        serve = serve_stream(app, *theirs, version="test", join=lambda: app.open(label))
        async with asyncio.TaskGroup() as group:
            # A server that fails would cancel the task that runs the tests, and all after it.
            serving = group.create_task(_outcome(serve))
            agent = cls(app, site, ours[1])
            listening = group.create_task(agent._listen(ours[0]))
            known = set(app.sessions.all())
            who = {"name": client, "version": "1"}
            hello = {**HELLO, "capabilities": capabilities or {}, "clientInfo": who}
            await agent._request("initialize", hello)
            (agent.session,) = set(app.sessions.all()) - known
            try:
                yield agent
            finally:
                ours[1].close()
                failure = await serving
                listening.cancel()
                theirs[1].close()
            if failure is not None:
                raise failure

    async def reply(self, name: str, /, **arguments: Any) -> Reply:
        """Call a tool and return its whole reply, without the fences around what pages wrote."""
        reply = await self.fenced(name, **arguments)
        reply.text = re.sub(r"<page \w+>\n|\n</page \w+>", "", reply.text)
        return reply

    async def fenced(self, name: str, /, **arguments: Any) -> Reply:
        """Call a tool and return its reply as it comes."""
        result = await self._request("tools/call", {"name": name, "arguments": arguments})
        reply = Reply(code=result.get("_meta", {}).get("code"))
        assert result["isError"] == reply.failed
        for item in result["content"]:
            if item["type"] == "text":
                reply.add(item["text"])
            else:
                reply.images.append(Image(item["data"], item["mimeType"]))
        if "uid=" in reply.text:
            self.seen = reply.text
        return reply

    async def data(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed; returns the data beside its text."""
        result = await self._request("tools/call", {"name": name, "arguments": arguments})
        assert not result["isError"], result
        found: dict[str, Any] = result["structuredContent"]
        return found

    async def __call__(self, name: str, /, **arguments: Any) -> str:
        """Call a tool that must succeed."""
        reply = await self.reply(name, **arguments)
        if reply.failed:
            raise ToolFailed(reply.text)
        return reply.text

    async def fails(self, name: str, /, **arguments: Any) -> tuple[str, str]:
        """Call a tool that must fail; returns its code and text."""
        reply = await self.reply(name, **arguments)
        assert reply.code is not None, f"{name} succeeded: {reply.text}"
        return reply.code, reply.text

    async def told(self, name: str, /, **arguments: Any) -> list[dict[str, Any]]:
        """Call a tool that must succeed; returns the progress that was reported meanwhile."""
        token = f"progress {next(self._ids)}"
        params = {"name": name, "arguments": arguments, "_meta": {"progressToken": token}}
        result = await self._request("tools/call", params)
        assert not result["isError"], result
        return [
            notice["params"]
            for notice in self.notices
            if notice["method"] == "notifications/progress"
            and notice["params"]["progressToken"] == token
        ]

    async def tools(self) -> dict[str, dict[str, Any]]:
        """List the tools, by name."""
        return {tool["name"]: tool for tool in (await self._request("tools/list", {}))["tools"]}

    async def open(self, html: str) -> str:
        """Load a document and take a snapshot of it."""
        await self("navigate_page", url=self.site.page(html))
        return await self("take_snapshot")

    def uid(self, line: str) -> str:
        """Return the uid of the first line of the last snapshot that starts with this."""
        found = re.search(rf"uid=(\S+) {re.escape(line)}", self.seen)
        assert found, f"{line!r} is not in\n{self.seen}"
        return found[1]

    async def value(self, expression: str) -> str:
        """Evaluate an expression in the page."""
        text = await self("evaluate_script", function=f"() => ({expression})")
        found = re.search(r"```json\n(.*)\n```", text, re.DOTALL)
        assert found, text
        return found[1]

    async def asked(self, method: str) -> dict[str, Any]:
        """Wait for a message of the server's own, such as a question to the user."""

        def found() -> list[dict[str, Any]]:
            return [notice for notice in self.notices if notice["method"] == method]

        assert await self.noticed.until(lambda: bool(found()), 20), self.notices
        return found()[-1]

    def answer(self, question: dict[str, Any], result: dict[str, Any]) -> None:
        """Answer a question of the server's."""
        self._send({"id": question["id"], "result": result})

    async def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask for something that is no tool."""
        return await self._request(method, params)

    async def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        ident = next(self._ids)
        answer = self._waiting[ident] = asyncio.get_running_loop().create_future()
        self._send({"id": ident, "method": method, "params": params})
        try:
            message = await answer
        except asyncio.CancelledError:
            self._send({"method": "notifications/cancelled", "params": {"requestId": ident}})
            raise
        assert "result" in message, message
        result: dict[str, Any] = message["result"]
        return result

    def _send(self, message: dict[str, Any]) -> None:
        self._writer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            message = json.loads(line)
            if "method" in message:
                self.notices.append(message)
                self.noticed.notify()
            waiting = self._waiting.pop(message.get("id"), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(message)
