"""Tab owners: which session has which tab of an extension that relays no CDP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from weakref import WeakKeyDictionary

from tabmux.bridge.extension_link import ExtensionLink
from tabmux.concurrency import Listeners


class TabOwners:
    """The tabs that sessions opened or focused; all others are free for any session.

    An owner is whatever stands for a session; tabs are told apart by their extension and number.
    """

    def __init__(self) -> None:
        self._owners: dict[tuple[ExtensionLink, int], object] = {}
        self._opening: WeakKeyDictionary[ExtensionLink, asyncio.Lock] = WeakKeyDictionary()
        self._changed: Listeners[[]] = Listeners()

    def owner(self, link: ExtensionLink, tab: int) -> object | None:
        """Return who has a tab; None if it is free."""
        return self._owners.get((link, tab))

    def claim(self, link: ExtensionLink, tab: int, owner: object) -> None:
        """Give a free tab to a session."""
        if self._owners.setdefault((link, tab), owner) is owner:
            self._changed()

    def free(self, link: ExtensionLink, tab: int) -> None:
        """Let any session have a tab."""
        if self._owners.pop((link, tab), None) is not None:
            self._changed()

    def free_all(self, owner: object) -> None:
        """Let any session have the tabs of one that goes."""
        kept = {key: each for key, each in self._owners.items() if each is not owner}
        had, self._owners = len(self._owners), kept
        if had != len(kept):
            self._changed()

    def opening(self, link: ExtensionLink) -> asyncio.Lock:
        """Return what lets one tab be opened at a time: no answer says whose request it is for."""
        return self._opening.setdefault(link, asyncio.Lock())

    def on_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when a tab has got another owner; returns how to stop."""
        return self._changed.add(listener)
