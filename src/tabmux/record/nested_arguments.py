"""Nested arguments: values by where they stand in a call, such as `elements.0.value`."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping
from typing import Any

_HIDDEN = re.compile(r"<hidden (\w+)>")


def put(values: Any, path: str, value: str) -> None:
    """Put a value into nested arguments; a place that is not there is left."""
    *above, last = path.split(".")
    for each in above:
        values = values[int(each)] if isinstance(values, list) else values.get(each)
        if values is None:
            return
    if isinstance(values, list):
        values[int(last)] = value
    elif last in values:
        values[last] = value


def without(arguments: Mapping[str, Any], paths: Iterable[str]) -> Any:
    """Return arguments without the values at some places."""
    rest = copy.deepcopy(dict(arguments))
    for path in paths:
        put(rest, path, "")
    return rest


def filled(value: Any, values: Mapping[str, str]) -> Any:
    """Put values in the place of what was hidden, also inside of longer texts, by its names."""
    if isinstance(value, str):
        return _HIDDEN.sub(lambda found: values.get(found[1], found[0]), value)
    if isinstance(value, dict):
        return {key: filled(each, values) for key, each in value.items()}
    return [filled(each, values) for each in value] if isinstance(value, list) else value
