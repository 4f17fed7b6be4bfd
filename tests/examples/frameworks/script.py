"""The script of a model that sends a message on a page, whatever framework asks it."""

from __future__ import annotations

import json
from typing import Any

TASK = "Send the message Hello."
ANSWER = "The message was sent."


class ScriptedModel:
    """Calls the tools in order, and keeps what it is told of each."""

    def __init__(self, url: str) -> None:
        self.told: list[str] = []
        self._calls: list[tuple[str, dict[str, Any]]] = [
            ("navigate_page", {"url": url}),
            ("fill", {"uid": 'textbox "Message"', "value": "Hello"}),
            ("click", {"uid": 'button "Send"'}),
        ]
        self._next = 0

    def hear(self, result: object) -> None:
        """Take what became of the last call."""
        self.told.append(result if isinstance(result, str) else json.dumps(result, default=str))

    def call(self) -> tuple[str, dict[str, Any]] | None:
        """Return the next call; None after the last."""
        self._next += 1
        return self._calls[self._next - 1] if self._next <= len(self._calls) else None

    def check(self, answer: str) -> None:
        """Raise what went wrong, if anything did."""
        if len(self.told) != 3 or "Sent: Hello" not in self.told[-1] or answer != ANSWER:
            raise AssertionError(f"{answer!r} after {self.told}")
