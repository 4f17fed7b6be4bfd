"""Paused requests: held on their way until somebody decides what becomes of them."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tabmux.cdp.channel import Channel, Params

EVERYTHING: Sequence[Params] = ({"urlPattern": "*"},)


@dataclass(frozen=True)
class PausedRequest:
    """A request that waits for a decision."""

    id: str
    url: str
    method: str
    type: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class RequestDecision:
    """What becomes of a request; without any more said, it goes on as it is.

    Args:
        error: Fail with this reason of Chrome's.
        answer: Answer in the server's place.
        changes: What is different when it goes on, as Chrome takes it.
        delay: Seconds to hold it before.
    """

    error: str = ""
    answer: MockResponse | None = None
    changes: Params = field(default_factory=dict)
    delay: float = 0.0


@dataclass(frozen=True)
class MockResponse:
    """A response that no server gave."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class PausedRequests:
    """Holds the requests of one channel until `decide` has said what becomes of each."""

    def __init__(
        self, channel: Channel, decide: Callable[[PausedRequest], RequestDecision]
    ) -> None:
        self._channel, self._decide = channel, decide
        channel.on("Fetch.requestPaused", self._paused)

    def start(self, patterns: Sequence[Params] = EVERYTHING) -> asyncio.Future[Params]:
        """Hold the requests that match one of Chrome's patterns."""
        return self._channel.call("Fetch.enable", {"patterns": list(patterns)})

    def stop(self) -> asyncio.Future[Params]:
        """Let every request pass."""
        return self._channel.call("Fetch.disable")

    def _paused(self, params: Params) -> None:
        request = params["request"]
        paused = PausedRequest(
            params["requestId"],
            request["url"] + request.get("urlFragment", ""),
            request["method"],
            params["resourceType"],
            request["headers"],
        )
        decision = self._decide(paused)
        method, command = _command(paused, decision)
        if decision.delay:
            asyncio.get_running_loop().call_later(
                decision.delay, self._channel.send, method, command
            )
        else:
            self._channel.send(method, command)


def _command(paused: PausedRequest, decision: RequestDecision) -> tuple[str, Params]:
    which: Params = {"requestId": paused.id}
    if decision.error:
        return "Fetch.failRequest", {**which, "errorReason": decision.error}
    if decision.answer is None:
        return "Fetch.continueRequest", {**which, **decision.changes}
    answer = decision.answer
    return "Fetch.fulfillRequest", {
        **which,
        "responseCode": answer.status,
        "responseHeaders": pairs(answer.headers),
        "body": base64.b64encode(answer.body).decode(),
    }


def pairs(headers: Mapping[str, str]) -> list[Params]:
    """Return headers as Chrome takes them."""
    return [{"name": name, "value": value} for name, value in headers.items()]
