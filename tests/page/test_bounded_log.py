from __future__ import annotations

from dataclasses import dataclass

from tabmux.page.bounded_log import BoundedLog


@dataclass(eq=False)
class Item:
    name: str
    weight: int = 1
    id: int = 1


def names(history: BoundedLog[Item], *, preserved: bool = False) -> str:
    return "".join(item.name for item in history.items(preserved=preserved))


def filled(text: str, limit: int = 10, budget: int = 1000) -> BoundedLog[Item]:
    history: BoundedLog[Item] = BoundedLog(limit, budget)
    for name in text:
        history.add(Item(name, id=history.next_id()))
    return history


def test_only_the_newest_items_of_a_document_are_kept() -> None:
    history = filled("abcde", limit=3)
    assert names(history) == "cde"
    assert history.dropped == 2
    last = history.last()
    assert last is not None
    assert last.name == "e"


def test_three_documents_are_kept() -> None:
    history = filled("")
    for name in "abcd":
        history.begin_document()
        history.add(Item(name, id=history.next_id()))
    assert names(history) == "d"
    assert names(history, preserved=True) == "bcd"
    assert history.weight == 3


def test_items_of_the_new_document_come_along() -> None:
    history = filled("abc")
    history.begin_document([item for item in history.items() if item.name == "c"])
    assert names(history) == "c"
    assert names(history, preserved=True) == "abc"


def test_ids_are_never_used_again() -> None:
    history = filled("", limit=1)
    first = history.next_id()
    history.begin_document()
    assert history.next_id() > first
    assert history.last() is None


def test_the_oldest_go_when_all_together_are_too_heavy() -> None:
    history = filled("abc", budget=10)
    history.begin_document()
    assert [gone.name for gone in history.add(Item("d", 9))] == ["a", "b"]
    assert names(history, preserved=True) == "cd"
    assert history.dropped == 0
    assert [gone.name for gone in history.add(Item("e", 5))] == ["c", "d"]
    assert history.dropped == 1


def test_an_item_that_grows_pushes_others_out_but_never_itself() -> None:
    history = filled("ab", budget=10)
    newest = history.last()
    assert newest is not None
    assert [gone.name for gone in history.grow(newest, 50)] == ["a"]
    assert names(history) == "b"
    assert history.weight == newest.weight == 51


def test_items_since_the_last_action_are_told_over_documents() -> None:
    history = filled("ab")
    assert [item.name for item in history.since_action()] == ["a", "b"]
    history.begin_action()
    assert history.last() is None
    history.add(Item("c", id=history.next_id()))
    history.begin_document()
    history.add(Item("d", id=history.next_id()))
    assert [item.name for item in history.since_action()] == ["c", "d"]
