"""Request metadata: what a request of the stateless era says about itself in `_meta`."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabmux.mcp.rpc import Incoming, Message, RpcError, RpcRequest
from tabmux.mcp.schema import (
    CLIENT_CAPABILITIES_META_KEY,
    HEADER_MISMATCH,
    INVALID_PARAMS,
    LOG_LEVEL_META_KEY,
    MODERN_PROTOCOL_VERSIONS,
    PROTOCOL_VERSION_META_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
    ClientCapabilities,
)
from tabmux.mcp.server_info import validated
from tabmux.mcp.tool_messages import is_log_level

VERSION_HEADER = "mcp-protocol-version"
METHOD_HEADER = "mcp-method"
NAME_HEADER = "mcp-name"

_NAMED = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}
_ENCODED = re.compile(r"=\?base64\?(.*)\?=")


@dataclass(frozen=True)
class RequestMeta:
    """The part of `_meta` that concerns us."""

    version: str
    log_level: str | None
    capabilities: Message


def is_stateless(message: Incoming) -> bool:
    """Whether a message carries the marks of the stateless era."""
    return (
        isinstance(message, RpcRequest)
        and message.method != "initialize"
        and PROTOCOL_VERSION_META_KEY in message.meta
    )


def read_meta(request: RpcRequest, headers: Mapping[str, str] | None = None) -> RequestMeta:
    """Read a request's envelope, or raise the fault; `headers` must agree where there are any."""
    missing = [key for key in _REQUIRED if key not in request.meta]
    if missing:
        raise RpcError(INVALID_PARAMS, f"params._meta lacks {' and '.join(missing)}.")
    version = request.meta[PROTOCOL_VERSION_META_KEY]
    if headers is not None:
        _compare(request, version, headers)
    if not isinstance(version, str):
        raise RpcError(INVALID_PARAMS, f"{PROTOCOL_VERSION_META_KEY} must be a string.")
    check_version(version)
    capabilities = request.meta[CLIENT_CAPABILITIES_META_KEY]
    if not isinstance(capabilities, dict):
        raise RpcError(INVALID_PARAMS, f"{CLIENT_CAPABILITIES_META_KEY} must be an object.")
    validated(ClientCapabilities, capabilities)
    return RequestMeta(version, _log_level(request.meta.get(LOG_LEVEL_META_KEY)), capabilities)


_REQUIRED = (PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY)


def check_version(version: str) -> None:
    """Refuse a revision that we do not serve, and name those that we do."""
    if version not in MODERN_PROTOCOL_VERSIONS:
        data = {"supported": list(MODERN_PROTOCOL_VERSIONS), "requested": version[:100]}
        raise RpcError(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data)


def _compare(request: RpcRequest, version: Any, headers: Mapping[str, str]) -> None:
    """A proxy may have routed by the headers, so they must say what the body says."""
    expected = {VERSION_HEADER: version, METHOD_HEADER: request.method}
    if name := request.params.get(_NAMED.get(request.method, "")):
        expected[NAME_HEADER] = name
    for header, value in expected.items():
        if header not in headers:
            raise RpcError(HEADER_MISMATCH, f"The header {header} is missing.")
        if _decoded(headers[header]) != value:
            raise RpcError(HEADER_MISMATCH, f"The header {header} does not match the body.")


def _decoded(value: str) -> str | None:
    """Undo the encoding of header values that are not plain ASCII."""
    found = _ENCODED.fullmatch(value)
    if found is None:
        return value
    try:
        plain = base64.b64decode(found[1], validate=True)
        canonical = base64.b64encode(plain).decode() == found[1]
        return plain.decode() if canonical else None
    except (binascii.Error, UnicodeDecodeError):
        return None


def _log_level(value: object) -> str | None:
    if value is not None and not is_log_level(value):
        raise RpcError(INVALID_PARAMS, f"{LOG_LEVEL_META_KEY} is not a log level.")
    return value if isinstance(value, str) else None
