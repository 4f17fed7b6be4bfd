from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.browsers.browser_state import (
    TRANSITIONS,
    BrowserState,
    ConnectionEvent,
    ConnectionHistory,
    Health,
    attempt_delays,
)


def test_browser_connects_loses_and_comes_back() -> None:
    history = ConnectionHistory()
    for event in (
        ConnectionEvent.ATTEMPT,
        ConnectionEvent.SUCCESS,
        ConnectionEvent.LOSS,
        ConnectionEvent.ATTEMPT,
        ConnectionEvent.SUCCESS,
    ):
        history = history.after(event, 1.0, "gone")
    assert history == ConnectionHistory(BrowserState.CONNECTED, "", 1.0, connections=2)


def test_failure_is_remembered_until_the_next_success() -> None:
    history = (
        ConnectionHistory()
        .after(ConnectionEvent.ATTEMPT, 1.0)
        .after(ConnectionEvent.FAILURE, 2.0, "refused")
    )
    assert (history.state, history.last_error, history.last_attempt) == (
        BrowserState.DISCONNECTED,
        "refused",
        2.0,
    )


@pytest.mark.parametrize(("now", "wait"), [(1.0, 60.0), (31.0, 30.0), (61.0, 0.0), (100.0, 0.0)])
def test_failed_browser_cools_down_before_the_next_attempt(now: float, wait: float) -> None:
    history = (
        ConnectionHistory()
        .after(ConnectionEvent.ATTEMPT, 1.0)
        .after(ConnectionEvent.FAILURE, 1.0, "refused")
    )
    assert history.wait(now, 60.0) == wait


def test_new_browser_may_be_tried_at_once() -> None:
    assert ConnectionHistory().wait(0.0, 60.0) == 0.0


@given(st.lists(st.sampled_from(list(ConnectionEvent))))
def test_history_follows_the_table_and_nothing_else(events: list[ConnectionEvent]) -> None:
    history = ConnectionHistory()
    for event in events:
        if (history.state, event) in TRANSITIONS:
            history = history.after(event, 0.0)
        else:
            with pytest.raises(KeyError):
                history.after(event, 0.0)


def test_pauses_double() -> None:
    assert attempt_delays(4, 0.5) == [0.5, 1.0, 2.0]


def test_health_counts_and_averages() -> None:
    health = Health()
    assert health.line == "no calls yet"
    health = health.after(0.1, failed=False)
    assert health.line == "1 call, 0 failed, 100 ms"
    health = health.after(0.2, failed=True)
    assert health.line == "2 calls, 1 failed, 120 ms"
