"""Network requests, joined from the events that tell of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from tabmux.analysis.trace.call_frames import CallFrame, StackFrame, top_frame
from tabmux.analysis.trace.trace_event import TraceEvent, TraceListener, data_decoder

NOT_BLOCKING = frozenset(
    ("", "non_blocking", "dynamically_injected_non_blocking", "potentially_blocking")
)
# Read from the disk or from memory: nobody waits for a server, and nothing is to be cached.
NOT_NETWORK = ("blob:", "chrome-extension:", "data:", "file:", "filesystem:", "intent:")


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """One finished request; times are microseconds of the trace's clock.

    Attributes:
        started: When the page first asked for it, before any redirect.
        sent: When it went out on the connection.
        first_byte: When the first byte of the final response came.
        network_end: When the last byte came.
        ended: When the page's main thread had been told of the end.
        encoded: Bytes on the wire, with headers.
        decoded: Bytes of the body, unpacked.
    """

    id: str
    url: str
    started: float
    ended: float
    frame: str = ""
    kind: str = ""
    priority: str = ""
    fetch_priority: str = ""
    blocking: str = ""
    preload: bool = False
    initiator_type: str = ""
    initiator_url: str = ""
    caller: CallFrame | None = None
    sent: float = 0
    first_byte: float = 0
    network_end: float = 0
    server_ms: float = 0
    status: int = 0
    mime: str = ""
    protocol: str = ""
    cached: bool = False
    encoded: int = 0
    decoded: int = 0
    redirects: tuple[str, ...] = ()
    redirect_ms: float = 0
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def ms(self) -> float:
        """How long it took, from being asked for to being handed over."""
        return (self.ended - self.started) / 1000

    @property
    def over_network(self) -> bool:
        """Whether a server or a cache had to answer it."""
        return not self.url.startswith(NOT_NETWORK)

    @property
    def blocks(self) -> bool:
        """Whether Chrome held rendering or parsing for it."""
        return self.blocking not in NOT_BLOCKING

    @property
    def asked_by(self) -> str:
        """The URL of the document, sheet or script that asked for it."""
        return self.initiator_url or (self.caller.url if self.caller else "")


@dataclass(frozen=True, slots=True)
class Preconnect:
    """The page asked for a connection ahead of time."""

    ts: float
    url: str


class TraceRequests:
    """Collects what happened to each request."""

    def __init__(self) -> None:
        self.preconnects: list[Preconnect] = []
        self._requests: dict[str, _RequestEvents] = {}
        self._data = data_decoder(_Data)
        self._sent = data_decoder(_Sent)
        self._response = data_decoder(_Response)
        self._finish = data_decoder(_Finish)

    def listeners(self) -> Mapping[str, TraceListener]:
        """Say which events tell of requests."""
        return {
            "ResourceWillSendRequest": self._handle_will_send,
            "ResourceSendRequest": self._handle_send,
            "ResourceReceiveResponse": self._handle_response,
            "ResourceFinish": self._handle_finish,
            "ResourceChangePriority": self._handle_priority,
            "ResourceMarkAsCached": self._handle_cached,
            "PreloadRenderBlockingStatusChange": self._handle_blocking,
            "LinkPreconnect": self._handle_preconnect,
        }

    def requests(self) -> list[TraceRequest]:
        """List the requests that finished, in the order they were made."""
        found = (events.request() for events in self._requests.values())
        return sorted((r for r in found if r is not None), key=lambda request: request.started)

    def _events_of(self, request_id: str) -> _RequestEvents:
        return self._requests.setdefault(request_id, _RequestEvents(request_id))

    def _handle_will_send(self, event: TraceEvent) -> None:
        self._events_of(self._data(event).request_id).asked.append(event.ts)

    def _handle_send(self, event: TraceEvent) -> None:
        sent = self._sent(event)
        self._events_of(sent.request_id).sends.append((event.ts, sent))

    def _handle_response(self, event: TraceEvent) -> None:
        response = self._response(event)
        events = self._events_of(response.request_id)
        events.response, events.responded = response, event.ts

    def _handle_finish(self, event: TraceEvent) -> None:
        finish = self._finish(event)
        events = self._events_of(finish.request_id)
        events.finish, events.ended = finish, event.ts

    def _handle_priority(self, event: TraceEvent) -> None:
        data = self._data(event)
        self._events_of(data.request_id).priority = data.priority

    def _handle_cached(self, event: TraceEvent) -> None:
        self._events_of(self._data(event).request_id).cached = True

    def _handle_blocking(self, event: TraceEvent) -> None:
        data = self._data(event)
        self._events_of(data.request_id).blocking = data.render_blocking

    def _handle_preconnect(self, event: TraceEvent) -> None:
        data = self._data(event)
        self.preconnects.append(Preconnect(event.ts, data.url))


@dataclass
class _RequestEvents:
    """Everything heard about one request id; several sends are redirects."""

    id: str
    asked: list[float] = field(default_factory=list)
    sends: list[tuple[float, _Sent]] = field(default_factory=list)
    priority: str = ""
    blocking: str = ""
    cached: bool = False
    responded: float = 0
    ended: float = 0
    response: _Response | None = None
    finish: _Finish | None = None

    def request(self) -> TraceRequest | None:
        if not self.sends or self.finish is None:
            return None
        response, finish, sent = self.response or _Response(), self.finish, self.sends[-1][1]
        if sent.url.startswith("data:"):
            return None  # it came with the document, or with whatever asked for it
        starts = self._starts()
        return TraceRequest(
            id=self.id,
            url=sent.url,
            frame=sent.frame,
            kind=sent.resource_type,
            priority=self.priority or sent.priority,
            fetch_priority=sent.fetch_priority_hint,
            blocking=self.blocking or sent.render_blocking,
            preload=sent.is_link_preload,
            initiator_type=sent.initiator.type,
            initiator_url=sent.initiator.url,
            caller=top_frame(sent.stack_trace),
            started=starts[0],
            redirects=tuple(earlier.url for _, earlier in self.sends[:-1]),
            redirect_ms=(starts[-1] - starts[0]) / 1000,
            sent=response.sent() or starts[-1],
            first_byte=response.first_byte() or self.responded or starts[-1],
            network_end=round(finish.finish_time * 1e6) or self.ended,
            ended=self.ended,
            server_ms=response.server_ms(),
            status=response.status_code,
            mime=response.mime_type,
            protocol=response.protocol,
            cached=self.cached or response.from_cache,
            encoded=finish.encoded_data_length,
            decoded=finish.decoded_body_length,
            headers={header.name.lower(): header.value for header in response.headers},
        )

    def _starts(self) -> list[float]:
        # The browser process announces documents before their renderer exists.
        sends = sorted(ts for ts, _ in self.sends)
        asked = sorted(self.asked)
        return asked if len(asked) >= len(sends) else [min(asked + sends[:1]), *sends[1:]]


class _Data(msgspec.Struct, rename="camel"):
    request_id: str = ""
    priority: str = ""
    render_blocking: str = ""
    url: str = ""


class _Initiator(msgspec.Struct):
    type: str = ""
    url: str = ""


class _Sent(msgspec.Struct, rename="camel"):
    request_id: str = ""
    url: str = ""
    frame: str = ""
    priority: str = ""
    resource_type: str = ""
    fetch_priority_hint: str = ""
    render_blocking: str = ""
    is_link_preload: bool = False
    initiator: _Initiator = msgspec.field(default_factory=_Initiator)
    stack_trace: list[StackFrame] = []


class _Header(msgspec.Struct):
    name: str = ""
    value: str = ""


class _Timing(msgspec.Struct, rename="camel"):
    """Seconds for `request_time`, milliseconds after it for the rest; -1 is never."""

    request_time: float = 0
    send_start: float = -1
    send_end: float = -1
    receive_headers_start: float = -1
    receive_headers_end: float = -1

    def headers_at(self) -> float:
        early = self.receive_headers_start
        return early if early >= 0 else self.receive_headers_end


class _Response(msgspec.Struct, rename="camel"):
    request_id: str = ""
    mime_type: str = ""
    status_code: int = 0
    protocol: str = ""
    from_cache: bool = False
    headers: list[_Header] = []
    timing: _Timing | None = None

    def sent(self) -> float:
        if self.timing is None or self.timing.send_start < 0:
            return 0
        return round(self.timing.request_time * 1e6 + self.timing.send_start * 1e3)

    def first_byte(self) -> float:
        if self.timing is None or self.timing.headers_at() < 0:
            return 0
        return round(self.timing.request_time * 1e6 + self.timing.headers_at() * 1e3)

    def server_ms(self) -> float:
        if self.timing is None or self.timing.send_end < 0:
            return 0
        return max(0.0, self.timing.headers_at() - self.timing.send_end)


class _Finish(msgspec.Struct, rename="camel"):
    request_id: str = ""
    encoded_data_length: int = 0
    decoded_body_length: int = 0
    finish_time: float = 0
