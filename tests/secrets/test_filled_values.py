from __future__ import annotations

import asyncio
import base64
import io
import json
import logging
import re
import threading
import unicodedata
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.secrets.filled_values import FILLED, FilledValues, RedactedStream, RedactingFormatter
from tests.secrets.canaries import forms

VALUE = 'Tr0ub4dor&3 é"x/+\\Z<'


# What a few words of a page's script make of a value, in a text that agents can read.
WRITTEN: dict[str, Callable[[str], str]] = {
    "joined by underscores": "_".join,
    "joined by hard blanks": "\N{NO-BREAK SPACE}".join,
    "joined by dots in the middle": " · ".join,
    "far apart": "\n        \n".join,
    "an element each": lambda v: "".join(f"<b class=x>{c}</b>" for c in v),
    "a button each": lambda v: "\n".join(f'  uid=a1_{n} button "{c}"' for n, c in enumerate(v)),
    "a list": lambda v: json.dumps(list(v), indent=4),
    "an object": lambda v: json.dumps(dict(enumerate(v))),
    "a numbered list": lambda v: "\n".join(f"{n}. {c}" for n, c in enumerate(v)),
    "wide letters": lambda v: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in v),
    "bold letters": lambda v: "".join(
        chr(0x1D41A + ord(c) - 97) if "a" <= c <= "z" else c for c in v
    ),
    "struck through": lambda v: "".join(f"{c}\u0336" for c in v),
    "in pieces of Unicode": lambda v: unicodedata.normalize("NFD", v),
    "without accents": lambda v: v.replace("é", "e"),
    "codes": lambda v: json.dumps([ord(c) for c in v], indent=2),
    "codes in an object": lambda v: json.dumps(dict(enumerate(v.encode()))),
    "codes backwards": lambda v: ",".join(str(ord(c)) for c in reversed(v)),
    "hexadecimal codes": lambda v: ", ".join(f"0x{ord(c):02x}" for c in v),
    "hexadecimal words": lambda v: "".join(f"{ord(c):04x}" for c in v),
    "names of code points": lambda v: " ".join(f"U+{ord(c):04X}" for c in v),
    "octal codes": lambda v: " ".join(f"{byte:o}" for byte in v.encode()),
    "bits": lambda v: " ".join(f"{byte:08b}" for byte in v.encode()),
    "escape": lambda v: "".join(f"%u{ord(c):04x}" for c in v),
    "escapes of CSS": lambda v: "".join(f"\\{ord(c):x} " for c in v),
    "quoted-printable": lambda v: "".join(f"={byte:02X}" for byte in v.encode()),
    "base64 twice": lambda v: b64(b64(v.encode()).encode()),
    "base64 of UTF-16": lambda v: b64(v.encode("utf-16-le")),
    "base64 of Latin-1": lambda v: b64(v.encode("latin-1")),
    "base64 backwards": lambda v: b64(v.encode())[::-1],
    "base64 of it backwards": lambda v: b64(v[::-1].encode()),
    "base64 of an address": lambda v: b64(quote(v, safe="").encode()),
    "base64 in lines": lambda v: base64.encodebytes(b"x" * 50 + v.encode()).decode(),
}


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


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


@pytest.mark.parametrize("way", WRITTEN)
def test_value_is_taken_out_however_a_script_writes_it(way: str) -> None:
    for value in ("correct7Horse", "pass-wérd 8!"):
        shown = filled(value).text(f"before {WRITTEN[way](value)} after")
        assert re.fullmatch(r"before .{0,70}•••.{0,30}after", shown, re.DOTALL), shown
        assert len(shown) < 110


def test_words_in_another_style_stay_where_they_are_no_value() -> None:
    text = "Ｃａｔｓ and 𝐝𝐨𝐠𝐬 ① ½"
    assert filled(VALUE).text(text) == text


def test_number_is_taken_out_also_where_it_is_none_of_text() -> None:
    made = filled("0123456", partly=False)
    assert made.values({"a": 123456, "b": [123456.0, 99, True]}) == {"a": 0, "b": [0, 99, True]}
    assert made.text("code 123456, and 9123456") == "code •••, and 9123456"


@pytest.mark.parametrize(
    "value", ["k3Y-" * 250, "Grüße an Vögel, die 37 Äpfel in Öl mögen: ß", "密钥🎉" * 20]
)
def test_long_value_is_taken_out_as_fast_as_others(value: str) -> None:
    made = filled(value)
    shown = made.text(f"a {value} b")
    assert len(shown) < 30, shown
    # Beyond some ten thousand steps RE2 searches a hundred times as slowly.
    assert max(each.expression.programsize for each in made._kept.values()) < 30_000


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


def test_value_that_is_noted_while_others_are_dropped_is_not_shown() -> None:
    """Long texts and lines of the log are read in other threads, while values are noted."""
    values = FilledValues()

    def note_meanwhile() -> bool:
        values.note("second-value", lambda: True)
        values.note("first-value", lambda: True)
        return False

    values.note("first-value", note_meanwhile)
    values.forget()
    assert values.text("first-value second-value") == "••• •••"


def test_line_that_is_logged_while_a_value_is_noted_is_written() -> None:
    """Collecting garbage may make asyncio log anywhere."""
    values, lines, lives = FilledValues(), list[str](), [True]
    values.note("older-value", lambda: lives[0])

    class Logging:
        def __hash__(self) -> int:
            lives[0] = False
            lines.append(values.text("first-value"))
            return 0

    noting = threading.Thread(
        target=lambda: values.note("first-value", lambda: True, owner=Logging()), daemon=True
    )
    noting.start()
    noting.join(5)
    assert not noting.is_alive()
    assert lines
    assert values.text("first-value older-value") == "••• older-value"
