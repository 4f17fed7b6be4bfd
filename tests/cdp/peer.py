"""An in-memory CDP peer: answers what the test tells it to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.channel import Channel
from tabmux.cdp.transports import Closed, Receive

Answer = Callable[[dict[str, Any]], dict[str, Any] | None]


class FakeBrowser:
    """A transport whose far end is the test.

    `answers` maps a method to a function from its parameters to a result; a method without
    one is never answered. Everything that was sent is kept in `sent`.
    """

    def __init__(self, answers: dict[str, Answer] | None = None) -> None:
        self.answers = answers or {}
        self.sent: list[dict[str, Any]] = []
        self._receive: Receive
        self._closed: Closed

    def start(self, receive: Receive, closed: Closed) -> None:
        self._receive, self._closed = receive, closed

    def send(self, message: bytes) -> None:
        command = json.loads(message)
        self.sent.append(command)
        answer = self.answers.get(command["method"])
        if answer is None:
            return
        result = answer(command["params"])
        if result is not None:
            self.say({"id": command["id"], "result": result})

    def close(self) -> None:
        self._closed("closed by us")

    def say(self, message: dict[str, Any]) -> None:
        """Send a message as Chrome would, without spaces."""
        self._receive(json.dumps(message, separators=(",", ":")).encode())

    def say_raw(self, message: bytes) -> None:
        """Send bytes as they are."""
        self._receive(message)

    def event(self, method: str, params: dict[str, Any] | None = None, session: str = "") -> None:
        """Send an event."""
        message: dict[str, Any] = {"method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self.say(message)

    def attach(self, session: str, parent: str = "", kind: str = "page") -> None:
        """Announce a new flattened session."""
        info = {"targetId": f"target-{session}", "type": kind, "url": ""}
        self.event("Target.attachedToTarget", {"sessionId": session, "targetInfo": info}, parent)

    def hang_up(self, reason: str = "gone") -> None:
        """End the link from the far side."""
        self._closed(reason)


def connect(**answers: Any) -> tuple[CdpConnection, FakeBrowser]:
    peer = FakeBrowser({name.replace("_", "."): answer for name, answer in answers.items()})
    return CdpConnection(peer), peer


def attached(connection: CdpConnection, peer: FakeBrowser, session: str = "S") -> Channel:
    peer.attach(session)
    channel = connection.browser.child(session)
    assert channel is not None
    return channel
