"""Page overrides: emulation and routes, put into force again when a tab is attached anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabmux.page.environment.emulation import NO_EMULATION, EmulationSettings
from tabmux.page.network.interception import InterceptionRule

if TYPE_CHECKING:
    from tabmux.page.page import Page


@dataclass(frozen=True)
class PageOverrides:
    """What an agent has set for a page, and Chrome forgets with the connection.

    Args:
        emulation: What is emulated.
        rules: What becomes of requests, oldest first.
    """

    emulation: EmulationSettings = NO_EMULATION
    rules: tuple[InterceptionRule, ...] = ()

    @classmethod
    def of(cls, page: Page) -> PageOverrides:
        """Return what is in force on a page now."""
        return cls(page.emulation.current, tuple(reversed(page.interception.rules)))

    async def apply(self, page: Page) -> None:
        """Put it into force; the document stays as it is."""
        if self.emulation != NO_EMULATION:
            await page.emulation.apply(self.emulation, reload=False)
        if self.rules:
            await page.interception.resume(self.rules)
