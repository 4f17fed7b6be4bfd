"""Page control: who works on a tab, its agent or a person who has taken it over."""

from __future__ import annotations

from tabmux.concurrency import Signal

# Longer than any call; whoever waits has a deadline of its own.
_LONG = 24 * 3600.0


class PageControl:
    """A lease on one tab: while a person has it, agents' calls wait.

    Attributes:
        person: Who has taken the tab over; "" while it is the agent's.
    """

    def __init__(self) -> None:
        self.person = ""
        self._freed = Signal()

    def take(self, person: str) -> bool:
        """Give the tab to a person; tells whether nobody else has it."""
        if self.person not in ("", person):
            return False
        self.person = person
        return True

    def give_back(self, person: str) -> bool:
        """Give the tab back to its agent; tells whether the person had it."""
        if not person or self.person != person:
            return False
        self.person = ""
        self._freed.notify()
        return True

    async def until_free(self) -> None:
        """Wait until the tab is its agent's."""
        while self.person:
            await self._freed.wait(_LONG)
