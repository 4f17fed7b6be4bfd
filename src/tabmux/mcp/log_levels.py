"""Log levels: how grave a log message is, as MCP counts it."""

from __future__ import annotations

from typing import get_args

from tabmux.mcp.rpc import Message
from tabmux.mcp.schema import LoggingLevel

LOGGER = "tabmux"

_LEVELS: tuple[str, ...] = get_args(LoggingLevel)


def is_level(value: object) -> bool:
    """Whether MCP knows this level."""
    return value in _LEVELS


def reaches(level: str, threshold: str) -> bool:
    """Whether a message is grave enough for a client that asked for `threshold`."""
    return is_level(level) and _LEVELS.index(level) >= _LEVELS.index(threshold)


def message(level: str, text: str) -> Message:
    """Return what `notifications/message` carries."""
    return {"level": level, "logger": LOGGER, "data": text}
