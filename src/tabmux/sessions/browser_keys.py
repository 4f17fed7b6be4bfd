"""Browser keys: names of browsers that mean the same ones to the next server."""

from __future__ import annotations

from collections.abc import Iterator

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_view import BrowserView


def key_of(view: BrowserView, browser: Browser) -> str:
    """Return the key of a browser, for one session; empty where it has none."""
    return next((key for key, known in _keys(view) if known is browser), "")


def find(view: BrowserView, key: str) -> Browser | None:
    """Return the browser of a key, if it is there."""
    return next((browser for known, browser in _keys(view) if known == key), None)


def _keys(view: BrowserView) -> Iterator[tuple[str, Browser]]:
    """Number what the client named, and name the server's own by what they are."""
    named = list(view.named)
    for browser in view.registry.all():
        if browser.index in named:
            yield f"named {named.index(browser.index)}", browser
    own = [each for each in view.registry.all() if view.registry.is_own(each)]
    for number, browser in enumerate(own):
        identity = browser.spec.identity
        place = f"#{number}" if identity is None else identity
        yield f"own {type(browser.spec).__name__} {place}", browser
