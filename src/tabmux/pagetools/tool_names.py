"""Names of tools: unique in a page, and the same for as long as a session lasts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from tabmux.pagetools.draft import DerivedTool
from tabmux.pagetools.language.words import name_of

LIMIT = 40
# A page's tool may not pass for one of ours.
RESERVED = frozenset(
    {
        "connect_browser",
        "list_tabs",
        "open_tab",
        "focus_tab",
        "close_tab",
        "list_page_tools",
        "call_page_tool",
    }
)
# Nor may what it declares pass for what every page has.
OURS = RESERVED | {
    "accept_dialog", "dismiss_dialog", "get_page_content", "click_element", "fill_field",
}  # fmt: skip
_MEMORY = 2000


class ToolNames:
    """Remembers which tool of which origin has which name."""

    def __init__(self, reserved: Iterable[str] = RESERVED) -> None:
        self._reserved = frozenset(reserved)
        self._known: dict[tuple[str, str], str] = {}

    def give(self, origin: str, drafts: Sequence[DerivedTool]) -> list[str]:
        """Name the tools of a page, in their order."""
        taken = set(self._reserved)
        given: dict[int, str] = {}
        keys = _apart([draft.key for draft in drafts])
        order = sorted(range(len(drafts)), key=lambda at: (-drafts[at].rank, keys[at]))
        for at in order:
            known = self._known.get((origin, keys[at]))
            if known and known not in taken:
                given[at] = known
                taken.add(known)
        for at in order:
            if at not in given:
                given[at] = _free(drafts[at].names, taken, keys[at])
                taken.add(given[at])
        self._remember(origin, {keys[at]: name for at, name in given.items()})
        return [given[at] for at in range(len(drafts))]

    def _remember(self, origin: str, names: dict[str, str]) -> None:
        if len(self._known) > _MEMORY:
            self._known.clear()
        self._known.update({(origin, key): name for key, name in names.items()})


def _apart(keys: Sequence[str]) -> list[str]:
    """Tell equal keys apart by their order."""
    seen: dict[str, int] = {}
    found = []
    for key in keys:
        seen[key] = seen.get(key, 0) + 1
        found.append(key if seen[key] == 1 else f"{key}#{seen[key]}")
    return found


def _free(wanted: Sequence[str], taken: set[str], key: str) -> str:
    names = [made for name in wanted if (made := name_of(name, limit=LIMIT))] or ["use_page"]
    for name in names:
        if name not in taken:
            return name
    base = names[0][: LIMIT - 3].rstrip("_")
    for number in range(2, 100):
        if f"{base}_{number}" not in taken:
            return f"{base}_{number}"
    return f"{base[:30]}_{hashlib.sha256(key.encode()).hexdigest()[:8]}"
