"""Browser commands: control lines about the daemon's own browsers, which all sessions may see."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from tabmux.browsers.browser import Browser
from tabmux.browsers.registry import Browsers
from tabmux.errors import Misuse, TabmuxError
from tabmux.tools.browser.browsers import named_browser

Words = dict[str, str]


class BrowserCommands:
    """Answers control lines about browsers."""

    def __init__(self, browsers: Browsers) -> None:
        self._browsers = browsers

    async def list(self, words: Words) -> Iterable[str]:
        """Describe every browser, also those that only some client named."""
        return [self._line(browser) for browser in self._browsers.all()]

    async def add(self, words: Words) -> Iterable[str]:
        """Register a browser for everybody, and connect to it."""
        address = words.get("address", "")
        is_socket = address.startswith(("ws:", "wss:"))
        spec = named_browser(
            url=address if address and not is_socket else None,
            ws_endpoint=address if is_socket else None,
            launch=words.get("launch") == "true",
            profile=words.get("profile"),
            headless=words.get("headless") == "true",
            name=words.get("name", ""),
        )
        known = self._browsers.all()
        browser = self._browsers.register(spec)
        try:
            await self._browsers.connect(browser, force=True)
        except TabmuxError:
            if browser not in known:
                self._browsers.remove(browser)
            raise
        return [self._line(browser)]

    async def remove(self, words: Words) -> Iterable[str]:
        """Forget a browser; those whose clients named it lose it, too."""
        browser = self._found(words)
        self._browsers.remove(browser)
        return [f"browser={browser.index} removed=true"]

    async def reconnect(self, words: Words) -> Iterable[str]:
        """Connect to a browser anew."""
        return [self._line(await self._browsers.reconnect(self._found(words)))]

    def _found(self, words: Words) -> Browser:
        wanted, every = words.get("browser", ""), self._browsers.all()
        found = [b for b in every if wanted in (str(b.index), b.name) and wanted]
        if not wanted and len(every) == 1:
            return every[0]
        if not found:
            raise Misuse(
                f"There is no browser {wanted!r}.", hint="See browser_list.", code="no_such_browser"
            )
        return found[0]

    def _line(self, browser: Browser) -> str:
        own = str(self._browsers.is_own(browser)).lower()
        return (
            f"browser={browser.index} name={shlex.quote(browser.name)} state={browser.state} "
            f"own={own} tabs={len(browser.visible_pages())} "
            f"address={shlex.quote(browser.spec.label)}"
        )
