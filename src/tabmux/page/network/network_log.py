"""Network log: what the frames and workers of a page requested, and what came back."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterable

from tabmux.cdp.channel import Channel, Params
from tabmux.errors import TabmuxError
from tabmux.page.bounded_log import BoundedLog
from tabmux.page.frame_tree import FrameTree
from tabmux.page.network.network_request import PACKET_TEXT, Request, RequestTiming, StreamMessage
from tabmux.page.workers import Workers
from tabmux.page_text import address

KEPT = 1000
BUDGET = 12_000_000
# A data: URL is as long as what it holds, and a header as long as a server likes.
URL_LIMIT = 8192
HEADER_LIMIT = 8192
EARLY_KEPT = 100
# What Python needs to hold a request and one header of it, beside their text.
REQUEST_WEIGHT = 1000
HEADER_WEIGHT = 120


class NetworkLog:
    """Collects the requests of all frames and workers of a page."""

    def __init__(self, frames: FrameTree, workers: Workers) -> None:
        self.records: BoundedLog[Request] = BoundedLog(KEPT, BUDGET)
        # The requests of the current document by Chrome's id; of redirects, the newest.
        self._current: dict[str, Request] = {}
        # Headers as they were sent, told before the request itself was.
        self._early_headers: dict[str, Params] = {}
        # When a request last began or ended.
        self.last_activity = 0.0
        frames.on_channel(self._listen)
        workers.on_channel(self._listen)
        workers.on_channel(lambda channel: channel.send("Network.enable"))

    def begin_document(self, loader: str) -> None:
        """Begin a new document; the requests that are part of it come along."""
        carried = [r for r in self.records.items() if r.loader == loader]
        self.records.begin_document(carried)
        self._current = {request.key: request for request in carried}
        self._early_headers.clear()

    def find(self, ident: int) -> Request | None:
        """Return a request by id."""
        return next((r for r in self.records.items(preserved=True) if r.id == ident), None)

    def known(self, key: str) -> Request | None:
        """Return a request of the current document by Chrome's id."""
        return self._current.get(key)

    @property
    def pending(self) -> list[Request]:
        """The requests that are under way; streams, which need not end, are left out."""
        return [r for r in self._current.values() if r.ended is None and not _may_stream(r)]

    def has_asked_for(self, kind: str) -> bool:
        """Whether the current document has asked for anything of a kind, as Chrome calls it."""
        return any(request.type == kind for request in self._current.values())

    def is_part(self, key: str, loader: str) -> bool:
        """Whether a request is part of a document that is about to begin, as far as we know."""
        request = self._current.get(key)
        return request is None or request.loader == loader

    async def request_body(self, request: Request) -> bytes | None:
        """Return what was sent, if anything was and Chrome still knows it."""
        if not request.has_body:
            return None
        return await _body(request, "Network.getRequestPostData", "postData")

    async def response_body(self, request: Request) -> bytes | None:
        """Return what came back, if Chrome still knows it."""
        return await _body(request, "Network.getResponseBody", "body")

    def _listen(self, channel: Channel) -> None:
        for event, handler in (
            ("Network.requestWillBeSent", lambda p: self._started(p, channel)),
            ("Network.requestWillBeSentExtraInfo", self._sent_headers),
            ("Network.responseReceived", lambda p: self._answered(p, channel)),
            ("Network.responseReceivedExtraInfo", self._received_headers),
            ("Network.requestServedFromCache", self._cached),
            ("Network.loadingFinished", self._finished),
            ("Network.loadingFailed", self._failed),
            ("Network.eventSourceMessageReceived", self._event_received),
            ("Network.webSocketCreated", lambda p: self._socket_created(p, channel)),
            ("Network.webSocketWillSendHandshakeRequest", self._socket_started),
            ("Network.webSocketHandshakeResponseReceived", self._socket_answered),
            ("Network.webSocketFrameSent", lambda p: self._frame(p, sent=True)),
            ("Network.webSocketFrameReceived", lambda p: self._frame(p, sent=False)),
            ("Network.webSocketFrameError", self._socket_failed),
            ("Network.webSocketClosed", self._socket_closed),
        ):
            channel.on(event, handler)

    def _add(self, request: Request) -> None:
        self.last_activity = time.monotonic()
        self._current[request.key] = request
        request.weight = REQUEST_WEIGHT + len(request.url) + _weight(request.request_headers)
        self._forget(self.records.add(request))

    def _forget(self, gone: Iterable[Request]) -> None:
        for request in gone:
            if self._current.get(request.key) is request:
                del self._current[request.key]

    def _grow(self, request: Request, weight: int) -> None:
        self._forget(self.records.grow(request, weight))

    def _started(self, params: Params, channel: Channel) -> None:
        asked, key = params["request"], params["requestId"]
        before = self._current.get(key) if "redirectResponse" in params else None
        if before is not None:
            self._answer(before, params["redirectResponse"])
            before.ended = params["timestamp"]
        headers = self._early_headers.pop(key, None) or asked["headers"]
        request = Request(
            self.records.next_id(),
            key,
            channel,
            (asked["url"] + asked.get("urlFragment", ""))[:URL_LIMIT],
            asked["method"],
            params.get("type", "Other"),
            params["timestamp"],
            params["wallTime"],
            params.get("loaderId", ""),
            request_headers=_cut(headers),
            has_body=asked.get("hasPostData", False),
            initiator=_initiator(params.get("initiator", {})),
            redirected_from=before,
        )
        self._add(request)

    def _sent_headers(self, params: Params) -> None:
        request = self._current.get(params["requestId"])
        if request is None or request.status is not None:
            self._early_headers[params["requestId"]] = params["headers"]
            if len(self._early_headers) > EARLY_KEPT:
                del self._early_headers[next(iter(self._early_headers))]
            return
        before, request.request_headers = request.request_headers, _cut(params["headers"])
        self._grow(request, _weight(request.request_headers) - _weight(before))

    def _received_headers(self, params: Params) -> None:
        if request := self._current.get(params["requestId"]):
            hop = request.redirected_from
            late = hop is not None and request.status is None and hop.status == params["statusCode"]
            self._keep_headers(hop if hop is not None and late else request, params["headers"])

    def _keep_headers(self, request: Request, headers: Params) -> None:
        before, request.response_headers = request.response_headers, _cut(headers)
        self._grow(request, _weight(request.response_headers) - _weight(before))

    def _answered(self, params: Params, channel: Channel) -> None:
        if request := self._current.get(params["requestId"]):
            # The document of an out-of-process frame is asked for by its parent's process.
            request.channel = channel
            request.type = params.get("type", request.type)
            self._answer(request, params["response"])

    def _answer(self, request: Request, response: Params) -> None:
        request.status, request.mime = response["status"], response["mimeType"]
        request.status_text = response.get("statusText", "")
        request.protocol = response.get("protocol", "")
        request.address = response.get("remoteIPAddress", "")
        if timing := response.get("timing"):
            request.timing = RequestTiming.of(timing)
        if response.get("fromServiceWorker"):
            request.served_by = "from service worker"
        elif response.get("fromDiskCache"):
            request.served_by = "cached"
        if not request.response_headers:
            self._keep_headers(request, response["headers"])

    def _cached(self, params: Params) -> None:
        if request := self._current.get(params["requestId"]):
            request.served_by = "cached"

    def _finished(self, params: Params) -> None:
        self.last_activity = time.monotonic()
        if request := self._current.get(params["requestId"]):
            request.ended = params["timestamp"]
            request.size = round(params["encodedDataLength"])

    def _failed(self, params: Params) -> None:
        self.last_activity = time.monotonic()
        if request := self._current.get(params["requestId"]):
            request.ended = params["timestamp"]
            request.failure = params.get("blockedReason") or params["errorText"]

    def _event_received(self, params: Params) -> None:
        name = params["eventName"]
        text = params["data"] if name == "message" else f"{name}: {params['data']}"
        self._add_stream_message(params, text, sent=False)

    def _socket_created(self, params: Params, channel: Channel) -> None:
        request = Request(
            self.records.next_id(),
            params["requestId"],
            channel,
            params["url"][:URL_LIMIT],
            "GET",
            "WebSocket",
            0.0,
            initiator=_initiator(params.get("initiator", {})),
        )
        self._add(request)

    def _socket_started(self, params: Params) -> None:
        if request := self._current.get(params["requestId"]):
            request.started, request.wall = params["timestamp"], params["wallTime"]
            request.request_headers = _cut(params["request"]["headers"])

    def _socket_answered(self, params: Params) -> None:
        if request := self._current.get(params["requestId"]):
            response = params["response"]
            request.status, request.status_text = response["status"], response["statusText"]
            self._keep_headers(request, response["headers"])
            request.request_headers = _cut(response.get("requestHeaders", {}))

    def _frame(self, params: Params, *, sent: bool) -> None:
        response = params["response"]
        text = response["payloadData"]
        if response["opcode"] != 1:
            text = f"<{len(text) * 3 // 4 - text.count('=', -2)} bytes of binary data>"
        self._add_stream_message(params, text, sent=sent)

    def _add_stream_message(self, params: Params, text: str, *, sent: bool) -> None:
        if request := self._current.get(params["requestId"]):
            packet = StreamMessage(sent, text[:PACKET_TEXT], params["timestamp"])
            self._grow(request, request.note(packet))

    def _socket_failed(self, params: Params) -> None:
        if request := self._current.get(params["requestId"]):
            request.failure = params["errorMessage"]

    def _socket_closed(self, params: Params) -> None:
        if request := self._current.get(params["requestId"]):
            request.ended = params["timestamp"]


def _may_stream(request: Request) -> bool:
    # Chromium 156 says nothing of the end of a fetch whose body the page does not read.
    return request.streams or (request.type == "Fetch" and request.status is not None)


async def _body(request: Request, method: str, name: str) -> bytes | None:
    try:
        found = await request.channel.call(method, {"requestId": request.key})
    except TabmuxError:
        return None
    body = str(found[name])
    return base64.b64decode(body) if found.get("base64Encoded") else body.encode()


def _cut(headers: Params) -> Params:
    return {name: text[:HEADER_LIMIT] for name, text in headers.items()}


def _weight(headers: Params) -> int:
    return sum(HEADER_WEIGHT + len(name) + len(text) for name, text in headers.items())


def _initiator(found: Params) -> str:
    """Say what caused a request: the place in a script or a document, or only the kind."""
    trace = found.get("stack")
    while trace is not None:
        for frame in trace["callFrames"]:
            return f"{address(frame['url'])}:{frame['lineNumber'] + 1}"
        trace = trace.get("parent")
    if url := found.get("url"):
        return f"{address(url)}:{int(found.get('lineNumber', 0)) + 1}"
    return str(found.get("type", ""))
