"""How many tools each tab has, for lists of tabs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from tabmux.errors import TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.pagetools.page_catalog import Catalogues, PageCatalog

# Other tabs are only counted: briefly, and not all of a hundred.
MOST_COUNTED = 30


class ToolCounts:
    """Knows the number of a tab's tools, which is never older than its last navigation."""

    def __init__(self, catalogues: Catalogues, seconds: float) -> None:
        self._catalogues, self._seconds = catalogues, seconds
        self._known: dict[int, tuple[str, int]] = {}

    def of(self, page: PageHandle) -> int:
        """Return the number as last seen; 0 where nobody has looked."""
        catalogue = self._catalogues.known(page)
        if catalogue is not None and catalogue.tools:
            return _number(catalogue)
        return self._known.get(page.id, ("", 0))[1]

    async def learn(self, pages: Sequence[PageHandle]) -> None:
        """Look at the tabs that have navigated since; those that take too long are left out."""
        new = [page for page in pages if self._known.get(page.id, ("",))[0] != _version(page)]
        with suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                await asyncio.gather(*map(self._look, new[-MOST_COUNTED:]))

    async def _look(self, page: PageHandle) -> None:
        with suppress(TabmuxError, TimeoutError):
            catalogue = self._catalogues.of(await page.attach())
            await catalogue.refresh()
            self._known[page.id] = (_version(page), _number(catalogue))


def _number(catalogue: PageCatalog) -> int:
    return len(catalogue.specs(reading=True))


def _version(page: PageHandle) -> str:
    """Return what is another text after a navigation."""
    loader = page.page.main.loader if page.page is not None else ""
    return f"{page.url} {loader}"
