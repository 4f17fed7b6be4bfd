"""A tab's collectors on a browser that the test plays."""

from __future__ import annotations

from typing import Any

from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.channel import Channel
from tabmux.concurrency import Signal
from tabmux.page.console.console_log import ConsoleLog
from tabmux.page.frame_tree import FrameTree
from tabmux.page.network.network_log import NetworkLog
from tabmux.page.workers import Workers
from tabmux.timings import Timings
from tests.cdp.peer import FakeBrowser

PAGE = "page"


class Wiring:
    """A tab that listens, and what Chrome says to it."""

    def __init__(self) -> None:
        self.peer = FakeBrowser()
        self.connection = CdpConnection(self.peer)
        self.frames = FrameTree(Signal(), Timings())
        self.workers = Workers(self.frames)
        self.console = ConsoleLog(self.frames, self.workers)
        self.network = NetworkLog(self.frames, self.workers)
        self.peer.attach(PAGE)
        self.frames._listen(self.channel())

    def channel(self, session: str = PAGE) -> Channel:
        return self.connection.channels[session]

    def sent(self, session: str) -> list[str]:
        """The methods that were called on a session."""
        return [each["method"] for each in self.peer.sent if each.get("sessionId") == session]

    def say(self, event: str, session: str = PAGE, **params: Any) -> None:
        self.peer.event(event, params, session)

    def log(self, *values: Any, session: str = PAGE, **more: Any) -> None:
        """Say that the page logged strings."""
        args = [{"type": "string", "value": value} for value in values]
        self.say("Runtime.consoleAPICalled", session, type="log", args=args, **more)

    def lines(self) -> list[str]:
        return [message.line for message in self.console.records.items()]

    def request(
        self, key: str, url: str = "http://x.test/", session: str = PAGE, **more: Any
    ) -> None:
        """Say that the page asked for something."""
        asked = {"url": url, "method": "GET", "headers": {"A": "1"}}
        facts = {"loaderId": "L", "timestamp": 1.0, "wallTime": 1e9, "type": "Fetch", **more}
        self.say("Network.requestWillBeSent", session, requestId=key, request=asked, **facts)

    def answer(self, key: str, status: int = 200, session: str = PAGE, **more: Any) -> None:
        self.say(
            "Network.responseReceived", session, requestId=key, type="Fetch",
            response=response(status, **more),
        )  # fmt: skip

    def told(self, key: str, status: int, headers: dict[str, str]) -> None:
        """Say which headers really came back."""
        self.say(
            "Network.responseReceivedExtraInfo", requestId=key, statusCode=status, headers=headers
        )


def response(status: int, **more: Any) -> dict[str, Any]:
    return {"status": status, "mimeType": "text/plain", "headers": {"B": "2"}, **more}
