"""Placement: which browser of a grid a session gets, and how many more are to be started. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """A browser as far as placement looks at it.

    Attributes:
        id: The Grid's id of it.
        token: Whose sessions it is for; empty for one that nobody has used yet.
        sessions: How many it has.
        takes_more: Whether it is there, and neither old nor on a node that drains.
    """

    id: str
    token: str = ""
    sessions: int = 0
    takes_more: bool = True


def choose(browsers: Iterable[Candidate], token: str, room: int) -> str | None:
    """Return the browser for a session of a token: the least used of its own, or an unused one.

    Args:
        browsers: All of them, the oldest first.
        token: Whose session it is.
        room: How many sessions a browser has room for.
    """
    fit = [b for b in browsers if b.takes_more and b.sessions < room and b.token in (token, "")]
    own = [browser for browser in fit if browser.token == token]
    best = min(own or fit, key=lambda browser: browser.sessions, default=None)
    return best.id if best is not None else None


def missing(
    browsers: Sequence[Candidate],
    waiting: Mapping[str, int],
    *,
    room: int,
    most: int,
    warm: int,
) -> int:
    """Return how many browsers should be on their way: for those who wait, and to be warm.

    Args:
        browsers: Those that are there.
        waiting: How many sessions of each token wait.
        room: How many sessions a browser has room for.
        most: How many browsers there may be.
        warm: How many are to wait for sessions to come.
    """
    unused = sum(b.takes_more and not b.token for b in browsers)
    needed = sum(-(-number // room) for number in waiting.values())
    return max(0, min(needed + warm - unused, most - len(browsers)))


def surplus(
    browsers: Sequence[Candidate], waiting: Mapping[str, int], *, most: int, idle: Iterable[str]
) -> list[str]:
    """Return the browsers to end: unused ones that take no more, and idle ones in others' way.

    Args:
        browsers: Those that are there, the oldest first.
        waiting: How many sessions of each token wait.
        most: How many browsers there may be.
        idle: Those that were used, and have been empty for long.
    """
    ended = set(idle)
    empty = [browser for browser in browsers if browser.sessions == 0]
    ended |= {browser.id for browser in empty if not browser.takes_more}
    if len(browsers) >= most:
        in_the_way = [b.id for b in empty if b.token and any(t != b.token for t in waiting)]
        ended |= set(in_the_way[: len(waiting)])
    return [browser.id for browser in browsers if browser.id in ended and browser.sessions == 0]
