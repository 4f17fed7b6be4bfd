"""Makes a browser of every extension that connects."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial

from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.extensions import ConnectedExtensions
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.registry import Browsers
from tabmux.browsers.spec import BrowserSpec
from tabmux.errors import Misuse

logger = logging.getLogger(__name__)


class ExtensionBrowsers:
    """Where extensions come in: the first time as a new browser, later as the one they were."""

    def __init__(self, browsers: Browsers) -> None:
        self._browsers = browsers
        self._extensions = ConnectedExtensions()

    def __call__(self, link: ExtensionLink) -> None:
        """Take in an extension that has proved itself; one that relays no CDP is no browser."""
        if "cdp" not in link.capabilities:
            return
        self._extensions.arrive(link)
        self._dismiss_stand_in()
        self._browsers.resume(self._browser(link.browser.profile_id, link.name))

    def _dismiss_stand_in(self) -> None:
        """With a browser of the user's there, nobody needs one that was never started."""
        for browser in self._browsers.all():
            if browser.spec.stand_in and browser.state is BrowserState.PENDING:
                self._browsers.remove(browser)

    def _browser(self, profile: str, name: str) -> Browser:
        spec = BrowserSpec("extension", profile, dial=partial(self._extensions.reach, profile))
        for free in (name, f"{name}-extension"):
            try:
                return self._browsers.register(replace(spec, name=free))
            except Misuse:
                logger.info("There is another browser named %s.", free)
        return self._browsers.register(spec)
