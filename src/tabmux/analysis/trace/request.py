"""A request as the insights see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tabmux.analysis.trace.call_frames import CallFrame

NOT_BLOCKING = frozenset(
    ("", "non_blocking", "dynamically_injected_non_blocking", "potentially_blocking")
)


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
    def blocks(self) -> bool:
        """Whether Chrome held rendering or parsing for it."""
        return self.blocking not in NOT_BLOCKING

    @property
    def asked_by(self) -> str:
        """The URL of the document, sheet or script that asked for it."""
        return self.initiator_url or (self.caller.url if self.caller else "")
