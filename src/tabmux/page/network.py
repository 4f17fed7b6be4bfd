"""The requests of a page: what was asked for, and what came back."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field

from tabmux.cdp.connection import Channel, Params
from tabmux.errors import ProtocolFault
from tabmux.page.frames import Frames
from tabmux.page.history import History

KEPT = 1000
FRAMES_KEPT = 200
FRAME_TEXT = 1000


@dataclass
class Frame:
    """One message of a WebSocket."""

    sent: bool
    text: str
    at: float


@dataclass
class Request:
    """A request and how it ended; bodies stay in Chrome until they are asked for."""

    id: int
    key: str
    channel: Channel
    url: str
    method: str
    type: str
    started: float
    loader: str = ""
    request_headers: Params = field(default_factory=dict)
    response_headers: Params = field(default_factory=dict)
    has_body: bool = False
    status: int | None = None
    mime: str = ""
    failure: str = ""
    ended: float | None = None
    size: int | None = None
    initiator: str = ""
    from_cache: bool = False
    redirected_from: Request | None = None
    frames: list[Frame] = field(default_factory=list)
    frames_dropped: int = 0

    @property
    def outcome(self) -> str:
        """Say in a word how it ended."""
        if self.failure:
            return self.failure
        return str(self.status) if self.status is not None else "pending"

    @property
    def milliseconds(self) -> float | None:
        """How long it took."""
        return None if self.ended is None else (self.ended - self.started) * 1000

    @property
    def line(self) -> str:
        """Return the request as a list shows it."""
        facts = [self.type.lower()]
        if self.milliseconds is not None:
            facts.append(f"{self.milliseconds:.0f} ms")
        if self.size is not None:
            facts.append(_bytes(self.size))
        if self.from_cache:
            facts.append("cached")
        url = self.url if len(self.url) <= 255 else f"{self.url[:255]}…"
        return f"reqid={self.id} {self.method} {url} [{self.outcome}] {', '.join(facts)}"


class Network:
    """Collects the requests of all frames of a page."""

    def __init__(self, frames: Frames) -> None:
        self.history: History[Request] = History(KEPT)
        self._open: dict[str, Request] = {}
        frames.on_channel(self._listen)

    def turn(self, loader: str) -> None:
        """Begin a new document; the requests that are part of it come along."""
        carried = [r for r in self.history.items() if r.loader == loader]
        self.history.turn(carried)
        kept = {request.key for request in carried}
        self._open = {key: r for key, r in self._open.items() if key in kept}

    def find(self, ident: int) -> Request | None:
        """Return a request by id."""
        return next((r for r in self.history.items(preserved=True) if r.id == ident), None)

    async def request_body(self, request: Request) -> bytes | None:
        """Return what was sent, if anything was and Chrome still knows it."""
        if not request.has_body:
            return None
        try:
            found = await request.channel.call(
                "Network.getRequestPostData", {"requestId": request.key}
            )
        except ProtocolFault:
            return None
        return str(found["postData"]).encode()

    async def response_body(self, request: Request) -> bytes | None:
        """Return what came back, if Chrome still knows it."""
        try:
            found = await request.channel.call(
                "Network.getResponseBody", {"requestId": request.key}
            )
        except ProtocolFault:
            return None
        body = str(found["body"])
        return base64.b64decode(body) if found["base64Encoded"] else body.encode()

    def _listen(self, channel: Channel) -> None:
        for event, handler in (
            ("Network.requestWillBeSent", lambda p: self._started(p, channel)),
            ("Network.requestWillBeSentExtraInfo", self._sent_headers),
            ("Network.responseReceived", self._answered),
            ("Network.responseReceivedExtraInfo", self._received_headers),
            ("Network.requestServedFromCache", self._cached),
            ("Network.loadingFinished", self._finished),
            ("Network.loadingFailed", self._failed),
            ("Network.webSocketCreated", lambda p: self._socket(p, channel)),
            ("Network.webSocketHandshakeResponseReceived", self._socket_answered),
            ("Network.webSocketFrameSent", lambda p: self._frame(p, sent=True)),
            ("Network.webSocketFrameReceived", lambda p: self._frame(p, sent=False)),
            ("Network.webSocketClosed", self._socket_closed),
        ):
            channel.on(event, handler)

    def _started(self, params: Params, channel: Channel) -> None:
        asked, key = params["request"], params["requestId"]
        before = self._open.pop(key, None)
        if before is not None and "redirectResponse" in params:
            self._answer(before, params["redirectResponse"])
            before.ended = params["timestamp"]
        request = Request(
            self.history.next_id(),
            key,
            channel,
            asked["url"] + asked.get("urlFragment", ""),
            asked["method"],
            params.get("type", "Other"),
            params["timestamp"],
            params.get("loaderId", ""),
            asked["headers"],
            has_body=asked.get("hasPostData", False),
            initiator=_initiator(params.get("initiator", {})),
            redirected_from=before if "redirectResponse" in params else None,
        )
        self._open[key] = request
        self.history.add(request)

    def _sent_headers(self, params: Params) -> None:
        if request := self._open.get(params["requestId"]):
            request.request_headers = params["headers"]

    def _received_headers(self, params: Params) -> None:
        if request := self._open.get(params["requestId"]):
            request.response_headers = params["headers"]

    def _answered(self, params: Params) -> None:
        if request := self._open.get(params["requestId"]):
            request.type = params.get("type", request.type)
            self._answer(request, params["response"])

    def _answer(self, request: Request, response: Params) -> None:
        request.status, request.mime = response["status"], response["mimeType"]
        request.response_headers = request.response_headers or response["headers"]
        request.from_cache = request.from_cache or bool(response.get("fromDiskCache"))

    def _cached(self, params: Params) -> None:
        if request := self._open.get(params["requestId"]):
            request.from_cache = True

    def _finished(self, params: Params) -> None:
        if request := self._open.pop(params["requestId"], None):
            request.ended = params["timestamp"]
            request.size = round(params["encodedDataLength"])

    def _failed(self, params: Params) -> None:
        if request := self._open.pop(params["requestId"], None):
            request.ended = params["timestamp"]
            request.failure = params.get("blockedReason") or params["errorText"]

    def _socket(self, params: Params, channel: Channel) -> None:
        request = Request(
            self.history.next_id(),
            params["requestId"],
            channel,
            params["url"],
            "GET",
            "WebSocket",
            0.0,
            initiator=_initiator(params.get("initiator", {})),
        )
        self._open[request.key] = request
        self.history.add(request)

    def _socket_answered(self, params: Params) -> None:
        if request := self._open.get(params["requestId"]):
            request.status = params["response"]["status"]
            request.started = params["timestamp"]
            request.response_headers = params["response"]["headers"]
            request.request_headers = params["response"].get("requestHeaders", {})

    def _frame(self, params: Params, *, sent: bool) -> None:
        request = self._open.get(params["requestId"])
        if request is None:
            return
        if len(request.frames) >= FRAMES_KEPT:
            request.frames.pop(0)
            request.frames_dropped += 1
        text = params["response"]["payloadData"][:FRAME_TEXT]
        request.frames.append(Frame(sent, text, params["timestamp"]))

    def _socket_closed(self, params: Params) -> None:
        if request := self._open.pop(params["requestId"], None):
            request.ended = params["timestamp"]


def _initiator(found: Params) -> str:
    frames = found.get("stack", {}).get("callFrames", ())
    if frames:
        return f"{frames[0]['url']}:{frames[0]['lineNumber'] + 1}"
    if url := found.get("url"):
        return f"{url}:{int(found.get('lineNumber', 0)) + 1}"
    return str(found.get("type", ""))


def _bytes(count: int) -> str:
    return f"{count} B" if count < 1000 else f"{count / 1000:.1f} kB"
