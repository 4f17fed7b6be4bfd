"""What the library asks the daemon besides calls."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tabmux import daemon_connection, exceptions
from tabmux.library.session_options import JoinedSession

Answer = Callable[[str, float], list[str]]


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Callable[[Answer], None]:
    """Returns how to let the daemon answer."""
    return lambda answer: monkeypatch.setattr(daemon_connection, "ask", answer)


def test_browser_that_takes_too_long_is_an_error_that_says_what_to_do(
    answering: Callable[[Answer], None],
) -> None:
    def wait(*_: object) -> list[str]:
        raise TimeoutError

    answering(wait)
    with pytest.raises(exceptions.DeadlineExceeded) as failure:
        JoinedSession("", "handle").cdp_url()
    assert "Open a page first" in failure.value.hint


@pytest.mark.parametrize(
    ("said", "hint"),
    [("hint='Ask for less.'", "Ask for less."), ("", "Wait for some calls to end.")],
)
def test_error_of_the_daemon_keeps_its_hint(
    answering: Callable[[Answer], None], said: str, hint: str
) -> None:
    answering(lambda *_: [f"error code=busy message='Too much.' {said}"])
    with pytest.raises(exceptions.Busy, match=r"Too much\.") as failure:
        JoinedSession("", "handle").cdp_url()
    assert failure.value.hint == hint


def test_remote_session_has_no_address_for_cdp() -> None:
    with pytest.raises(exceptions.Misuse, match="remote server"):
        JoinedSession("far", remote=True).cdp_url()
