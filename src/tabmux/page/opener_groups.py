"""Opener groups: which tabs opened one another, and what their documents have to do with secrets.

Scripts of tabs that opened one another reach each other, also those of siblings. What is known of
a tab outlasts its connection, after which the same tab has another page and perhaps another handle.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabmux.page.handle import PageHandle

# More than Chrome keeps of one tab to go back to.
MOST_DOCUMENTS = 50
# A tab that was closed may be there again: its connection was lost, or its user took it back.
MOST_CLOSED = 1_000


class RecentDocuments:
    """The latest documents of a tab of which something holds, by Chrome's ids of them."""

    def __init__(self) -> None:
        self._loaders: dict[str, None] = {}

    def __contains__(self, loader: str) -> bool:
        return loader in self._loaders

    def __len__(self) -> int:
        return len(self._loaders)

    def add(self, loader: str) -> None:
        """Note a document; one that is not known yet has no id."""
        self._loaders.pop(loader, None)
        if loader:
            self._loaders[loader] = None
        while len(self._loaders) > MOST_DOCUMENTS:
            del self._loaders[next(iter(self._loaders))]

    def discard(self, loader: str) -> None:
        """Take back what was noted of a document."""
        self._loaders.pop(loader, None)

    def copy(self) -> frozenset[str]:
        """Return the documents of now."""
        return frozenset(self._loaders)


@dataclass
class GroupedTab:
    """A tab, in the group of those that opened one another.

    Attributes:
        opener: Chrome's id of the tab that opened it, if its scripts may reach that.
        handle: The handle that it has now; None while it is closed.
        filled: Documents that a secret was typed into.
        scripted: Documents in which a script of an agent's has run; it may be running still.
    """

    opener: str = ""
    handle: PageHandle | None = None
    filled: RecentDocuments = field(default_factory=RecentDocuments)
    scripted: RecentDocuments = field(default_factory=RecentDocuments)

    @property
    def is_noted(self) -> bool:
        """Whether it has something to do with secrets."""
        return bool(self.filled or self.scripted)


class OpenerGroups:
    """The tabs of one browser by their openers."""

    def __init__(self) -> None:
        self._tabs: dict[str, GroupedTab] = {}
        # Those that another tab opened: all others are alone, or the first of their group.
        self._opened: dict[str, None] = {}
        self._closed: dict[str, None] = {}

    def add(self, handle: PageHandle) -> GroupedTab:
        """Take a tab that is there, perhaps again; returns what is known of it."""
        tab = self._tabs.setdefault(handle.target_id, GroupedTab())
        tab.handle, tab.opener = handle, tab.opener or _opener(handle.target)
        if tab.opener:
            self._opened[handle.target_id] = None
        self._closed.pop(handle.target_id, None)
        return tab

    def close(self, handle: PageHandle) -> None:
        """Note that a tab is closed, as far as anybody can tell."""
        tab = self._tabs.get(handle.target_id)
        if tab is None or tab.handle is not handle:
            return
        tab.handle = None
        self._closed[handle.target_id] = None
        if not tab.is_noted:
            self._forget(handle.target_id)
        elif len(self._closed) > MOST_CLOSED:
            self._forget(next(iter(self._closed)))

    def related(self, handle: PageHandle) -> list[GroupedTab]:
        """Return the other open tabs of its group that have something to do with secrets."""
        first = self._first(handle.target_id)
        group = (first, *(each for each in self._opened if self._first(each) == first))
        tabs = (tab for each in group if (tab := self._tabs.get(each)))
        return [tab for tab in tabs if tab.handle not in (None, handle) and tab.is_noted]

    def _first(self, target: str) -> str:
        """Return the tab that a group began with."""
        seen = {target}
        while (tab := self._tabs.get(target)) and tab.opener and tab.opener not in seen:
            target = tab.opener
            seen.add(target)
        return target

    def _forget(self, target: str) -> None:
        """Drop a tab; those that it opened stay in one group, which it named or its opener does."""
        gone = self._tabs.pop(target)
        del self._closed[target]
        self._opened.pop(target, None)
        for tab in self._tabs.values() if gone.opener else ():
            if tab.opener == target:
                tab.opener = gone.opener


def _opener(info: dict[str, Any]) -> str:
    return str(info.get("openerId") or "") if info.get("canAccessOpener", True) else ""
