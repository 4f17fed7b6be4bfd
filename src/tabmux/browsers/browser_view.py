"""Browser view: which of the daemon's browsers one session sees, and by which numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.registry import BrowserKey, Browsers
from tabmux.errors import Misuse, TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.timings import Timings


@dataclass(frozen=True)
class ListedBrowser:
    """A browser as one session knows it: others may have named it otherwise."""

    number: int
    browser: Browser
    name: str
    tags: Sequence[str]


class BrowserView:
    """The browsers of one session: those that its client named, or else the daemon's own.

    Args:
        registry: All browsers of the daemon.
        specs: The browsers that the client named, if it named any.
    """

    def __init__(self, registry: Browsers, specs: Iterable[BrowserSpec] = ()) -> None:
        self.registry = registry
        # Whether the session has pages in a browser.
        self.is_in_use: Callable[[Browser], bool] = lambda browser: False
        # What the client named, by place in the registry.
        self._named: dict[int, BrowserSpec] = {}
        # What calls mean that name none, if the session has chosen one.
        self.default: Browser | None = None
        # The daemon's own browsers that the session has let go of.
        self._hidden: set[int] = set()
        self._numbers: dict[int, int] = {}
        self._shows_own = False
        try:
            for spec in specs:
                self.add(spec)
        except TabmuxError:
            self.close()
            raise
        self._shows_own = all(spec.stand_in for spec in self._named.values())

    def close(self) -> None:
        """Let go of everything; a browser that only this client named is forgotten."""
        named = [b for b in self.registry.all() if b.index in self._named]
        self._named.clear()
        for browser in named:
            if not self.registry.is_own(browser):
                self.registry.release(browser)

    def all(self) -> list[Browser]:
        """Return the browsers, in the order of their numbers."""
        return [listed.browser for listed in self.listed()]

    def listed(self) -> list[ListedBrowser]:
        """Return the browsers with their numbers, and the names and tags that count here."""
        return [self._listed(browser) for browser in self._seen()]

    @property
    def timings(self) -> Timings:
        """How long to wait for browsers and pages."""
        return self.registry.timings

    @property
    def count(self) -> int:
        """How many browsers the session sees."""
        return len(self._seen())

    @property
    def others(self) -> int:
        """How many more the daemon holds."""
        return self.registry.count - self.count

    @property
    def has_multiple(self) -> bool:
        """Whether calls must say which browser they mean."""
        return self.count > 1

    @property
    def named(self) -> Mapping[int, BrowserSpec]:
        """What the client named, by place in the registry."""
        return self._named

    @property
    def hidden(self) -> frozenset[int]:
        """The daemon's own browsers that the session has let go of, by place in the registry."""
        return frozenset(self._hidden)

    def restore(
        self, numbers: Mapping[int, int], hidden: Iterable[int], default: Browser | None
    ) -> None:
        """Be as a session knew it before the server was started anew.

        Args:
            numbers: The numbers of browsers, by place in the registry.
            hidden: The browsers that it had let go of.
            default: The browser that it had chosen.
        """
        self._numbers = {**self._numbers, **numbers}
        self._hidden |= set(hidden)
        self.default = default

    def sees(self, browser: Browser) -> bool:
        """Whether the session sees a browser."""
        return any(browser is seen for seen in self._seen())

    def number(self, browser: Browser) -> int:
        """Return the number by which the session knows a browser."""
        return self._numbers.setdefault(browser.index, max(self._numbers.values(), default=0) + 1)

    def get(self, key: BrowserKey) -> Browser:
        """Return a browser by number or name."""
        wanted = int(key) if isinstance(key, str) and key.isdecimal() else key
        for each in self.listed():
            if wanted in (each.number, each.name) and wanted != "":
                return each.browser
        known = ", ".join(f"[{e.number}] {e.name or e.browser.spec.label}" for e in self.listed())
        raise Misuse(
            f"There is no browser {key!r}.", hint=f"Use one of: {known}.", code="no_such_browser"
        )

    def tagged(self, tag: BrowserKey | None) -> list[ListedBrowser]:
        """Return the browsers that carry a tag."""
        return [listed for listed in self.listed() if tag in listed.tags]

    def choose(self, key: BrowserKey | None) -> Browser:
        """Return the browser that a call means: the only one, or the one it names."""
        seen = self._seen()
        if not seen:
            raise Misuse(
                "No browser is registered.",
                hint="Call connect_browser, or start tabmux with --launch or --browser-url.",
                code="no_such_browser",
            )
        if len(seen) == 1:
            if key is not None:
                raise Misuse(
                    "browserIndex must NOT be specified when only one browser is connected.",
                    hint="Call again without browserIndex.",
                )
            return seen[0]
        if key is None and self.default is not None and self.default in seen:
            return self.default
        if key is None:
            raise Misuse(
                "browserIndex parameter is required when multiple browsers are connected.",
                hint="Use list_browsers to see available browser indices.",
            )
        return self.get(key)

    def add(self, spec: BrowserSpec) -> Browser:
        """Take up a further browser, which others may have named before."""
        taken = {name for each in self.listed() for name in (each.name, *each.tags)}
        if spec.name and spec.name in taken:
            raise Misuse(f"There is already a browser named {spec.name!r}.")
        browser = self.registry.hold(spec)
        self._named[browser.index] = spec
        self.number(browser)
        self._hidden.discard(browser.index)
        return browser

    def remove(self, browser: Browser) -> None:
        """Let go of a browser; it stays where it is for those who see it, too."""
        self._named.pop(browser.index, None)
        self._hidden.add(browser.index)
        self.registry.release(browser)
        self.registry.announce()

    async def connect(self, browser: Browser, *, force: bool = False) -> Browser:
        """Make an attempt to connect; one at a time, whoever asks."""
        return await self.registry.connect(browser, force=force)

    async def ensure_connected(self, browser: Browser) -> Browser:
        """Return the browser, connected; a failed one is left to cool down first."""
        return await self.registry.ensure_connected(browser)

    async def reconnect(self, browser: Browser) -> Browser:
        """Connect anew, at once, by the start command if there is one."""
        return await self.registry.reconnect(browser)

    def browser_of(self, page: PageHandle) -> Browser | None:
        """Return the browser that a page is in."""
        return self.registry.browser_of(page)

    def find_page(self, ident: int) -> PageHandle | None:
        """Return a page by id, in any of the browsers."""
        pages = (page for browser in self._seen() for page in browser.pages.values())
        return next((page for page in pages if page.id == ident), None)

    def _listed(self, browser: Browser) -> ListedBrowser:
        spec = self._named.get(browser.index, browser.spec)
        return ListedBrowser(self.number(browser), browser, spec.name, spec.tags)

    def _seen(self) -> list[Browser]:
        found = sorted(self._candidates(), key=self.number)
        # One that nobody named and nobody needed yet gives way to any other.
        seen = [b for b in found if not (b.spec.stand_in and b.state is BrowserState.PENDING)]
        return seen or found

    def _candidates(self) -> Iterator[Browser]:
        # Where nothing else is shown, the others are not even looked at: there may be thousands.
        own = self.registry.all() if self._shows_own else self.registry.some(self._named)
        for browser in own:
            is_shown = browser.index in self._named or self._is_shown(browser)
            if is_shown and (not browser.is_away or self.is_in_use(browser)):
                yield browser

    def _is_shown(self, browser: Browser) -> bool:
        """Whether a browser is seen although the client did not name it."""
        is_own = self._shows_own and self.registry.is_own(browser)
        # A client that says how to start a browser means another one than what nobody named.
        is_replaced = browser.spec.stand_in and bool(self._named)
        return is_own and not is_replaced and browser.index not in self._hidden
