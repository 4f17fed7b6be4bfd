"""Handshake: answers a client that has introduced itself before the server is loaded.

Loading takes several times longer than everything before it, and the client of a server over
stdio has usually written its `initialize` when that begins.
"""

from __future__ import annotations

import os
import select
import stat
from dataclasses import dataclass

from tabmux.mcp import rpc
from tabmux.mcp.rpc import Message, RpcError, RpcRequest
from tabmux.mcp.server_info import ServerInfo

_CHUNK = 64 * 1024


@dataclass(frozen=True)
class Handshake:
    """What has been read from a client.

    Args:
        initialize: The parameters of its `initialize`, if that has been answered.
        rest: The bytes that are still to be served.
    """

    initialize: Message | None = None
    rest: bytes = b""


def shake_hands(server: ServerInfo, stdin: int = 0, stdout: int = 1) -> Handshake:
    """Answer `initialize` if the client has sent it, and wait for nothing.

    Args:
        server: What the client is told.
        stdin: Where its messages come from.
        stdout: Where the answer goes.
    """
    if not _is_stream(stdin) or not select.select([stdin], [], [], 0)[0]:
        return Handshake()
    data = os.read(stdin, _CHUNK)
    line, newline, rest = data.partition(b"\n")
    request = _initialize(line) if newline else None
    if request is None:
        return Handshake(rest=data)
    try:
        _, result = server.initialize(request.params)
        _write(stdout, rpc.result(request.id, result) + b"\n")
    except (RpcError, BrokenPipeError):  # the connection refuses it, or sees that it has gone
        return Handshake(rest=data)
    return Handshake(request.params, rest)


def _initialize(line: bytes) -> RpcRequest | None:
    try:
        message = rpc.parse(line)
    except RpcError:
        return None
    match message:
        case RpcRequest(method="initialize"):
            return message
        case _:
            return None


def _is_stream(descriptor: int) -> bool:
    """Whether bytes come one after the other; what stands in a file is there all the time."""
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
