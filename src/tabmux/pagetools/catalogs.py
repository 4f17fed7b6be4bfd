"""Page catalogs: what each page offers; nothing is loaded before the first is wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from tabmux.errors import TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.policy.file_policy import FilePolicy

if TYPE_CHECKING:
    from tabmux.page.page import Page
    from tabmux.pagetools.page_catalog import PageCatalog
    from tabmux.pagetools.publishing import PageToolPolicy

Destructive = Literal["allow", "confirm", "hide"]
# Other tabs are only counted: briefly, and not all of a hundred.
MOST_COUNTED = 30


class PageCatalogs:
    """The catalogs of all pages that somebody has asked about.

    Args:
        destructive: What becomes of tools that destroy something.
        files: Which files may be given to pages.
        read_only: Whether only tools are offered that change nothing.
    """

    def __init__(
        self,
        destructive: Destructive = "allow",
        files: FilePolicy | None = None,
        *,
        read_only: bool = False,
    ) -> None:
        self._destructive, self._read_only = destructive, read_only
        self._files = files or FilePolicy()
        self._pages: dict[PageHandle, PageCatalog] = {}

    def of(self, page: Page) -> PageCatalog:
        """Return the catalog of a page; one attached anew goes on with what the agent was told."""
        before = self._pages.get(page.handle)
        if before is not None and before.page is page:
            return before
        from tabmux.pagetools.page_catalog import PageCatalog

        catalog = self._pages[page.handle] = PageCatalog(page, self._policy)
        if before is not None:
            catalog.continue_from(before)
        return catalog

    def known(self, page: PageHandle) -> PageCatalog | None:
        """Return the catalog of a page, if there is one already."""
        return self._pages.get(page)

    def forget(self, page: PageHandle) -> None:
        """Drop the catalog of a page that is closed."""
        self._pages.pop(page, None)

    async def changes_line(self, page: Page, *, acted: bool, sighted: bool) -> str:
        """Name a page's tools if they have changed; nothing for pages nobody has asked about.

        Args:
            page: Which page.
            acted: Whether it was just acted upon.
            sighted: Whether the agent was just shown it.
        """
        catalog = self.known(page.handle)
        if catalog is None or page.gone:
            return ""
        if catalog.told_names is None or page.dialogs.current is not None:
            return ""
        return await catalog.changes_line(acted=acted, sighted=sighted)

    @cached_property
    def _policy(self) -> PageToolPolicy:
        from tabmux.pagetools.publishing import PageToolPolicy

        return PageToolPolicy(self._destructive, self._files, self._read_only)


class ToolCounts:
    """Knows the number of a tab's tools, which is never older than its last navigation.

    Args:
        catalogs: What each page offers.
        seconds: How long all tabs together may take.
    """

    def __init__(self, catalogs: PageCatalogs, seconds: float) -> None:
        self._catalogs, self._seconds = catalogs, seconds
        self._known: dict[int, tuple[str, int]] = {}

    def of(self, page: PageHandle) -> int:
        """Return the number as last seen; 0 where nobody has looked."""
        catalog = self._catalogs.known(page)
        if catalog is not None and catalog.tools:
            return _number(catalog)
        return self._known.get(page.id, ("", 0))[1]

    async def learn(self, pages: Sequence[PageHandle]) -> None:
        """Look at the tabs that have navigated since; those that take too long are left out."""
        new = [page for page in pages if self._known.get(page.id, ("",))[0] != _version(page)]
        with suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                await asyncio.gather(*map(self._look, new[-MOST_COUNTED:]))

    async def _look(self, page: PageHandle) -> None:
        with suppress(TabmuxError, TimeoutError):
            catalog = self._catalogs.of(await page.attach())
            await catalog.refresh()
            self._known[page.id] = (_version(page), _number(catalog))


def _number(catalog: PageCatalog) -> int:
    return len(catalog.specs(reading=True))


def _version(page: PageHandle) -> str:
    """Return what is another text after a navigation."""
    loader = page.page.main.loader if page.page is not None else ""
    return f"{page.url} {loader}"
