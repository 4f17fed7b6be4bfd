"""Frames: buttons in frames of the same process that are scaled, turned, padded or nested."""

from __future__ import annotations

from collections.abc import Mapping

_BUTTONS = "<style>body{margin:40px}</style><button>Left</button> <button>Right</button>"
_INNER = _BUTTONS.replace('"', "&quot;")


def _frame(style: str, inner: str = _INNER, around: str = "") -> str:
    frame = f'<iframe srcdoc="{inner}" width=320 height=160 style="{style}"></iframe>'
    return f'<!doctype html><title>Frame</title><div style="{around}">{frame}</div>'


def _nested(style: str, outer: str) -> str:
    middle = f"<iframe srcdoc='{_BUTTONS}' width=260 height=110 style='{style}'></iframe>"
    return _frame(outer, middle.replace('"', "&quot;"))


PAGES: Mapping[str, str] = {
    "half": _frame("transform: scale(.5)"),
    "larger": _frame("transform: scale(1.4, 1.7); margin: 80px"),
    "turned": _frame("transform: rotate(17deg); margin: 60px"),
    "upright": _frame("transform: rotate(90deg); margin: 120px"),
    "mirrored": _frame("transform: scaleX(-1)"),
    "skewed": _frame("transform: skew(12deg, 6deg); margin: 50px"),
    "small zoom": _frame("zoom: .6"),
    "large zoom": _frame("zoom: 1.5"),
    "border": _frame("border: 23px solid teal"),
    "padding": _frame("padding: 31px 7px 3px 43px"),
    "border and padding, turned": _frame(
        "border: 9px solid; padding: 15px; transform: rotate(-11deg); margin: 60px"
    ),
    "around it scaled": _frame("", around="transform: scale(.7); transform-origin: 0 0"),
    "around it zoomed": _frame("padding: 12px", around="zoom: 1.3"),
    "origin and shift": _frame("transform-origin: 0 0; transform: translate(90px, 40px) scale(.8)"),
    "perspective": _frame("transform: perspective(600px) rotateY(25deg); margin: 40px"),
    "rotate and scale properties": _frame("rotate: 30deg; scale: .75; margin: 70px"),
    "nested, both scaled": _nested("transform: scale(.8)", "transform: scale(1.3); margin: 60px"),
    "nested, padding and turned": _nested(
        "padding: 8px; border: 4px solid", "transform: rotate(12deg); margin: 60px"
    ),
}
