"""Driver: presses and fills what a task names, and counts what that costs an agent."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from bench.client import Client
from bench.trouble import BenchError

# A label, or the number of a text field, from 1.
Field = str | int
Value = str | bool | Sequence[str]


class NoTool(BenchError):
    """Nothing that is offered does what the task needs."""


class Driver(ABC):
    """Acts in the selected page through the tools of one surface.

    Attributes:
        calls: Calls of tools that act or read.
        characters: Of all replies, lists of tools and snapshots among them.
        said: The last reply of an action.
    """

    def __init__(self, client: Client) -> None:
        self.calls = 0
        self.characters = 0
        self.said = ""
        self._client = client

    @abstractmethod
    async def press(self, text: str, within: str = "") -> None:
        """Press what has this text: a button, a link, a tab, an option, an entry of a list.

        Args:
            text: As it can be read on the page; with bars between, the first that is there.
            within: Text of the entry that it belongs to, where several have the same.
        """

    @abstractmethod
    async def submit(self, values: Mapping[Field, Value], button: str = "") -> None:
        """Fill fields, and send them with a button; without one, Enter sends them."""

    @abstractmethod
    async def read(self) -> str:
        """Return the text of the page."""

    @abstractmethod
    async def texts(self) -> list[str]:
        """Return what text fields contain."""

    @abstractmethod
    async def choices(self) -> list[str]:
        """Return what could be pressed."""

    async def _call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        self.calls += 1
        return await self._ask(tool, arguments)

    async def _ask(self, tool: str, arguments: Mapping[str, Any]) -> str:
        text = (await self._client.call(tool, arguments)).text
        self.characters += len(text)
        return text


def cell(text: str) -> str:
    """Return a text as it is compared: without case and surplus spaces."""
    return " ".join(text.split()).casefold()
