from __future__ import annotations

from tabmux.cdp.event_rate import BURST, CONSOLE_EVENT, WINDOW_SECONDS, EventRates, session_id_of

START = 100.0


def test_usual_chatter_is_no_flood() -> None:
    rates = EventRates()
    for window in range(5):
        at = START + window * WINDOW_SECONDS * 1.01
        assert not any(rates.count(b"A", at) for _ in range(BURST))


def test_flood_lasts_until_a_window_with_less_has_passed() -> None:
    rates = EventRates()
    assert [rates.count(b"A", START) for _ in range(BURST + 2)] == [False] * BURST + [True] * 2
    assert rates.count(b"A", START + 1.1 * WINDOW_SECONDS)
    assert not rates.count(b"A", START + 2.2 * WINDOW_SECONDS)


def test_flood_is_over_after_a_silence() -> None:
    rates = EventRates()
    for _ in range(BURST + 1):
        rates.count(b"A", START)
    assert not rates.count(b"A", START + 3 * WINDOW_SECONDS)


def test_sessions_are_counted_apart_and_forgotten() -> None:
    rates = EventRates()
    for _ in range(BURST + 1):
        rates.count(b"A", START)
    assert not rates.count(b"B", START)
    rates.forget(b"A")
    assert not rates.count(b"A", START)


def test_session_stands_at_the_end_of_a_message() -> None:
    head = b'{"method":"' + CONSOLE_EVENT + b'","params":{"args":["\\"sessionId\\":\\"X\\""]}'
    assert session_id_of(head + b',"sessionId":"A1"}') == b"A1"
    assert session_id_of(head + b"}") == b""
