from __future__ import annotations

import asyncio
import io
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.secrets.filled_values import FILLED, FilledValues, RedactedStream, RedactingFormatter
from tests.secrets.canaries import forms

VALUE = 'Tr0ub4dor&3 é"x/+\\Z<'


def filled(*values: str, partly: bool = True) -> FilledValues:
    made = FilledValues()
    for value in values:
        made.note(value, lambda: True, partly=partly)
    return made


@pytest.mark.parametrize("form", forms(VALUE))
def test_value_is_taken_out_in_every_form(form: str) -> None:
    shown = filled(VALUE).text(f"before {forms(VALUE)[form]} after")
    assert forms(VALUE)[form] not in shown
    assert "•••" in shown
    assert shown.startswith("before ")
    assert shown.endswith(" after")


@given(
    st.text(
        st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=4, max_size=30
    )
)
def test_any_value_is_taken_out_of_text_and_json(value: str) -> None:
    made = filled(value)
    for name in ("raw", "url", "json", "html", "reversed", "hex"):
        assert forms(value)[name] not in made.text(f"<{forms(value)[name]}>") or name == "hex"


def test_value_that_was_cut_is_taken_out_if_much_of_it_is_left() -> None:
    made = filled("correct-horse-battery")
    assert "horse" not in made.text("name: correct-horse-ba…")
    assert "battery" not in made.text("… horse-battery")
    assert made.text("correct, and the battery is full") == "correct, and the battery is full"
    assert filled("ann@shop.example", partly=False).text("shop.example") == "shop.example"


def test_length_of_a_password_is_not_told() -> None:
    assert filled(VALUE).text('textbox value="•••••••••••••••"') == 'textbox value="•••"'


def test_other_text_stays_as_it_is() -> None:
    text = "Cats and d0gs & more 3.14 é\n" * 50
    assert filled(VALUE, "12345678").text(text) == text
    assert FilledValues().text(VALUE) == VALUE


def test_value_in_another_is_taken_out_with_it() -> None:
    assert filled("secret", "top-secret-word").text("a top-secret-word") == "a •••"


def test_structure_is_kept_where_values_are_taken_out() -> None:
    made = filled("hunter-two")
    found = made.values({"a": ["hunter-two", 5, None], "hunter-two": {"b": "x hunter-two"}})
    assert found == {"a": ["•••", 5, None], "•••": {"b": "x •••"}}


@pytest.mark.parametrize("size", [1_000, 65_536, 200_000])
def test_stream_hides_values_that_its_pieces_cut(size: int) -> None:
    values, out = filled("hunter-two-canary"), io.BytesIO()
    stream = RedactedStream(out.write, values)
    data = (b"x" * 997 + b"hunter-two-canary") * 600
    for start in range(0, len(data), size):
        stream.write(data[start : start + size])
    stream.flush()
    assert out.getvalue() == (b"x" * 997 + "•••".encode()) * 600


def test_value_is_forgotten_when_nobody_lives_for_it() -> None:
    made, lives = FilledValues(), [True, True]
    made.note("hunter-two", lambda: lives[0])
    made.note("hunter-two", lambda: lives[1])
    lives[0] = False
    assert made.text("hunter-two") == "•••"
    lives[1] = False
    assert made.text("hunter-two") == "hunter-two"
    assert not made.has_values


def test_log_has_no_values_even_in_tracebacks() -> None:
    living = [True]
    FILLED.note("log-canary-7", lambda: living[0])
    try:
        raise ValueError("log-canary-7")
    except ValueError as error:
        info = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "typed %s", ("log-canary-7",), info)
    line = RedactingFormatter("%(message)s").format(record)
    assert "typed •••" in line
    assert "log-canary-7" not in line
    living[0] = False
    FILLED.forget()


async def test_others_get_their_turn_while_a_long_text_is_searched() -> None:
    async with asyncio.TaskGroup() as group:
        search = group.create_task(filled(VALUE).long_text("plain words " * 500_000 + VALUE))
        turns = 0
        while not search.done():
            await asyncio.sleep(0)
            turns += 1
    assert turns > 10
    assert search.result().endswith("words •••")


def test_value_that_is_typed_again_takes_no_more_room() -> None:
    made = FilledValues()
    for _ in range(100):
        made.note("hunter-two", lambda: True, owner="session")
    assert [len(each.lives) for each in made._kept.values()] == [1]
