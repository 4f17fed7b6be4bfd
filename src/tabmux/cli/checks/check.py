"""Check: what one look of tabmux doctor found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Check:
    """What one look found, and what to do about it."""

    name: str
    state: Literal["ok", "warning", "problem"]
    detail: str
    fix: str = ""
