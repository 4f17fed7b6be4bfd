"""Item selection: finds the entry of a list that an index means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabmux.errors import Misuse, StaleUid
from tabmux.pagetools.model import ListItem, PageTool


def chosen_item(
    tool: PageTool, arguments: Mapping[str, Any], seen: Sequence[ListItem]
) -> ListItem | None:
    """Return the entry that is meant, as it is now: the one the agent saw under that number.

    Args:
        tool: The tool, with the entries that are there now.
        arguments: With `index`.
        seen: The entries as the agent was last shown them; empty when it never was.
    """
    items = tool.plan.items
    if not items:
        return None
    if "index" not in arguments:
        return None
    return _require_usable(tool, _item_at(tool, int(arguments["index"]), seen))


def _item_at(tool: PageTool, index: int, seen: Sequence[ListItem]) -> ListItem:
    items = tool.plan.items
    shown = list(seen or items)
    if not 1 <= index <= len(shown):
        raise Misuse(
            f"{tool.name} has {len(shown)} entries; there is no number {index}.",
            code="no_such_item",
        )
    wanted = shown[index - 1]
    same = [item for item in items if item.key == wanted.key]
    if len(same) == 1:
        return same[0]
    here = items[index - 1] if index <= len(items) else None
    if here is not None and here.key == wanted.key and here.text == wanted.text:
        return here
    said = f' ("{wanted.text[:60]}")' if wanted.text else ""
    raise StaleUid(
        f"Number {index}{said} is no longer in the list, or not where it was.",
        hint="List the page's tools or its content again.",
        code="item_moved",
    )


def _require_usable(tool: PageTool, item: ListItem) -> ListItem:
    if not item.usable:
        raise Misuse(
            f'"{item.text[:60]}" has nothing that {tool.name} could use.',
            hint="Choose another entry.",
            code="no_such_item",
        )
    return item
