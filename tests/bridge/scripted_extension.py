"""A scripted extension that speaks only the messages of the focus toolset."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.exceptions import ConnectionClosed

from tests.bridge.served_bridge import SECONDS, ExtensionClient, Message, ServedBridge

TOOLS: dict[str, list[Message]] = {
    "https://mail.example/": [
        {
            "name": "search_inbox",
            "description": "Search emails",
            "inputSchema": {
                "type": "object",
                "properties": {"query": {"type": "string"}},
                "required": ["query"],
            },
        }
    ],
    "https://fly.example/": [{"name": "search_flights", "description": "Search flights"}],
}


class ScriptedExtension:
    """Answers what the server asks, and keeps it in `asked`."""

    def __init__(self, client: ExtensionClient, tabs: list[Message]) -> None:
        self.client = client
        self.tabs = {tab["id"]: tab for tab in tabs}
        self.asked: list[Message] = []
        # Where addresses lead that a site sends on to another one.
        self.redirects: dict[str, str] = {}
        self._ids = itertools.count(100)
        self._pongs: asyncio.Queue[Message] = asyncio.Queue()

    @classmethod
    @asynccontextmanager
    async def joined(cls, served: ServedBridge, *tabs: Message) -> AsyncIterator[ScriptedExtension]:
        """Connect to a bridge for the length of the block."""
        async with served.socket() as client, asyncio.TaskGroup() as group:
            stub = cls(client, list(tabs))
            answering = group.create_task(stub._answer_all())
            await served.link()
            yield stub
            answering.cancel()

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a message that nobody asked for."""
        await self.client.send({"type": kind, **fields})

    async def is_heard(self) -> None:
        """Wait until all that was said has been acted upon: a ping is answered in its turn."""
        await self.say("ping")
        async with asyncio.timeout(SECONDS):
            await self._pongs.get()

    async def _answer_all(self) -> None:
        try:
            while True:
                message = await self.client.receive_when_it_comes()
                self.asked.append(message)
                await getattr(self, f"_{message['type']}", self._ignore)(message)
        except ConnectionClosed:
            return

    async def _ignore(self, message: Message) -> None:
        pass

    async def _pong(self, message: Message) -> None:
        self._pongs.put_nowait(message)

    async def _connect(self, message: Message) -> None:
        browser = {"name": "Chrome", "version": "120.0.0"}
        await self.say("connected", browser=browser, tabs=list(self.tabs.values()))

    async def _openTab(self, message: Message) -> None:
        if "refused" in message["url"]:
            await self.say("error", message="Cannot open that.")
            return
        url = self.redirects.get(message["url"], message["url"])
        tab = {"id": next(self._ids), "title": "Loading...", "url": url}
        self.tabs[tab["id"]] = tab
        await self.say("tabCreated", tab=tab)

    async def _focusTab(self, message: Message) -> None:
        tools = TOOLS.get(self.tabs[message["tabId"]]["url"], [])
        await self.say("tabFocused", tabId=message["tabId"], tools=tools)

    async def _closeTab(self, message: Message) -> None:
        del self.tabs[message["tabId"]]
        await self.say("tabClosed", tabId=message["tabId"])

    async def _callTool(self, message: Message) -> None:
        call = {"callId": message["callId"]}
        if message["args"].get("query") == "fail":
            await self.say("toolResult", **call, result=None, error="The page has changed.")
        else:
            await self.say("toolResult", **call, result={"found": 3})

    async def _hang_up(self, message: Message) -> None:
        await self.client.websocket.close()
