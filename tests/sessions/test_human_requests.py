from __future__ import annotations

import pytest

from tabmux.concurrency import TaskOwner
from tabmux.daemon.app import App
from tabmux.errors import Busy
from tabmux.sessions.human_requests import (
    MOST_KEPT_OF_SESSION,
    MOST_OPEN,
    MOST_OPEN_OF_SESSION,
    HumanRequest,
    HumanRequests,
)
from tabmux.sessions.session import Session


def asked(requests: HumanRequests, session: Session) -> HumanRequest:
    return requests.make(session, "help", "Solve the captcha", 60)


async def test_a_session_that_asks_too_often_is_told_to_wait(app: App, tasks: TaskOwner) -> None:
    requests, session = HumanRequests(tasks), app.open()
    made = [asked(requests, session) for _ in range(MOST_OPEN_OF_SESSION)]
    with pytest.raises(Busy, match="wait for a person already"):
        asked(requests, session)
    requests.people = 1
    assert await requests.confirmed(session, "Delete it?") is None
    requests.end(made[0], "done")
    assert asked(requests, session) in requests.open_ones()
    await session.close()


async def test_requests_of_other_sessions_are_never_ended_for_room(
    app: App, tasks: TaskOwner
) -> None:
    requests, sessions = HumanRequests(tasks), [app.open() for _ in range(MOST_OPEN + 1)]
    made = [asked(requests, each) for each in sessions[:-1]]
    with pytest.raises(Busy):
        asked(requests, sessions[-1])
    assert requests.open_ones() == made
    await sessions[0].close()
    assert asked(requests, sessions[-1]) in requests.open_ones()
    for each in sessions[1:]:
        await each.close()


async def test_outcomes_of_one_session_are_kept_in_a_bounded_number(
    app: App, tasks: TaskOwner
) -> None:
    requests, session = HumanRequests(tasks), app.open()
    first = asked(requests, session)
    kept = []
    for _ in range(MOST_KEPT_OF_SESSION * 2):
        kept.append(asked(requests, session))
        requests.end(kept[-1], "done")
    found = [each for each in kept if requests.find(each.id, session)]
    assert len(found) == MOST_KEPT_OF_SESSION - 1
    assert requests.find(first.id) is first
    await session.close()
