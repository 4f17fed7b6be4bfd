"""Hidden input: what an action typed where nobody is meant to read it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class HiddenInput:
    """What of one action is not written down.

    Attributes:
        values: What was typed into fields that do not show it.
        all: Whether its arguments are the page's own business, and may hold anything.
    """

    values: list[str] = field(default_factory=list)
    all: bool = False
