"""Sizes in bytes and ranges of them, as people write them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from tabmux.errors import BadArguments

_THOUSANDS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([kmgt]?)(i?)b?|bytes?)", re.IGNORECASE)
_HINT = 'Write a size as 1024, 10KB, 1.5MiB; a range as "1MB-2MB", "-1MB" or "1MB-".'


@dataclass(frozen=True)
class SizeRange:
    """From `least` to `most` bytes, both included."""

    least: int = 0
    most: int | float = math.inf

    @classmethod
    def parse(cls, text: str) -> SizeRange:
        """Read a range; a size by itself is the least."""
        low, dash, high = (part.strip() for part in text.partition("-"))
        if not low and not high:
            raise BadArguments(f"{text!r} is not a range of sizes.", hint=_HINT)
        least = _bytes(low) if low else 0
        most = _bytes(high) if dash and high else math.inf
        if least > most:
            raise BadArguments(f"The range {text!r} begins above its end.", hint=_HINT)
        return cls(least, most)


EVERY_SIZE = SizeRange()


def _bytes(text: str) -> int:
    match = _SIZE.fullmatch(text)
    if match is None or (match[3] and not match[2]):
        raise BadArguments(f"{text!r} is not a size.", hint=_HINT)
    step = 1024 if match[3] else 1000
    factor: int = step ** _THOUSANDS[(match[2] or "").lower()]
    return round(float(match[1]) * factor)
