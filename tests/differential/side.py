"""One of the two servers, driven the same way as the other."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import packages
from bench.chromium import find_chromium, open_chromium
from bench.client import Client, open_client
from bench.servers import CHROME_DEVTOOLS, TABMUX, Server
from bench.trouble import BenchError
from tabmux.tools.pipeline import catalog
from tests.site import Site

# Tools that the one has by default and the other on request.
FLAGS = {
    "tabmux": ("--tools", ",".join(f"+{group}" for group in catalog.GROUPS)),
    "cdm": ("--experimentalVision",),
}


@dataclass(frozen=True)
class Answer:
    """What a tool said, whether it failed, and how long it took."""

    text: str
    failed: bool
    images: tuple[bytes, ...] = ()
    seconds: float = 0.0

    def says(self, *patterns: str) -> dict[str, bool]:
        """Which of these the text has, upper and lower case alike."""
        return {each: bool(re.search(each, self.text, re.IGNORECASE)) for each in patterns}

    def count(self, pattern: str) -> int:
        """How many lines have a match."""
        return len(re.findall(pattern, self.text, re.MULTILINE))


class Side:
    """A server with a page of its own; every behaviour starts there."""

    def __init__(self, server: Server, client: Client, site: Site, folder: Path) -> None:
        self.name = server.name
        self.site, self.folder, self.seen = site, folder, ""
        self.tools: dict[str, dict[str, Any]] = {}
        self.page = 0
        self._client = client

    async def start(self) -> None:
        """Shake hands and open the page."""
        await self._client.initialize()
        self.tools = {tool["name"]: tool for tool in await self._client.tools()}
        if self.name == "tabmux":
            self._add_unlisted()
        self.page = await self.new_page(self.site.page("<title>Home</title>"))

    def _add_unlisted(self) -> None:
        """Note which tools take a pageId: tabmux lists it with none."""
        for tool in catalog.tools():
            if tool.on_page and tool.name in self.tools:
                properties = self.tools[tool.name]["inputSchema"]["properties"]
                properties.setdefault("pageId", {"type": "integer"})

    async def call(self, tool: str, /, **arguments: Any) -> Answer:
        """Call a tool, on the page unless another is named."""
        if "pageId" in self.tools.get(tool, {"inputSchema": {}})["inputSchema"].get(
            "properties", ()
        ):
            arguments.setdefault("pageId", self.page)
        return await self.raw(tool, arguments)

    async def raw(self, tool: str, arguments: dict[str, Any]) -> Answer:
        """Call a tool with exactly these arguments; a refusal of the protocol is a failure, too."""
        assert self._client.usable, f"{self.name} has stopped to answer."
        began = time.monotonic()
        try:
            _, result = await self._client.request(
                "tools/call", {"name": tool, "arguments": arguments}
            )
        except BenchError as error:
            return Answer(str(error), failed=True)
        content = result["content"]
        text = "\n".join(item["text"] for item in content if item["type"] == "text")
        images = tuple(base64.b64decode(i["data"]) for i in content if i["type"] == "image")
        if "uid=" in text:
            # What an action changed has the uids of the snapshot before, and some more.
            self.seen = (
                text
                if "uid=" in text.partition("## Latest page snapshot")[2]
                else f"{self.seen}\n{text}"
            )
        return Answer(text, bool(result.get("isError")), images, time.monotonic() - began)

    async def new_page(self, url: str, **more: Any) -> int:
        """Open a page and return its id."""
        answer = await self.call("new_page", url=url, **more)
        return self.page_id(answer, url)

    def page_id(self, answer: Answer, url: str) -> int:
        """The id of the last listed page that shows a URL."""
        found = re.findall(rf"^(\d+): .*{re.escape(url)}(?![\w/])", answer.text, re.MULTILINE)
        assert found, f"{self.name} lists no page {url}:\n{answer.text}"
        return int(found[-1])

    async def goto(self, url: str) -> Answer:
        """Load a URL."""
        return await self.call("navigate_page", url=url)

    async def open(self, html: str) -> str:
        """Load a document and take a snapshot."""
        await self.goto(self.site.page(f"<!doctype html>{html}"))
        return (await self.call("take_snapshot")).text

    def uid(self, line: str) -> str:
        """The uid of the first line of the last snapshot that starts so."""
        found = re.search(rf"uid=(\S+) {re.escape(line)}", self.seen)
        assert found, f"{self.name}: {line!r} is not in\n{self.seen}"
        return found[1]

    async def act(self, tool: str, line: str, /, **more: Any) -> Answer:
        """Act on an element of the last snapshot."""
        return await self.call(tool, uid=self.uid(line), **more)

    async def value(self, expression: str) -> Any:
        """Evaluate an expression in the page."""
        answer = await self.call(
            "evaluate_script", function=f"() => ({expression})", waitForStableDom=False
        )
        return returned(answer)

    async def until(self, expression: str, seconds: float = 15.0) -> bool:
        """Whether an expression becomes true in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if await self.value(expression):
                return True
        return False


def returned(answer: Answer) -> Any:
    """The value that a script returned."""
    found = re.search(r"```json\n(.*)\n```", answer.text, re.DOTALL)
    assert found, answer.text
    return None if found[1] == "undefined" else json.loads(found[1])


@asynccontextmanager
async def started(
    server: Server, folder: Path, *flags: str, url: str = ""
) -> AsyncIterator[Client]:
    """A server's process, not yet initialized; without a URL it has no browser."""
    own = folder / server.name
    own.mkdir(parents=True, exist_ok=True)
    address = url or "http://127.0.0.1:1"
    command = (*server.started_with(address, packages.cache()), *flags)
    async with open_client(command, server.surroundings(own), own, own / "log") as client:
        yield client


@asynccontextmanager
async def seated(server: Server, site: Site, folder: Path) -> AsyncIterator[Side]:
    """A server at work in a Chromium of its own."""
    async with open_chromium(find_chromium()) as endpoint:
        async with started(server, folder, *FLAGS[server.name], url=endpoint.url) as client:
            side = Side(server, client, site, folder / server.name)
            await side.start()
            yield side


BOTH = (TABMUX, CHROME_DEVTOOLS)
