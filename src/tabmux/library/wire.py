"""Wire: the messages of MCP that the library sends, and what it makes of those that come."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tabmux import __version__
from tabmux.errors import DaemonTrouble, Misuse, OutcomeUnknown, TabmuxError
from tabmux.json_text import BadJson, decoded
from tabmux.library.tool_call import made_error

# A call ends by its own deadline, in the daemon; this is for one that does not.
ANSWER_SECONDS = 600.0
LARGEST_MESSAGE = 256 << 20
# For a server on another machine.
CONNECT_SECONDS = 15.0
# JSON-RPC's code by which the daemon says that too much is queued.
_BUSY = -32_000

# How the daemon begins the answer to a request.
_BEGINNING = re.compile(rb'\{"jsonrpc":\s*"2\.0",\s*"id":\s*(\d+),\s*"(?:result|error)"')

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def request(ident: int, method: str, params: Mapping[str, Any]) -> bytes:
    """Write a request."""
    return _message({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})


def notification(method: str, params: Mapping[str, Any]) -> bytes:
    """Write a notification."""
    return _message({"jsonrpc": "2.0", "method": method, "params": params})


def introduction(folders: Sequence[Path]) -> dict[str, Any]:
    """Return the parameters of `initialize`.

    Args:
        folders: Where the session's tools may read and write, as far as the user's policy goes.
    """
    capabilities: dict[str, Any] = {"experimental": {"tabmux/structured": {}}}
    if folders:
        capabilities["roots"] = {}
    return {
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": {"name": "tabmux-python", "version": __version__},
    }


def read_message(data: bytes) -> dict[str, Any]:
    """Read a message of the daemon; an answer that cannot be read is a failed one."""
    try:
        message = decoded(data, largest=LARGEST_MESSAGE)
    except BadJson as error:
        return _unreadable(data, str(error))
    return message if isinstance(message, dict) else {}


def _unreadable(data: bytes, reason: str) -> dict[str, Any]:
    if (found := _BEGINNING.match(data)) is None:
        return {}
    error = {
        "message": f"The call was made, but its answer cannot be read: {reason}.",
        "hint": "Ask for less at once, or for a file (file_path).",
    }
    return {"id": int(found[1]), "error": error}


def answer_to(message: Mapping[str, Any], folders: Sequence[Path]) -> bytes | None:
    """Return the answer to a message of the daemon; None where it wants none."""
    if "method" not in message or "id" not in message:
        return None
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "roots/list":
        roots = [{"uri": folder.absolute().as_uri()} for folder in folders]
        return _message({**answer, "result": {"roots": roots}})
    if message["method"] == "ping":
        return _message({**answer, "result": {}})
    return _message({**answer, "error": {"code": -32601, "message": "Method not found"}})


def result_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result that a response carries, or raise its error."""
    error = message.get("error")
    if error is None:
        result: dict[str, Any] = message["result"]
        return result
    code = "busy" if error.get("code") == _BUSY else "bad_request"
    raise made_error(code, str(error.get("message", "")), str(error.get("hint", "")))


def lost() -> TabmuxError:
    """Return the error of calls whose connection has ended."""
    return OutcomeUnknown(
        "The connection to the daemon has ended, so how far the call came is unknown.",
        hint="The next call joins the session again, where it was kept: look at its page first.",
    )


class CallNotSent(DaemonTrouble):
    """The connection had ended before the call: nothing arrived."""

    def __init__(self) -> None:
        super().__init__(
            "The connection to the daemon has ended; the call was not made.",
            hint="Call again: it joins the session again, where it was kept.",
        )


def session_over() -> TabmuxError:
    """Return the error of calls to a session that ended with its connection."""
    return DaemonTrouble(
        "The connection to the server has ended, and with it the session, which had no name.",
        hint="Open another with tabmux.session(); one with a name can be joined again.",
    )


def left() -> TabmuxError:
    """Return the error of calls after the block of their session."""
    return Misuse(
        "The block of this session has ended, and with it what could be called.",
        hint="Open another with tabmux.session(); one with a name goes on where it was.",
    )


def _message(message: Mapping[str, Any]) -> bytes:
    return _encode(message).encode()
