"""Browser tab: one background tab of the server under test, with the witness beside it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Any

from bench.chromium import open_chromium
from bench.client import Client, open_client
from bench.probe import open_probe
from bench.servers import TABMUX
from bench.trouble import BenchError
from bench.truth.lines import Line, read
from bench.truth.witness import Witness

# What pages want from elsewhere is not there, at once.
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
LOAD_MILLISECONDS = 30_000
# Nothing is timed here, and machines that measure for an hour do other things as well.
PATIENCE = 180.0
_ARGUMENTS = 200
_FENCE = re.compile(r"^</?page \w+>\n?", re.MULTILINE)


@dataclass(frozen=True)
class Answer:
    """What a tool answered, whether it is an error, and when it came."""

    text: str
    failed: bool
    time: float

    @property
    def first(self) -> str:
        """The sentence that says what was done."""
        return self.text.partition("\n")[0]


@dataclass
class BrowserTab:
    """A tab in the background, driven through MCP as agents do it."""

    client: Client
    witness: Witness
    scratch: Path

    async def call(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool; a refusal is an answer like any other."""
        parameters = {"name": tool, "arguments": arguments}
        _, result = await self.client.request("tools/call", parameters)
        texts = [item["text"] for item in result.get("content", ()) if item["type"] == "text"]
        return Answer(_FENCE.sub("", "\n".join(texts)), bool(result.get("isError")), time())

    async def load(self, url: str) -> None:
        """Load a page anew, also where the one before asks whether to leave."""
        answer = await self.call("navigate_page", url=url, timeout=LOAD_MILLISECONDS)
        if answer.failed:
            raise BenchError(f"{url} could not be loaded: {answer.text[:200]}")
        self.witness.received.clear()

    async def snapshot(self) -> str:
        """The whole snapshot, however long it is."""
        file = self.scratch / "snapshot.txt"
        answer = await self.call("take_snapshot", filePath=str(file))
        if answer.failed:
            raise BenchError(f"No snapshot: {answer.text[:200]}")
        return file.read_text()

    async def lines(self) -> list[Line]:
        """The elements of a new snapshot."""
        return read(await self.snapshot())

    async def aim_at(self, line: Line) -> bool:
        """Tell the witness which element is meant; it cannot see into other origins."""
        function = "(element) => { top.truthTarget = element; }"
        told = await self._evaluate(function, [line.uid])
        self.witness.received.clear()
        return told

    async def backend_ids(self, lines: Sequence[Line]) -> dict[str, int]:
        """Which node of the browser each uid stands for."""
        found: dict[str, int] = {}
        for frame in dict.fromkeys(line.frame for line in lines):
            uids = [line.uid for line in lines if line.frame == frame]
            for at in range(0, len(uids), _ARGUMENTS):
                part = uids[at : at + _ARGUMENTS]
                function = "(...elements) => { top.truthElements = elements; }"
                if not await self._evaluate(function, part):
                    break
                numbers = await self.witness.backend_ids("truthElements")
                found |= dict(zip(part, numbers, strict=True))
        return found

    async def _evaluate(self, function: str, uids: Sequence[str]) -> bool:
        answer = await self.call(
            "evaluate_script", function=function, args=list(uids), waitForStableDom=False
        )
        if answer.failed and "cross-origin" not in answer.text:
            raise BenchError(f"The script could not be run: {answer.text[:200]}")
        return not answer.failed


@asynccontextmanager
async def open_browser_tab(
    chromium: str, blank: str, arguments: Sequence[str] = ()
) -> AsyncIterator[BrowserTab]:
    """Start Chromium and tabmux, as users start it, and open a tab in the background.

    Args:
        chromium: The browser.
        blank: An address of the site's, to know the tab by.
        arguments: Further flags of tabmux's.
    """
    async with AsyncExitStack() as stack:
        folder = tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True)
        scratch = Path(stack.enter_context(folder))
        endpoint = await stack.enter_async_context(open_chromium(chromium, ALONE))
        probe = await stack.enter_async_context(open_probe(endpoint.websocket))
        client = await stack.enter_async_context(_tabmux(endpoint.url, scratch, arguments))
        client.patience = PATIENCE
        await client.initialize()
        await client.call("new_page", {"url": blank})
        yield BrowserTab(client, await Witness.of(probe, blank), scratch)


def _tabmux(url: str, scratch: Path, arguments: Sequence[str]) -> Any:
    command = TABMUX.started_with(url, scratch)
    # Cut replies are one of the things that are looked at.
    command = command[: command.index("--reply-limit")]
    environment: Mapping[str, str] = TABMUX.surroundings(scratch)
    return open_client((*command, *arguments), environment, scratch, scratch / "log")
