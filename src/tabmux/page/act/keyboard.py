"""Keyboard: the keys of a US keyboard, and combinations of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tabmux.errors import Misuse

MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


@dataclass(frozen=True)
class KeyboardKey:
    """One key: what it is called, where it sits, what it types."""

    key: str
    code: str
    number: int
    text: str = ""
    location: int = 0

    def event(self, kind: str, modifiers: int) -> dict[str, Any]:
        """Return the parameters of Input.dispatchKeyEvent."""
        typed = self.text if not modifiers & ~MODIFIERS["Shift"] else ""
        if kind == "down":
            kind = "keyDown" if typed else "rawKeyDown"
        else:
            kind, typed = "keyUp", ""
        event: dict[str, Any] = {
            "type": kind,
            "key": self.key,
            "code": self.code,
            "windowsVirtualKeyCode": self.number,
            "modifiers": modifiers,
            "location": self.location,
        }
        if typed:
            event["text"] = event["unmodifiedText"] = typed
        return event


_PUNCTUATION = (
    ("`~", "Backquote", 192), ("-_", "Minus", 189), ("=+", "Equal", 187),
    ("[{", "BracketLeft", 219), ("]}", "BracketRight", 221), ("\\|", "Backslash", 220),
    (";:", "Semicolon", 186),
    ("'\"", "Quote", 222), (",<", "Comma", 188), (".>", "Period", 190), ("/?", "Slash", 191),
)  # fmt: skip
_SHIFTED_DIGITS = ")!@#$%^&*("
_NAMED = (
    ("Backspace", 8, ""), ("Tab", 9, ""), ("Enter", 13, "\r"), ("Pause", 19, ""),
    ("CapsLock", 20, ""), ("Escape", 27, ""), ("PageUp", 33, ""), ("PageDown", 34, ""),
    ("End", 35, ""), ("Home", 36, ""), ("ArrowLeft", 37, ""), ("ArrowUp", 38, ""),
    ("ArrowRight", 39, ""), ("ArrowDown", 40, ""), ("PrintScreen", 44, ""), ("Insert", 45, ""),
    ("Delete", 46, ""), ("ContextMenu", 93, ""), ("NumLock", 144, ""), ("ScrollLock", 145, ""),
    ("AudioVolumeMute", 173, ""), ("AudioVolumeDown", 174, ""), ("AudioVolumeUp", 175, ""),
    ("MediaTrackNext", 176, ""), ("MediaTrackPrevious", 177, ""), ("MediaStop", 178, ""),
    ("MediaPlayPause", 179, ""), ("BrowserBack", 166, ""), ("BrowserForward", 167, ""),
)  # fmt: skip
_NUMPAD = (
    ("NumpadMultiply", "*", 106), ("NumpadAdd", "+", 107), ("NumpadSubtract", "-", 109),
    ("NumpadDecimal", ".", 110), ("NumpadDivide", "/", 111),
)  # fmt: skip
_ALIASES = {
    "Ctrl": "Control", "Cmd": "Meta", "Command": "Meta", "Win": "Meta", "Super": "Meta",
    "Option": "Alt", "Esc": "Escape", "Del": "Delete", "Return": "Enter", "Spacebar": "Space",
    "Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft", "Right": "ArrowRight",
    "PgUp": "PageUp", "PgDn": "PageDown", "Ins": "Insert",
}  # fmt: skip


def _keys() -> Iterator[tuple[str, KeyboardKey]]:
    for letter in "abcdefghijklmnopqrstuvwxyz":
        code, number = f"Key{letter.upper()}", ord(letter.upper())
        yield letter, KeyboardKey(letter, code, number, letter)
        yield letter.upper(), KeyboardKey(letter.upper(), code, number, letter.upper())
        yield code, KeyboardKey(letter, code, number, letter)
    for digit, shifted in zip("0123456789", _SHIFTED_DIGITS, strict=True):
        code, number = f"Digit{digit}", ord(digit)
        yield digit, KeyboardKey(digit, code, number, digit)
        yield shifted, KeyboardKey(shifted, code, number, shifted)
        yield code, KeyboardKey(digit, code, number, digit)
        yield f"Numpad{digit}", KeyboardKey(digit, f"Numpad{digit}", 96 + int(digit), digit, 3)
    for pair, code, number in _PUNCTUATION:
        for char in pair:
            yield char, KeyboardKey(char, code, number, char)
        yield code, KeyboardKey(pair[0], code, number, pair[0])
    for name, number, text in _NAMED:
        yield name, KeyboardKey(name, name, number, text)
    for code, char, number in _NUMPAD:
        yield code, KeyboardKey(char, code, number, char, 3)
    yield "NumpadEnter", KeyboardKey("Enter", "NumpadEnter", 13, "\r", 3)
    for name in (" ", "Space"):
        yield name, KeyboardKey(" ", "Space", 32, " ")
    for index in range(1, 25):
        yield f"F{index}", KeyboardKey(f"F{index}", f"F{index}", 111 + index)
    for name, number in (("Shift", 16), ("Control", 17), ("Alt", 18), ("Meta", 91)):
        yield name, KeyboardKey(name, f"{name}Left", number, location=1)
        yield f"{name}Left", KeyboardKey(name, f"{name}Left", number, location=1)
        yield f"{name}Right", KeyboardKey(name, f"{name}Right", number, location=2)


KEYS = dict(_keys())


@dataclass(frozen=True)
class KeyCombination:
    """A key with the modifiers that are held meanwhile."""

    modifiers: tuple[KeyboardKey, ...]
    key: KeyboardKey

    def events(self) -> Iterator[dict[str, Any]]:
        """Press the modifiers, press and release the key, release the modifiers."""
        held = 0
        for modifier in self.modifiers:
            held |= MODIFIERS[modifier.key]
            yield modifier.event("down", held)
        own = MODIFIERS.get(self.key.key, 0)
        yield self.key.event("down", held | own)
        yield self.key.event("up", held)
        for modifier in reversed(self.modifiers):
            held &= ~MODIFIERS[modifier.key]
            yield modifier.event("up", held)


def parse(text: str) -> KeyCombination:
    """Read a combination such as Control+Shift+R; Control++ is Control and plus."""
    names = _split(text)
    *held, name = [_named(each) for each in names]
    if wrong := next((key for key in held if key.key not in MODIFIERS), None):
        raise Misuse(
            f"{wrong.key!r} cannot be held in {text!r}.",
            hint="Only Control, Shift, Alt and Meta come before the key itself.",
        )
    if len({key.key for key in held}) < len(held):
        raise Misuse(f"{text!r} names a modifier twice.")
    if any(key.key == "Shift" for key in held) and len(name.text) == 1:
        name = _shifted(name)
    elif held and name.text.isupper():
        # Control+A is how people write it; what the keyboard sends is a lower-case letter.
        name = KEYS[name.text.lower()]
    return KeyCombination(tuple(held), name)


def _split(text: str) -> list[str]:
    if not text:
        raise Misuse("The key is empty.", hint="Name a key, such as Enter or Control+A.")
    if text == "+":
        return ["+"]
    if text.endswith("++"):
        return [*text[:-2].split("+"), "+"]
    return text.split("+")


def _named(name: str) -> KeyboardKey:
    name = _ALIASES.get(name, name)
    if key := KEYS.get(name):
        return key
    lowered = {known.lower(): known for known in (*KEYS, *_ALIASES)}
    if len(name) > 1 and (known := lowered.get(name.lower())):
        return KEYS[_ALIASES.get(known, known)]
    if len(name) == 1:
        return KeyboardKey(name, "", 0, name)
    close = difflib.get_close_matches(name, KEYS, 3)
    raise Misuse(
        f"Unknown key {name!r}.",
        hint=f"Did you mean {', '.join(close)}?"
        if close
        else "Use names such as Enter, Tab, a, F5.",
    )


def _shifted(key: KeyboardKey) -> KeyboardKey:
    """Return what the key types while Shift is held."""
    if key.text.isalpha():
        return replace(key, key=key.text.upper(), text=key.text.upper())
    for other in KEYS.values():
        if other.code == key.code and other.text != key.text and len(other.text) == 1:
            return other
    return key
