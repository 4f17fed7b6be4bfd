"""Request: what was asked for, what came back, and how long each part took."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabmux.cdp.channel import Channel, Params
from tabmux.page_text import address

PACKETS_KEPT = 200
PACKET_TEXT = 1000
# What Python needs to hold one.
PACKET_WEIGHT = 200
URL_SHOWN = 255


@dataclass(slots=True)
class StreamMessage:
    """One message of a WebSocket or an event stream."""

    sent: bool
    text: str
    at: float


@dataclass(slots=True)
class RequestTiming:
    """When the parts of a request began and ended: milliseconds after `base`, -1 for none."""

    base: float
    dns: tuple[float, float]
    connect: tuple[float, float]
    tls: tuple[float, float]
    send: tuple[float, float]
    answered: float

    @classmethod
    def of(cls, found: Params) -> RequestTiming:
        """Read Chrome's numbers."""

        def span(name: str) -> tuple[float, float]:
            return found.get(f"{name}Start", -1), found.get(f"{name}End", -1)

        return cls(
            found["requestTime"],
            span("dns"),
            span("connect"),
            span("ssl"),
            span("send"),
            found.get("receiveHeadersEnd", -1),
        )


@dataclass(slots=True, eq=False)
class Request:
    """A request and how it ended; bodies stay in Chrome until they are asked for."""

    id: int
    key: str
    channel: Channel
    url: str
    method: str
    type: str
    started: float
    wall: float = 0.0
    loader: str = ""
    weight: int = 0
    request_headers: Params = field(default_factory=dict)
    response_headers: Params = field(default_factory=dict)
    has_body: bool = False
    status: int | None = None
    status_text: str = ""
    protocol: str = ""
    address: str = ""
    mime: str = ""
    failure: str = ""
    ended: float | None = None
    size: int | None = None
    initiator: str = ""
    served_by: str = ""
    timing: RequestTiming | None = None
    redirected_from: Request | None = None
    packets: list[StreamMessage] = field(default_factory=list)
    packets_seen: int = 0

    @property
    def outcome(self) -> str:
        """Say in a word how it ended."""
        if self.failure:
            return self.failure
        return str(self.status) if self.status is not None else "pending"

    @property
    def streams(self) -> bool:
        """Whether it carries messages rather than a body."""
        return self.type in ("WebSocket", "EventSource")

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
        if self.served_by:
            facts.append(self.served_by)
        if self.packets_seen:
            facts.append(f"{self.packets_seen} messages")
        url = address(self.url, URL_SHOWN)
        return f"reqid={self.id} {self.method} {url} [{self.outcome}] {', '.join(facts)}"

    def note(self, packet: StreamMessage) -> int:
        """Keep a message, at the cost of the oldest; returns how much heavier that is."""
        self.packets_seen += 1
        self.packets.append(packet)
        gone = len(self.packets.pop(0).text) if len(self.packets) > PACKETS_KEPT else -PACKET_WEIGHT
        return len(packet.text) - gone

    def phases(self) -> dict[str, float]:
        """Return how many milliseconds each part took, by the names of HAR; -1 is not at all."""
        timing, total = self.timing, self.milliseconds or 0.0
        if timing is None:
            return {"blocked": -1, "dns": -1, "connect": -1, "ssl": -1,
                    "send": 0, "wait": 0, "receive": max(total, 0)}  # fmt: skip
        offset = (timing.base - self.started) * 1000
        begun = [start for start, _ in (timing.dns, timing.connect, timing.send) if start >= 0]
        return {
            "blocked": max(offset + min(begun, default=0), 0),
            "dns": _length(timing.dns),
            "connect": _length(timing.connect),
            "ssl": _length(timing.tls),
            "send": max(_length(timing.send), 0),
            "wait": max(timing.answered - timing.send[1], 0),
            "receive": max(total - offset - timing.answered, 0),
        }


def _length(span: tuple[float, float]) -> float:
    start, end = span
    return end - start if start >= 0 and end >= 0 else -1


def _bytes(count: int) -> str:
    return f"{count} B" if count < 1000 else f"{count / 1000:.1f} kB"
