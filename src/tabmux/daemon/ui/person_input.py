"""Person input: mouse and keyboard of a person, sent on to a page that the person has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabmux.page.page import Page

MOST_TEXT = 10_000
_MOUSE = {
    "move": "mouseMoved",
    "down": "mousePressed",
    "up": "mouseReleased",
    "wheel": "mouseWheel",
}
_BUTTONS = ("left", "middle", "right")
_ALL_MODIFIERS = 15
# Alt and Control, which are AltGr together.
_MAKE_CHARACTERS = 3


def send_mouse(page: Page, message: Mapping[str, Any]) -> None:
    """Move, press or turn the mouse; the place is given in parts of the picture."""
    frame = page.live_frames.newest
    kind = _MOUSE.get(str(message.get("kind")))
    if frame is None or kind is None:
        return
    event: dict[str, Any] = {
        "type": kind,
        "x": part(message.get("x")) * frame.width,
        "y": part(message.get("y")) * frame.height,
        "modifiers": _whole(message.get("modifiers"), _ALL_MODIFIERS),
        "buttons": _whole(message.get("buttons"), 7),
    }
    if kind in ("mousePressed", "mouseReleased"):
        event["button"] = _BUTTONS[_whole(message.get("button"), 2)]
        event["clickCount"] = max(1, _whole(message.get("clicks"), 3))
    elif kind == "mouseWheel":
        event["deltaX"] = _whole(message.get("dx"), 5_000)
        event["deltaY"] = _whole(message.get("dy"), 5_000)
    elif event["buttons"]:
        event["button"] = "left"
    page.channel.send("Input.dispatchMouseEvent", event)


def send_key(page: Page, message: Mapping[str, Any]) -> None:
    """Press or let go of a key, as the person's browser describes it."""
    key, code = str(message.get("key", ""))[:50], str(message.get("code", ""))[:50]
    event: dict[str, Any] = {
        "key": key,
        "code": code,
        "modifiers": _whole(message.get("modifiers"), _ALL_MODIFIERS),
        "windowsVirtualKeyCode": _whole(message.get("keyCode"), 255),
        "autoRepeat": message.get("repeat") is True,
        "location": _whole(message.get("location"), 3),
    }
    if message.get("kind") == "up":
        event["type"] = "keyUp"
    else:
        # What Control, Alt and Option make of a key is known to the person's machine alone.
        writes = len(key) == 1 and message.get("writes") is True
        text = key if writes else "\r" if key == "Enter" else ""
        # With Control, Chrome would not write it.
        event["modifiers"] &= ~_MAKE_CHARACTERS if writes else _ALL_MODIFIERS
        event |= {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
    page.channel.send("Input.dispatchKeyEvent", event)


def send_text(page: Page, message: Mapping[str, Any]) -> None:
    """Write a text that the person has pasted, or that an input method has made."""
    page.channel.send("Input.insertText", {"text": str(message.get("text", ""))[:MOST_TEXT]})


def part(value: object) -> float:
    """Return a place as a part of the picture, from 0 to 1."""
    if not isinstance(value, int | float) or value != value:
        return 0.0
    # Compared before it becomes a float, for which it may be too large.
    return float(min(max(value, 0), 1))


def _whole(value: object, most: int) -> int:
    if not isinstance(value, int | float) or value != value:
        return 0
    least = -most if most > _ALL_MODIFIERS and most != 255 else 0
    return int(min(max(value, least), most))
