from __future__ import annotations

import pytest

from tabmux.browsers.grid.placement import Candidate, choose, missing, surplus

A, B = "token-a", "token-b"


@pytest.mark.parametrize(
    ("browsers", "expected"),
    [
        ([], None),
        ([Candidate("warm")], "warm"),
        ([Candidate("own", A, 3), Candidate("warm")], "own"),
        ([Candidate("more", A, 3), Candidate("less", A, 2)], "less"),
        ([Candidate("first", A, 2), Candidate("second", A, 2)], "first"),
        ([Candidate("full", A, 4), Candidate("warm")], "warm"),
        ([Candidate("full", A, 4)], None),
        ([Candidate("other", B, 0), Candidate("another", B, 1)], None),
        ([Candidate("drains", A, 1, takes_more=False), Candidate("warm")], "warm"),
        ([Candidate("drains", "", 0, takes_more=False)], None),
    ],
)
def test_session_gets_the_least_used_browser_of_its_token(
    browsers: list[Candidate], expected: str | None
) -> None:
    assert choose(browsers, A, room=4) == expected


@pytest.mark.parametrize(
    ("browsers", "waiting", "expected"),
    [
        ([], {}, 2),
        ([Candidate("warm")], {}, 1),
        ([Candidate("1"), Candidate("2")], {}, 0),
        ([Candidate("1"), Candidate("2")], {A: 1}, 1),
        ([], {A: 5}, 4),
        ([], {A: 1, B: 1}, 4),
        ([Candidate("1", A, 4), Candidate("2", A, 4)], {A: 1}, 3),
        ([Candidate(str(n), A, 4) for n in range(6)], {A: 9}, 0),
        ([Candidate(str(n), A, 4) for n in range(5)], {A: 9}, 1),
    ],
)
def test_browsers_are_started_for_those_who_wait_and_to_be_warm(
    browsers: list[Candidate], waiting: dict[str, int], expected: int
) -> None:
    assert missing(browsers, waiting, room=4, most=6, warm=2) == expected


@pytest.mark.parametrize(
    ("browsers", "waiting", "idle", "expected"),
    [
        ([Candidate("warm")], {}, [], []),
        ([Candidate("empty", A)], {}, [], []),
        ([Candidate("empty", A)], {}, ["empty"], ["empty"]),
        ([Candidate("old", A, takes_more=False)], {}, [], ["old"]),
        ([Candidate("old", A, 1, takes_more=False)], {}, [], []),
        ([Candidate("empty", A), Candidate("used", A, 1)], {B: 1}, [], ["empty"]),
        ([Candidate("empty", A), Candidate("used", A, 1)], {A: 1}, [], []),
    ],
)
def test_browsers_that_nobody_can_use_are_ended(
    browsers: list[Candidate], waiting: dict[str, int], idle: list[str], expected: list[str]
) -> None:
    assert surplus(browsers, waiting, most=2, idle=idle) == expected
