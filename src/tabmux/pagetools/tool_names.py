"""Tool names: unique in a page, and the same for as long as a session lasts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from tabmux.pagetools.language.words import name_of
from tabmux.pagetools.model import DerivedTool

LONGEST_NAME = 40
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
RESERVED_FOR_DECLARED = RESERVED | {
    "accept_dialog", "dismiss_dialog", "get_page_content", "click_element", "fill_field",
}  # fmt: skip
_MOST_REMEMBERED = 2000


class ToolNames:
    """Remembers which tool of which origin has which name."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}

    def give(self, origin: str, tools: Sequence[DerivedTool]) -> list[str]:
        """Name the tools of a page, in their order."""
        taken = set(RESERVED)
        given: dict[int, str] = {}
        keys = _unique_keys([tool.key for tool in tools])
        order = sorted(range(len(tools)), key=lambda index: (-tools[index].rank, keys[index]))
        for index in order:
            known = self._known.get((origin, keys[index]))
            if known and known not in taken:
                given[index] = known
                taken.add(known)
        for index in order:
            if index not in given:
                given[index] = _free_name(tools[index].names, taken, keys[index])
                taken.add(given[index])
        self._remember(origin, {keys[index]: name for index, name in given.items()})
        return [given[index] for index in range(len(tools))]

    def _remember(self, origin: str, names: dict[str, str]) -> None:
        if len(self._known) > _MOST_REMEMBERED:
            self._known.clear()
        self._known.update({(origin, key): name for key, name in names.items()})


def _unique_keys(keys: Sequence[str]) -> list[str]:
    """Tell equal keys apart by their order."""
    seen: dict[str, int] = {}
    found = []
    for key in keys:
        seen[key] = seen.get(key, 0) + 1
        found.append(key if seen[key] == 1 else f"{key}#{seen[key]}")
    return found


def _free_name(wanted: Sequence[str], taken: set[str], key: str) -> str:
    names = [made for name in wanted if (made := name_of(name, limit=LONGEST_NAME))] or ["use_page"]
    for name in names:
        if name not in taken:
            return name
    base = names[0][: LONGEST_NAME - 3].rstrip("_")
    for number in range(2, 100):
        if f"{base}_{number}" not in taken:
            return f"{base}_{number}"
    return f"{base[:30]}_{hashlib.sha256(key.encode()).hexdigest()[:8]}"
