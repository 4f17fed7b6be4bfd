from __future__ import annotations

from functools import partial

from tabmux.page.postponed import Postponed


def filled(count: int, limit: int, budget: int, weight: int = 1) -> tuple[Postponed, list[int]]:
    ran: list[int] = []
    postponed = Postponed(limit, budget)
    for number in range(count):
        postponed.add(partial(ran.append, number), weight)
    return postponed, ran


def test_steps_run_in_their_order_when_asked() -> None:
    postponed, ran = filled(3, limit=10, budget=10)
    assert ran == []
    postponed.run(2)
    assert ran == [0, 1]
    postponed.run(5)
    assert (ran, len(postponed), postponed.lost) == ([0, 1, 2], 0, 0)


def test_newest_are_kept_and_the_others_counted() -> None:
    postponed, ran = filled(5, limit=2, budget=100)
    postponed.run(9)
    assert (ran, postponed.lost) == ([3, 4], 3)


def test_weight_is_bounded_but_the_newest_stays() -> None:
    postponed, ran = filled(5, limit=10, budget=25, weight=10)
    assert (len(postponed), postponed.lost) == (2, 3)
    postponed.add(lambda: ran.append(9), 1000)
    postponed.run(9)
    assert ran == [9]
    postponed.add(lambda: ran.append(10), 25)
    assert len(postponed) == 1
