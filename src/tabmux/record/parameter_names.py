"""Parameter names: what hidden and typed values are called, and what stands in their place."""

from __future__ import annotations

import re
from keyword import iskeyword

# What the programs call something else in which parameters stand.
_TAKEN = frozenset(
    {
        "asyncio", "expect", "fill", "main", "next", "opened", "opened_page", "os", "page",
        "selected_page", "sys", "tab", "tabmux",
    }
)  # fmt: skip
_PAGE = re.compile(r"page_\d+")
_WORDS = re.compile(r"[^a-z0-9]+")


def placeholder(name: str) -> str:
    """Return what stands in the place of something that is not written down."""
    return f"<hidden {name}>"


def parameter_name(text: str, otherwise: str = "value") -> str:
    """Make the name of a parameter of a field's name or an argument's; programs may use it."""
    name = _WORDS.sub("_", text.lower()).strip("_")[:40] or otherwise
    if name[0].isdigit():
        name = f"{otherwise}_{name}"
    is_taken = iskeyword(name) or name in _TAKEN or _PAGE.fullmatch(name)
    return f"{name}_{otherwise}" if is_taken else name
