"""JSON text: decodes what agents, files and peers wrote, within limits of size and depth."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

# Nothing that people or programs exchange here is nested deeper; code that walks through values
# by calling itself stands several times as much.
DEEPEST = 100
LARGEST = 64 << 20
_TOO_DEEP = f"it is nested more than {DEEPEST} levels deep"


class BadJson(ValueError):
    """A text that is no JSON, or too large or too deep; its message says which."""


def decoded(text: str | bytes, *, largest: int = LARGEST) -> Any:
    """Return the value of a JSON text, or raise what is wrong with it."""
    if len(text) > largest:
        raise BadJson(f"it has more than {largest} characters")
    try:
        value = json.loads(text)
    except RecursionError:
        raise BadJson(_TOO_DEEP) from None
    except ValueError as error:
        # Also what is no UTF-8, and numbers of thousands of digits.
        raise BadJson(str(error)[:200]) from None
    check_depth(text, value)
    return value


def check_depth(text: str | bytes, value: Any) -> None:
    """Raise it if the value that a text was decoded to is nested too deep."""
    # Nearly every text has too few brackets for that, which is found out at once.
    if _brackets(text) > DEEPEST and is_deep(value):
        raise BadJson(_TOO_DEEP)


def is_deep(value: Any) -> bool:
    """Whether a value is nested deeper than code stands that goes through it by calling itself."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [inner for each in level for inner in _members(each)]
        if not level:
            return False
    return True


def decoder(kind: type[T]) -> Callable[[Any], T]:
    """Return a decoder of one type, which fails with nothing but msgspec's own errors.

    What the type does not name is skipped, so depth is limited by the type alone.
    """
    # The command line reads JSON too, and starts without it.
    import msgspec

    decode = msgspec.json.Decoder(kind).decode

    def within_limits(text: Any) -> T:
        try:
            return decode(text)
        except RecursionError:
            raise msgspec.DecodeError("JSON is nested too deep") from None
        except UnicodeDecodeError as error:
            raise msgspec.DecodeError(str(error)[:200]) from None

    return within_limits


def _brackets(text: str | bytes) -> int:
    if isinstance(text, str):
        return text.count("[") + text.count("{")
    return text.count(b"[") + text.count(b"{")


def _members(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def json_object(value: Any) -> dict[str, Any]:
    """Return an object that may have been sent as text; an empty one for anything else."""
    try:
        found = decoded(value or "{}") if isinstance(value, str) else value
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
