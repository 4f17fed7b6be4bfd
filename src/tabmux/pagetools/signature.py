"""Whether two lists of tools are the same to a client."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from tabmux.content import ToolSpec
from tabmux.pagetools.model import PageTool

# What may differ between two looks at a page that offers the same.
_VOLATILE = frozenset({"default", "description", "examples"})


def signature(tools: Iterable[PageTool | ToolSpec]) -> str:
    """Return the same text for lists that a client need not read again."""
    rows = sorted(
        [tool.name, _lasting(tool.schema), [tool.reads, tool.destroys, tool.repeatable]]
        for tool in tools
    )
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]


def _lasting(value: Any) -> Any:
    if isinstance(value, dict):
        return json.dumps(
            {
                key: _lasting(each)
                for key, each in value.items()
                if key not in _VOLATILE or isinstance(each, dict)
            },
            sort_keys=True,
        )
    return [_lasting(each) for each in value] if isinstance(value, list) else value
