"""Messages: what an extension may send on `/`, and what it notifies a session of."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from tabmux.json_text import BadJson, check_depth, decoder

Message = dict[str, Any]
Check = Callable[[Any], bool]

# What an extension answers a command of a session with.
RESPONSE = "response"
# The code of a response about a tab that the user took back or closed.
GONE = "page_gone"
LONGEST_TEXT = 64 * 1024
MOST_TABS = 10_000
MOST_TOOLS = 1_000


class Malformed(ValueError):
    """The message is none of those that an extension may send."""


@dataclass(frozen=True)
class ExtensionNotification:
    """A message of a session's extension that answers no command, and the tab it is about."""

    session: str
    tab: int | None
    message: Message

    @property
    def body(self) -> Message:
        """The message as `POST /ws-message` carries it."""
        told = self.message
        return {
            "messageId": told.get("messageId", told.get("id")),
            "type": told.get("type"),
            "payload": told.get("payload", told.get("data")),
        }


# Takes notifications to their session.
Forward = Callable[[ExtensionNotification], Awaitable[None]]


def parse(text: str | bytes) -> Message:
    """Read a message and check its parts, or raise Malformed."""
    message = read(text)
    kind = message.get("type")
    fields = _FIELDS.get(kind) if isinstance(kind, str) else None
    if fields is None:
        raise Malformed(f"Unknown type {str(kind)[:60]!r}.")
    for name, check in fields.items():
        if not check(message.get(name)):
            raise Malformed(f"{kind}: {name!r} is missing or wrong.")
    return message


def read(text: str | bytes) -> Message:
    """Read a JSON object, or raise Malformed."""
    try:
        message = _decode(text)
        check_depth(text, message)
    except BadJson as error:
        raise Malformed(f"The message is refused: {error}.") from error
    except ValueError as error:
        raise Malformed("The message is not JSON.") from error
    if not isinstance(message, dict):
        raise Malformed("The message is not a JSON object.")
    return message


def _is_tab_id(value: Any) -> bool:
    """Whether this can be the number of a tab."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def tab_of(message: Any) -> int | None:
    """Return the tab that a message or a response names."""
    tab = message.get("tabId") if isinstance(message, dict) else None
    return tab if _is_tab_id(tab) else None


def is_without_tab(response: Message, tab: int | None) -> bool:
    """Whether a response says that a tab is no more: closed, or taken back."""
    data = response.get("data")
    told = data if isinstance(data, dict) else {}
    return tab is not None and tab in (told.get("closed"), told.get("gone"))


def failure_of(response: Message) -> str | None:
    """Return why an extension could not carry out a command; None when it did."""
    data = response.get("data")
    told = data if isinstance(data, dict) else {}
    error, success = response.get("error") or told.get("error"), told.get("success")
    if response.get("error") or success is False or (success is None and error):
        return str(error or "The extension says no more.")
    return None


def _is_tool(value: Any) -> bool:
    """Whether this describes a tool of a page."""
    return (
        isinstance(value, dict)
        and _is_text(value.get("name"))
        and value["name"] != ""
        and isinstance(value.get("description", ""), str)
        and isinstance(value.get("inputSchema", {}), dict)
    )


def _decode(text: str | bytes) -> Any:
    try:
        return _decode_any(text)
    except msgspec.DecodeError:
        # Half of a surrogate pair: JavaScript may write one, msgspec reads none.
        plain = text if isinstance(text, str) else text.decode()
        repaired = _LONE_SURROGATE.sub(r"\\ufffd", plain)
        if repaired == plain:
            raise
        return _decode_any(repaired)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_tab(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and _is_tab_id(value.get("id"))
        and _is_text(value.get("title", ""))
        and _is_text(value.get("url", ""))
    )


def _are_tabs(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_TABS and all(map(_is_tab, value))


def _are_tools(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_TOOLS and all(map(_is_tool, value))


def _is_id(value: Any) -> bool:
    return _is_tab_id(value) or _is_text(value)


def _is_error(value: Any) -> bool:
    return value is None or _is_text(value)


_decode_any = decoder(object)
_LONE_SURROGATE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)

# Which messages there are, and what each must carry.
_FIELDS: dict[str, dict[str, Check]] = {
    "ping": {},
    "connected": {"browser": _is_object, "tabs": _are_tabs},
    "disconnected": {},
    "tabCreated": {"tab": _is_tab},
    "tabUpdated": {"tab": _is_tab},
    "tabClosed": {"tabId": _is_tab_id},
    "tabFocused": {"tabId": _is_tab_id, "tools": _are_tools},
    "toolsChanged": {"tabId": _is_tab_id, "tools": _are_tools},
    "toolResult": {"callId": _is_text, "error": _is_error},
    "tabCrashed": {"tabId": _is_tab_id},
    "detached": {"tabId": _is_tab_id},
    "reply": {"id": _is_id},
    "cdpResult": {"id": _is_id},
    "cdpEvent": {"tabId": _is_tab_id, "method": _is_text},
    "error": {"message": _is_text},
    "point": {"tabId": _is_tab_id, "sentence": _is_text},
    "unpair": {},
}
