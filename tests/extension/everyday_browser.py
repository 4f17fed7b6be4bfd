"""A user's everyday browser: Chromium with the real extension, and a hand on its worker."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tabmux.bridge.extension_package import extension_folder, extension_origin
from tabmux.browsers.executable import find_executable
from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.channel import Channel
from tabmux.cdp.websocket_transport import connect_websocket
from tests.chromium import ARGUMENTS

SECONDS = 20.0

Look = Callable[[str], Awaitable[Any]]


class EverydayBrowser:
    """The browser, as its user has it. Tests look into it over a debugging port of its own.

    Args:
        profile: Its profile folder, which outlives restarts.
        extension: The unpacked extension.
    """

    def __init__(self, profile: Path, extension: Path | None = None) -> None:
        self._profile = profile
        self._extension = extension or extension_folder()
        self.endpoint = ""
        self._process: asyncio.subprocess.Process
        self._connection: CdpConnection
        self._news = asyncio.Event()

    @property
    def channel(self) -> Channel:
        """The browser's own CDP channel, which the extension knows nothing of."""
        return self._connection.browser

    async def start(self, *arguments: str) -> None:
        self._process = await asyncio.create_subprocess_exec(
            find_executable(),
            *ARGUMENTS,
            *arguments,
            "--disable-features=DisableLoadExtensionCommandLineSwitch",
            f"--load-extension={self._extension}",
            "--remote-debugging-port=0",
            f"--user-data-dir={self._profile}",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        assert self._process.stderr is not None
        async with asyncio.timeout(30):
            while line := await self._process.stderr.readline():
                if found := re.search(rb"(ws://127.0.0.1:\d+/\S+)", line):
                    self.endpoint = found[1].decode()
                    self._connection = CdpConnection(await connect_websocket(self.endpoint))
                    self._listen()
                    return
        raise AssertionError("Chromium did not start")

    async def quit(self) -> None:
        """Close it as a user does."""
        self.channel.send("Browser.close")
        await self.ended()

    async def ended(self) -> None:
        if self._process.returncode is None:
            async with asyncio.timeout(SECONDS):
                await self._process.wait()
        await self._process.communicate()

    async def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.communicate()

    async def targets(self, kind: str = "page") -> list[dict[str, Any]]:
        """Return what Chrome itself says is open."""
        command = {"filter": [{"type": kind}]}
        found = await self.channel.call("Target.getTargets", command)
        return list(found["targetInfos"])

    async def in_worker(self, expression: str) -> Any:
        """Evaluate an expression in the extension's service worker."""
        return await self._evaluate(await self._worker(), expression)

    async def act(self, name: str, **details: Any) -> dict[str, Any]:
        """Ask the worker what a button of the popup asks; returns how things stand."""
        async with self.popup() as look:
            answer = await look(
                f"chrome.runtime.sendMessage({json.dumps({'action': name, **details})})"
            )
        assert isinstance(answer, dict)
        return answer

    @asynccontextmanager
    async def popup(self) -> AsyncIterator[Look]:
        """Open the popup, as a page; yields how to evaluate an expression in it."""
        url = f"{extension_origin()}/popup/popup.html"
        opened = await self.channel.call("Target.createTarget", {"url": url, "background": True})
        target = str(opened["targetId"])
        try:
            yield lambda expression: self._evaluate(target, expression)
        finally:
            await self.channel.call("Target.closeTarget", {"targetId": target})

    async def open(self, url: str) -> int:
        """Open a tab of the user's own; returns Chrome's number of it."""
        script = "chrome.tabs.create({url: %s, active: false}).then((tab) => tab.id)"
        return int(await self.in_worker(script % json.dumps(url)))

    async def front(self) -> int:
        """Return the number of the tab that the user looks at."""
        found = await self.in_worker("chrome.tabs.query({active: true, lastFocusedWindow: true})")
        return int(found[0]["id"])

    async def kill_worker(self) -> None:
        """End the service worker as Chrome does when it needs memory."""
        await self.channel.call("Target.closeTarget", {"targetId": await self._worker()})

    async def worker(self, is_it: Callable[[str], bool]) -> str:
        """Wait for a service worker with such an address; returns its target."""
        async with asyncio.timeout(SECONDS):
            while True:
                self._news.clear()
                for target in await self.targets("service_worker"):
                    if is_it(target["url"]):
                        return str(target["targetId"])
                await self._news.wait()

    async def _worker(self) -> str:
        return await self.worker(lambda url: url.startswith(extension_origin()))

    def _listen(self) -> None:
        for event in ("Target.targetCreated", "Target.targetInfoChanged"):
            self.channel.on(event, lambda _: self._news.set())
        workers = [{"type": "service_worker"}]
        self.channel.send("Target.setDiscoverTargets", {"discover": True, "filter": workers})

    async def _evaluate(self, target: str, expression: str) -> Any:
        # What is just starting has no APIs yet.
        async with asyncio.timeout(SECONDS):
            while not await self._evaluated(target, "Boolean(globalThis.chrome?.runtime?.id)"):
                pass
        return await self._evaluated(target, expression)

    async def _evaluated(self, target: str, expression: str) -> Any:
        attached = await self.channel.call(
            "Target.attachToTarget", {"targetId": target, "flatten": True}
        )
        channel = self.channel.child(attached["sessionId"])
        assert channel is not None
        command = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = await channel.call("Runtime.evaluate", command)
        self.channel.send("Target.detachFromTarget", {"sessionId": channel.id})
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")


@asynccontextmanager
async def everyday(*arguments: str) -> AsyncIterator[EverydayBrowser]:
    """Start the browser for the length of the block."""
    folder = Path(tempfile.mkdtemp(prefix="tabmux-everyday-"))
    browser = EverydayBrowser(folder)
    try:
        await browser.start(*arguments)
        yield browser
    finally:
        await browser.kill()
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
