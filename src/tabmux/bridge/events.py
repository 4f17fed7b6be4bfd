"""What a session's extension says unasked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tabmux.bridge.messages import Message


@dataclass(frozen=True)
class ExtensionNotification:
    """One message, from whom, and about which tab."""

    session: str
    tab: int | None
    message: Message

    @property
    def body(self) -> Message:
        """The message as `POST /ws-message` carries it."""
        told = self.message
        return {
            "messageId": told.get("messageId", told.get("id")),
            "type": told.get("type"),
            "payload": told.get("payload", told.get("data")),
        }


Forward = Callable[[ExtensionNotification], Awaitable[None]]
