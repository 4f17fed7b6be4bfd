"""All browsers: by index or by name, connected when needed."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from types import TracebackType
from typing import Self

from tabmux.browsers.browser import Browser
from tabmux.browsers.spec import BrowserSpec
from tabmux.errors import Misuse
from tabmux.page.page import Page


class Browsers:
    """The registry; an `async with` that owns every connection and every browser we launch."""

    def __init__(self) -> None:
        self._browsers: dict[int, Browser] = {}
        self._next_index = itertools.count(1)
        self._page_ids = itertools.count(1)
        self._group = asyncio.TaskGroup()
        self._openers: list[Callable[[Page, Page], None]] = []
        self._closers: list[Callable[[Page], None]] = []

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for browser in self.all():
            browser.disconnect()
        await self._group.__aexit__(kind, error, traceback)

    def register(self, spec: BrowserSpec) -> Browser:
        """Note a browser without connecting to it; the same address is the same browser."""
        for known in self.all():
            if known.spec.same_as(spec):
                return known
        index = next(self._next_index)
        browser = Browser(index, spec, self._page_ids, self._page_opened, self._page_closed)
        self._browsers[index] = browser
        return browser

    def all(self) -> list[Browser]:
        """Return every browser, in the order they were registered."""
        return list(self._browsers.values())

    def get(self, key: int | str) -> Browser:
        """Return a browser by index or name."""
        for browser in self.all():
            if key in (browser.index, browser.name) and key != "":
                return browser
        known = ", ".join(f"[{b.index}] {b.name or b.spec.label}" for b in self.all())
        raise Misuse(
            f"There is no browser {key!r}.", hint=f"Use one of: {known}.", code="no_such_browser"
        )

    def choose(self, key: int | str | None) -> Browser:
        """Return the browser that a call means: the only one, or the one it names."""
        if not self._browsers:
            raise Misuse(
                "No browser is registered.",
                hint="Start tabmux with --launch or --browser-url.",
                code="no_such_browser",
            )
        if len(self._browsers) == 1:
            if key is not None:
                raise Misuse(
                    "browserIndex must NOT be specified when only one browser is connected.",
                    hint="Call again without browserIndex.",
                )
            return self.all()[0]
        if key is None:
            raise Misuse(
                "browserIndex parameter is required when multiple browsers are connected.",
                hint="Use list_browsers to see available browser indices.",
            )
        return self.get(key)

    @property
    def has_multiple(self) -> bool:
        """Whether calls must say which browser they mean."""
        return len(self._browsers) > 1

    async def connected(self, browser: Browser) -> Browser:
        """Return the browser, connected."""
        await browser.ensure_connected(self._group)
        return browser

    def browser_of(self, page: Page) -> Browser | None:
        """Return the browser that a page is in."""
        return next((b for b in self.all() if page.target_id in b.pages), None)

    def find_page(self, ident: int) -> Page | None:
        """Return a page by id, whichever browser it is in."""
        for browser in self.all():
            for page in browser.pages.values():
                if page.id == ident:
                    return page
        return None

    def on_opened(self, listener: Callable[[Page, Page], None]) -> None:
        """Call `listener` with opener and page for every page that a page opens."""
        self._openers.append(listener)

    def on_closed(self, listener: Callable[[Page], None]) -> None:
        """Call `listener` for every page that goes away."""
        self._closers.append(listener)

    def _page_opened(self, opener: Page, page: Page) -> None:
        for listener in self._openers:
            listener(opener, page)
        if opener.attached:
            opener.activity.opened(page.id)

    def _page_closed(self, page: Page) -> None:
        for listener in self._closers:
            listener(page)
