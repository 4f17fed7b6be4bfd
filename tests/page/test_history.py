from __future__ import annotations

from tabmux.page.history import History


def test_only_the_newest_items_of_a_document_are_kept() -> None:
    history: History[int] = History(3)
    for number in range(5):
        history.add(number)
    assert list(history.items()) == [2, 3, 4]
    assert history.dropped == 2
    assert history.last() == 4


def test_three_documents_are_kept() -> None:
    history: History[str] = History(10)
    for name in "abcd":
        history.turn()
        history.add(name)
    assert list(history.items()) == ["d"]
    assert list(history.items(preserved=True)) == ["b", "c", "d"]


def test_items_of_the_new_document_come_along() -> None:
    history: History[str] = History(10)
    for name in "abc":
        history.add(name)
    history.turn(["c"])
    assert list(history.items()) == ["c"]
    assert list(history.items(preserved=True)) == ["a", "b", "c"]


def test_ids_are_never_used_again() -> None:
    history: History[int] = History(1)
    first = history.next_id()
    history.turn()
    assert history.next_id() > first
    assert history.last() is None
