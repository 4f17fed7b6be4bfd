from __future__ import annotations

import pytest

from tabmux.errors import Misuse
from tabmux.page.act.keyboard import KEYS, parse


def pressed(text: str) -> list[str]:
    return [
        f"{event['type']} {event['key']} {event['modifiers']}" for event in parse(text).events()
    ]


def test_plain_key_goes_down_and_up() -> None:
    assert pressed("a") == ["keyDown a 0", "keyUp a 0"]


def test_modifiers_are_held_around_the_key() -> None:
    assert pressed("Control+Shift+R") == [
        "rawKeyDown Control 2",
        "rawKeyDown Shift 10",
        "rawKeyDown R 10",
        "keyUp R 10",
        "keyUp Shift 2",
        "keyUp Control 0",
    ]


@pytest.mark.parametrize(
    ("text", "key", "typed"),
    [
        ("Enter", "Enter", "\r"),
        ("+", "+", "+"),
        ("Control++", "+", "+"),
        ("Shift+1", "!", "!"),
        ("Shift+a", "A", "A"),
        ("Shift+/", "?", "?"),
        ("Control+A", "a", "a"),
        ("Esc", "Escape", ""),
        ("enter", "Enter", "\r"),
        ("ctrl+c", "c", "c"),
        ("Cmd+V", "v", "v"),
        ("Space", " ", " "),
        ("F12", "F12", ""),
        ("é", "é", "é"),
        ("Numpad5", "5", "5"),
        ("KeyQ", "q", "q"),
    ],
)
def test_names_and_their_variants(text: str, key: str, typed: str) -> None:
    found = parse(text).key
    assert (found.key, found.text) == (key, typed)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "Name a key"),
        ("Entr", "Enter"),
        ("a+b", "Only Control"),
        ("Control+Control+a", ""),
        ("Qqqqq", ""),
    ],
)
def test_what_cannot_be_pressed_is_explained(text: str, hint: str) -> None:
    with pytest.raises(Misuse) as caught:
        parse(text)
    assert hint in caught.value.hint


def test_text_is_typed_only_without_control() -> None:
    key = KEYS["a"]
    assert key.event("down", 0)["text"] == "a"
    assert "text" not in key.event("down", 2)


def test_every_printable_character_of_the_layout_is_a_key() -> None:
    assert all(chr(code) in KEYS for code in range(32, 127))
