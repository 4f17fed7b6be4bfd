"""Client messages: CDP as a client of the endpoint sends it and gets it, unread where possible."""

from __future__ import annotations

from typing import Any

import msgspec

from tabmux.errors import Misuse

EMPTY = msgspec.Raw(b"{}")
_EVENT = b'{"method":"'
_TARGET_EVENT = b'{"method":"Target.'
# What CDP says of a command that cannot be carried out, and of a message that cannot be read.
SERVER_ERROR = -32000
INVALID_REQUEST = -32600


class ClientCommand(msgspec.Struct):
    """A command of a client; its parameters are read only where they matter."""

    id: int
    method: str
    sessionId: str = ""
    params: msgspec.Raw = EMPTY


class BrowserMessage(msgspec.Struct, omit_defaults=True):
    """A message of the browser."""

    id: int = 0
    method: str = ""
    params: msgspec.Raw = EMPTY
    result: msgspec.Raw = EMPTY
    error: msgspec.Raw = EMPTY
    sessionId: str = ""


_decode_command = msgspec.json.Decoder(ClientCommand).decode
_decode_message = msgspec.json.Decoder(BrowserMessage).decode
_encode = msgspec.json.Encoder().encode


def read_command(message: bytes) -> ClientCommand | None:
    """Read what a client sent; None for what is no command."""
    try:
        return _decode_command(message)
    except (msgspec.MsgspecError, RecursionError):
        return None


def read_message(message: bytes) -> BrowserMessage:
    """Read a message of the browser, but for what it carries."""
    return _decode_message(message)


def command_params(command: ClientCommand) -> dict[str, Any]:
    """Read the parameters of a command on which something depends.

    Chrome may read what is unreadable here, so such a command goes no further.
    """
    try:
        found = msgspec.json.decode(command.params)
    except (msgspec.MsgspecError, RecursionError):
        found = ()
    if found is not None and not isinstance(found, dict):
        raise Misuse(f"The parameters of {command.method} cannot be read.")
    return found or {}


def read_params(raw: msgspec.Raw) -> dict[str, Any]:
    """Read the parameters of a message of the browser's; what is no object has none."""
    try:
        found = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def is_plain_event(message: bytes) -> bool:
    """Whether a message is an event that clients get as it is."""
    return message.startswith(_EVENT) and not message.startswith(_TARGET_EVENT)


def event(method: str, params: dict[str, Any], session: str = "") -> bytes:
    """Write an event."""
    made: dict[str, Any] = {"method": method, "params": params}
    return _encode({**made, "sessionId": session} if session else made)


def answer(command: ClientCommand, result: dict[str, Any]) -> bytes:
    """Write the result of a command."""
    return _encode(_addressed(command, {"id": command.id, "result": result}))


def refusal(command: ClientCommand, message: str) -> bytes:
    """Write that a command is not carried out, and why."""
    error = {"code": SERVER_ERROR, "message": message}
    return _encode(_addressed(command, {"id": command.id, "error": error}))


def unreadable() -> bytes:
    """Write that a message is no command."""
    return _encode({"error": {"code": INVALID_REQUEST, "message": "Not a CDP command."}})


def renumbered(message: BrowserMessage, ident: int) -> bytes:
    """Write an answer of the browser with the number that the client gave its command."""
    made: dict[str, Any] = {"id": ident}
    if bytes(message.error) != b"{}":
        made["error"] = message.error
    else:
        made["result"] = message.result
    return _encode({**made, "sessionId": message.sessionId})


def _addressed(command: ClientCommand, made: dict[str, Any]) -> dict[str, Any]:
    return {**made, "sessionId": command.sessionId} if command.sessionId else made
