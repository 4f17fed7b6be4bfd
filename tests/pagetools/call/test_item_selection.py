from __future__ import annotations

from typing import Any

import pytest

from tabmux.errors import Misuse, StaleUid
from tabmux.pagetools.call.item_selection import chosen_item
from tabmux.pagetools.model import ExecutionPlan, ListItem, PageTool


def items(*keys: str) -> tuple[ListItem, ...]:
    return tuple(ListItem(key, f"text of {key}", number) for number, key in enumerate(keys))


def tool(*keys: str) -> PageTool:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    return PageTool("open_item", "", schema, "k", "list", "derived", "F", "L", "O",
                    ExecutionPlan(items=items(*keys)))  # fmt: skip


def key(tool: PageTool, seen: tuple[ListItem, ...], **arguments: Any) -> str | None:
    found = chosen_item(tool, arguments, seen)
    return found.key if found is not None else None


def test_number_means_the_entry_that_was_seen_wherever_it_is_now() -> None:
    assert key(tool("a", "b", "c"), items("a", "b", "c"), index=2) == "b"
    assert key(tool("new", "a", "b"), items("a", "b"), index=2) == "b"
    assert key(tool("a", "b"), (), index=2) == "b"


def test_entry_that_has_gone_is_not_replaced() -> None:
    with pytest.raises(StaleUid) as caught:
        key(tool("a", "c"), items("a", "b", "c"), index=2)
    assert caught.value.code == "item_moved"


def test_entries_that_look_the_same_are_told_apart_by_their_place() -> None:
    assert chosen_item(tool("x", "x"), {"index": 2}, items("x", "x")) == items("x", "x")[1]


@pytest.mark.parametrize("index", [0, 3, -1])
def test_number_outside_of_the_list_is_refused(index: int) -> None:
    with pytest.raises(Misuse):
        key(tool("a", "b"), items("a", "b"), index=index)


def test_tool_without_entries_has_none() -> None:
    assert key(tool(), (), index=1) is None
    assert key(tool("a"), ()) is None
