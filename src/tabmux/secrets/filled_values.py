"""Filled values: what was typed into pages for agents, taken out of all that is shown to them.

One for the process: what one session has typed, the page may show to another. Values are kept in
memory while the session and the page live that they were typed by and into, and written nowhere.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import re2  # type: ignore[import-untyped]

from tabmux.secrets.form_safety import HIDDEN, SHORTEST_HIDDEN
from tabmux.secrets.letter_forms import plainly
from tabmux.secrets.value_forms import expression

# Longer than any form of a value; so much of a stream is held back until more of it is known.
_HELD_BACK = 64 << 10
# A longer text takes a millisecond or more.
_AT_ONCE = 50_000
# An expression grows with its value; of one that is too large RE2 has no fast way. Letters that
# are not of ASCII are written in three times as many ways.
_LARGEST_PIECE, _OTHER_LETTER = 40, 3
_HIDDEN = HIDDEN.encode()
_DOTS = re.compile("[•●*]{4,}")

Alive = Callable[[], bool]


@dataclass
class _Kept:
    """A value by what finds it, and who it is kept for."""

    expression: re2._Regexp
    partly: bool
    lives: dict[object, Alive] = field(default_factory=dict)


class FilledValues:
    """Values that were typed, and what takes them out of texts."""

    def __init__(self) -> None:
        # The longest first: a value may be a part of another.
        self._kept: dict[str, _Kept] = {}
        # Long texts and lines of the log are read in threads, which drop values, too. One line may
        # be logged in the middle of a change: collecting garbage makes asyncio log.
        self._changing = threading.RLock()

    @property
    def has_values(self) -> bool:
        """Whether there is anything to take out."""
        return bool(self._kept)

    def note(self, value: str, alive: Alive, *, partly: bool = True, owner: object = None) -> None:
        """Keep a value out of all texts for as long as `alive` says.

        Args:
            value: The value; a short one is left, for it would be found everywhere.
            alive: Asked again and again.
            partly: Whether a part of it is a secret as well.
            owner: Who it is kept for; the same one again takes no more room.
        """
        if len(value) < SHORTEST_HIDDEN:
            return
        for piece in _pieces(value):
            made = self._kept.get(piece) or _Kept(expression(piece, partly=partly), partly)
            with self._changing:
                kept = self._kept.get(piece, made)
                kept.partly |= partly
                kept.lives[alive if owner is None else owner] = alive
                pieces = {**self._kept, piece: kept}
                longest_first = sorted(pieces, key=len, reverse=True)
                self._kept = {each: pieces[each] for each in longest_first if pieces[each].lives}

    def forget(self) -> None:
        """Drop the values that nobody lives for any more."""
        dead = [
            (piece, owner, alive)
            for piece, kept in list(self._kept.items())
            for owner, alive in list(kept.lives.items())
            if not alive()
        ]
        with self._changing:
            for piece, owner, alive in dead:
                self._drop(piece, owner, alive)

    def _drop(self, piece: str, owner: object, alive: Alive) -> None:
        """Keep a piece for somebody no longer, unless it was noted anew meanwhile."""
        kept = self._kept.get(piece)
        if kept is None or kept.lives.get(owner) is not alive:
            return
        kept.lives.pop(owner, None)
        if not kept.lives:
            self._kept.pop(piece, None)

    def remove(self, value: str) -> None:
        """Look for a value no longer."""
        with self._changing:
            for piece in _pieces(value):
                self._kept.pop(piece, None)

    def text(self, text: str) -> str:
        """Return a text without the values."""
        if not self._kept or not text:
            return text
        self.forget()
        found = self.data(text.encode(errors="surrogatepass")).decode(errors="surrogatepass")
        # Dots as a password field shows them, which tell how long the value is.
        return _DOTS.sub(HIDDEN, found)

    async def long_text(self, text: str) -> str:
        """Return a text without the values; one that takes long is searched in a thread."""
        if len(text) <= _AT_ONCE or not self._kept:
            return self.text(text)
        return await asyncio.to_thread(self.text, text)

    def data(self, data: bytes) -> bytes:
        """Return bytes without the values."""
        kept = list(self._kept.values())
        plain = plainly(data) if kept else data
        # Letters of another style stay as they are where they say something else.
        if plain is not data and any(each.expression.search(plain) for each in kept):
            data = plain
        for each in kept:
            data = bytes(each.expression.sub(_HIDDEN, data))
        return data

    def shows(self, text: str, *, partly: bool = False) -> bool:
        """Whether a text shows one of the values.

        Args:
            text: The text.
            partly: Whether to look only for those of which a part is a secret as well.
        """
        self.forget()
        data = plainly(text.encode(errors="surrogatepass"))
        looked_for = [kept for kept in self._kept.values() if kept.partly or not partly]
        return any(kept.expression.search(data) for kept in looked_for)

    def values(self, value: Any) -> Any:
        """Return JSON values without the secret ones in their texts; a number becomes 0."""
        if not self._kept:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int | float) and len(number := str(value)) >= SHORTEST_HIDDEN:
            return value if isinstance(value, bool) or self.text(number) == number else 0
        if isinstance(value, dict):
            return {self.text(str(key)): self.values(each) for key, each in value.items()}
        return [self.values(each) for each in value] if isinstance(value, list | tuple) else value

    def matches(self, data: bytes) -> list[tuple[int, int]]:
        """Return where the values stand in bytes."""
        kept = list(self._kept.values())
        return [found.span() for each in kept for found in each.expression.finditer(data)]


def _pieces(value: str) -> list[str]:
    """Return a long value in parts of about the same length, each of which is looked for."""
    weight = sum(1 if char.isascii() else _OTHER_LETTER for char in value)
    length = math.ceil(len(value) / math.ceil(weight / _LARGEST_PIECE))
    return [value[start : start + length] for start in range(0, len(value), length)]


FILLED = FilledValues()


class RedactedStream:
    """Takes the values out of what is written piece by piece.

    Args:
        write: Where the rest goes.
        values: What is taken out.
    """

    def __init__(self, write: Callable[[bytes], Any], values: FilledValues = FILLED) -> None:
        self._write, self._values, self._held = write, values, b""

    def write(self, data: bytes) -> int:
        """Write a piece; its end waits for the next one."""
        self._held += data
        if len(self._held) > 2 * _HELD_BACK:
            end = len(self._held) - _HELD_BACK
            crossing = [at for at, to in self._values.matches(self._held) if at < end < to]
            self._pass(min(crossing, default=end))
        return len(data)

    def flush(self) -> None:
        """Write what is held back."""
        self._pass(len(self._held))

    def _pass(self, end: int) -> None:
        ready, self._held = self._held[:end], self._held[end:]
        if ready:
            self._write(self._values.data(ready))


class RedactingFormatter(logging.Formatter):
    """Formats lines of the log without the values, also those of tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return FILLED.text(super().format(record))
