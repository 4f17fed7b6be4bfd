"""Tool names: unique in a page, and the same whenever the page is the same."""

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
# What every page has.
GENERIC = frozenset({"get_page_content", "click_element", "open_link", "fill_field"})
# Nor may what it declares pass for what every page has.
RESERVED_FOR_DECLARED = RESERVED | GENERIC | {"accept_dialog", "dismiss_dialog"}
# Who may take a name first: what is typed into before what is opened, links last.
_ORDER = {
    "read": 0, "click": 0, "link": 0, "fill": 0, "form": 1, "search": 1, "url": 1, "pager": 2,
    "list": 2, "item_action": 3, "action": 4, "menu": 5, "tabs": 6, "sort": 6, "choice": 7,
}  # fmt: skip


def unique_names(tools: Sequence[DerivedTool]) -> list[str]:
    """Name the tools of a page, in their order; those without a name of their own get none.

    Only what the page shows decides: neither what was named before nor where a tool stands.
    Groups of links are not numbered: which is the second of them would depend on the others.
    """
    taken = set(RESERVED)
    given: dict[int, str] = {}
    order = sorted(range(len(tools)), key=lambda at: _precedence(tools[at]))
    for at in order:
        given[at] = _free_name(tools[at], taken)
        taken.add(given[at])
    return [given[at] for at in range(len(tools))]


def _precedence(tool: DerivedTool) -> tuple[int, bool, float, str]:
    return (_ORDER.get(tool.kind, 4), tool.rank < 0, -tool.rank, tool.key)


def _free_name(tool: DerivedTool, taken: set[str]) -> str:
    wanted = tool.names
    names = [made for name in wanted if (made := name_of(name, limit=LONGEST_NAME))] or ["use_page"]
    reserved = taken if tool.kind in ("read", "click", "link", "fill") else taken | GENERIC
    for name in names:
        if name not in reserved:
            return name
    if tool.kind == "choice":
        return ""
    base = names[0][: LONGEST_NAME - 3].rstrip("_")
    for number in range(2, 100):
        if f"{base}_{number}" not in reserved:
            return f"{base}_{number}"
    return f"{base[:30]}_{hashlib.sha256(tool.key.encode()).hexdigest()[:8]}"
