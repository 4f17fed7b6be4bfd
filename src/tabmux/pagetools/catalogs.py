"""Where the catalogues of pages stand; nothing of it is loaded before the first is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from tabmux.page.page import Page
from tabmux.pagetools.secrets import Secrets
from tabmux.policy.file_policy import FilePolicy

if TYPE_CHECKING:
    from tabmux.pagetools.page_catalog import Catalogues, PageCatalog

Destructive = Literal["allow", "confirm", "hide"]


class PageCatalogs:
    """The catalogues of all pages.

    Args:
        destructive: What becomes of tools that destroy something.
        secrets: NAME=ORIGIN settings.
        files: Which files may be given to pages.
        read_only: Whether only tools are offered that change nothing.
    """

    def __init__(
        self,
        destructive: Destructive = "allow",
        secrets: Sequence[str] = (),
        files: FilePolicy | None = None,
        *,
        read_only: bool = False,
    ) -> None:
        self._destructive, self._read_only = destructive, read_only
        self._secrets, self._files = Secrets.of(secrets), files or FilePolicy()
        self._catalogues: Catalogues | None = None

    @property
    def catalogues(self) -> Catalogues:
        """All of them."""
        if self._catalogues is None:
            from tabmux.pagetools.page_catalog import Catalogues
            from tabmux.pagetools.publishing import PageToolPolicy

            terms = PageToolPolicy(self._destructive, self._secrets, self._files, self._read_only)
            self._catalogues = Catalogues(terms)
        return self._catalogues

    def of(self, page: Page) -> PageCatalog:
        """Return the catalogue of a page."""
        return self.catalogues.of(page)

    async def news(self, page: Page, *, acted: bool, sighted: bool) -> str:
        """Name a page's tools if they have changed; nothing for pages nobody has asked about.

        Args:
            page: Which page.
            acted: Whether it was just acted upon.
            sighted: Whether the agent was just shown it.
        """
        if self._catalogues is None or page.gone:
            return ""
        catalogue = self._catalogues.known(page.handle)
        if catalogue is None or catalogue.told is None or page.dialogs.current is not None:
            return ""
        from tabmux.pagetools.call.dispatch import news

        return await news(catalogue, acted=acted, sighted=sighted)
