from __future__ import annotations

from tabmux.browsers.grid.waiting_line import Ticket, WaitingLine


def _line(*tokens: str) -> tuple[WaitingLine[str], list[Ticket[str]]]:
    line = WaitingLine[str](10)
    tickets = [Ticket[str](token) for token in tokens]
    for ticket in tickets:
        line.add(ticket)
    return line, tickets


def _serve_all(line: WaitingLine[str], tickets: list[Ticket[str]]) -> list[int]:
    order = []
    while len(line):
        head = next(line.heads())
        line.serve(head, "browser")
        order.append(tickets.index(head))
    return order


async def test_first_come_is_first_served_within_a_token() -> None:
    assert _serve_all(*_line("a", "a", "a")) == [0, 1, 2]


async def test_tokens_take_turns() -> None:
    assert _serve_all(*_line("a", "a", "a", "b", "c", "b")) == [0, 3, 4, 1, 5, 2]


async def test_places_are_counted_within_a_token_and_told_when_they_change() -> None:
    line, (first, second, other) = _line("a", "a", "b")
    assert [first.place, second.place, other.place] == [1, 2, 1]
    told: list[int] = []
    second.told = lambda: told.append(second.place)
    line.remove(other)
    line.remove(first)
    assert told == [1]


async def test_whoever_leaves_is_not_served() -> None:
    line, (first, second) = _line("a", "a")
    line.remove(first)
    line.remove(first)
    assert list(line.heads()) == [second]
    assert line.waiting == {"a": 1}


async def test_line_has_an_end() -> None:
    line, _ = _line(*["a"] * 9)
    assert not line.is_full
    line.add(Ticket("b"))
    assert line.is_full


async def test_everybody_is_told_why_there_is_nothing() -> None:
    line, (first, second) = _line("a", "b")
    line.fail(ValueError("no hub"))
    assert not len(line)
    assert str(first.served.exception()) == str(second.served.exception()) == "no hub"
