"""A side channel into Chromium that sees what a tool call really did."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import picows

from bench.trouble import BenchError

CALL_SECONDS = 60.0
_AT_REST = """new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
  () => requestIdleCallback(done, {timeout: 1000}))))"""
_LOADED = """new Promise(done => document.readyState === 'complete' ? done()
  : addEventListener('load', done))"""


class Probe(picows.WSListener):
    """One WebSocket to the browser. It enables no domain by itself, so it receives no events.

    Attributes:
        heard: Is called with events, for those who enable a domain.
    """

    def __init__(self) -> None:
        self.heard: Callable[[dict[str, Any]], None] = lambda _: None
        self._socket: picows.WSTransport | None = None
        self._parts: list[bytes] = []
        self._last_id = 0
        self._pending: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def tab(self, url: str) -> ProbeTab:
        """The tab that shows this address; one that is not there is an error."""
        targets = (await self.call("Target.getTargets"))["targetInfos"]
        for target in targets:
            if target["type"] == "page" and target["url"] == url:
                return await self._attach(target["targetId"])
        raise BenchError(f"No tab shows {url}.")

    async def open(self, url: str) -> ProbeTab:
        """Open a tab in the background and wait until it has loaded."""
        made = await self.call("Target.createTarget", url="about:blank", background=True)
        tab = await self._attach(made["targetId"])
        await self.call("Page.navigate", tab.session, url=url)
        await tab.evaluate(_LOADED)
        return tab

    async def call(self, method: str, session: str = "", **parameters: object) -> dict[str, Any]:
        """Send one CDP command and return its result."""
        self._last_id += 1
        ident = self._last_id
        command = {"id": ident, "method": method, "params": parameters}
        self._pending[ident] = answer = asyncio.get_running_loop().create_future()
        self._send(command | ({"sessionId": session} if session else {}))
        try:
            async with asyncio.timeout(CALL_SECONDS):
                message = await answer
        except TimeoutError as error:
            raise BenchError(f"{method} got no answer within {CALL_SECONDS:g} s") from error
        finally:
            del self._pending[ident]
        if "error" in message:
            raise BenchError(f"{method}: {message['error']['message']}")
        result: dict[str, Any] = message["result"]
        return result

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.disconnect()

    def on_ws_connected(self, transport: picows.WSTransport) -> None:
        """Keep the socket."""
        self._socket = transport

    def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
        """Hand whole messages to whoever waits for them."""
        if frame.msg_type == picows.WSMsgType.CLOSE:
            transport.disconnect()
            return
        self._parts.append(frame.get_payload_as_bytes())
        if frame.fin:
            message = json.loads(b"".join(self._parts))
            self._parts = []
            if "id" not in message:
                self.heard(message)
            answer = self._pending.get(message.get("id", 0))
            if answer is not None and not answer.done():
                answer.set_result(message)

    def on_ws_disconnected(self, transport: picows.WSTransport) -> None:
        """Fail at once what can no longer be answered."""
        self._socket = None
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(BenchError("Chromium closed the side channel."))

    async def _attach(self, target: str) -> ProbeTab:
        result = await self.call("Target.attachToTarget", targetId=target, flatten=True)
        return ProbeTab(self, target, result["sessionId"])

    def _send(self, command: dict[str, object]) -> None:
        if self._socket is None:
            raise BenchError("The side channel to Chromium is closed.")
        self._socket.send(picows.WSMsgType.TEXT, json.dumps(command).encode())


@dataclass(frozen=True)
class ProbeTab:
    """One tab as the side channel sees it."""

    probe: Probe
    target: str
    session: str

    async def evaluate(self, expression: str) -> object:
        """The value of an expression in the page, promises awaited."""
        result = await self.probe.call(
            "Runtime.evaluate",
            self.session,
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
        )
        if "exceptionDetails" in result:
            raise BenchError(f"{expression}: {result['exceptionDetails']['text']}")
        value: object = result["result"].get("value")
        return value

    async def show(self) -> None:
        """Bring the tab to the front and return when it has drawn a frame there and is at rest.

        Servers differ in how long they wait for a page; what is measured next must not.
        Some tools of the peers hang on a tab in the background, so every server gets the front.
        """
        await self.probe.call("Target.activateTarget", targetId=self.target)
        await self.evaluate(_AT_REST)

    async def close(self) -> None:
        """Close the tab."""
        await self.probe.call("Target.closeTarget", targetId=self.target)


@asynccontextmanager
async def open_probe(websocket: str) -> AsyncIterator[Probe]:
    """Connect to Chromium's browser endpoint."""
    async with asyncio.timeout(CALL_SECONDS):
        _, probe = await picows.ws_connect(
            Probe,
            websocket,
            max_frame_size=1 << 26,
            websocket_handshake_timeout=CALL_SECONDS,
        )
    assert isinstance(probe, Probe)
    try:
        yield probe
    finally:
        probe.close()
