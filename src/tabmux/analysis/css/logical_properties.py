"""Logical properties: which physical side margin-inline-start and its like mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_SIDE = re.compile(
    r"^(inset|(?:scroll-)?(?:margin|padding)|border)-(block|inline)-(start|end)(.*)$"
)
_SIZE = re.compile(r"^((?:min-|max-|contain-intrinsic-|overflow-)?)(block|inline)(-size|)$")
_OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


@dataclass(frozen=True)
class TextFlow:
    """How text runs in an element, in the words of CSS."""

    writing_mode: str = "horizontal-tb"
    direction: str = "ltr"

    @classmethod
    def of(cls, computed: Mapping[str, str]) -> TextFlow:
        """Read it from what a page's script found."""
        return cls(computed["writingMode"], computed["direction"])

    def physical(self, name: str) -> str:
        """Return the physical property that a logical one stands for, or the name itself."""
        if found := _SIDE.match(name):
            box, axis, edge, rest = found.groups()
            side = self._start(axis)
            side = side if edge == "start" else _OPPOSITE[side]
            return f"{side}{rest}" if box == "inset" else f"{box}-{side}{rest}"
        if found := _SIZE.match(name):
            before, axis, size = found.groups()
            across = self._horizontal == (axis == "inline")
            if before == "overflow-" and not size:
                return "overflow-x" if across else "overflow-y"
            return f"{before}{'width' if across else 'height'}" if size else name
        return name

    @property
    def _horizontal(self) -> bool:
        return self.writing_mode.startswith("horizontal")

    def _start(self, axis: str) -> str:
        if axis == "block":
            return {"vertical-rl": "right", "sideways-rl": "right"}.get(
                self.writing_mode, "top" if self._horizontal else "left"
            )
        start = "left" if self._horizontal else "top"
        upwards = self.writing_mode == "sideways-lr"
        return _OPPOSITE[start] if (self.direction == "rtl") != upwards else start
