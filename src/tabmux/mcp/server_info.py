"""Server info: what a client is told at `initialize` and `server/discover`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import msgspec

from tabmux.mcp.backend import Backend, McpSession, ResourceProvider
from tabmux.mcp.rpc import Message, RpcError
from tabmux.mcp.schema import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    INVALID_PARAMS,
    LATEST_HANDSHAKE_VERSION,
    MODERN_PROTOCOL_VERSIONS,
    InitializeParams,
)

T = TypeVar("T", bound=msgspec.Struct)

LONGEST_CLIENT = 60

# Codes of our own, in the band that MCP leaves to implementations.
BUSY = -32_000
CANCELLED = -32_800

# What every list of the stateless era says of how long it may be kept: not at all.
STALE: Message = {"ttlMs": 0, "cacheScope": "private"}


# Calls that outlast their request, in the stateless era; the SDK does not know it.
TASKS_EXTENSION = "io.modelcontextprotocol/tasks"


@dataclass(frozen=True)
class ServerInfo:
    """What a client is told about this server.

    `offered` are the capabilities of `resources`; they can be told before there are any.
    """

    version: str
    name: str = "tabmux"
    title: str = "tabmux: browsers for agents"
    instructions: str = ""
    resources: ResourceProvider | None = None
    offered: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, backend: Backend, version: str) -> ServerInfo:
        """Return the info of a server that offers what this backend does."""
        own = backend if isinstance(backend, ResourceProvider) else None
        info = cls(version, instructions=backend.instructions)
        return info if own is None else replace(info, resources=own, offered=own.capabilities)

    def to(self, session: McpSession) -> ServerInfo:
        """Return what a client of this session is told."""
        info = replace(self, instructions=session.instructions)
        own = session.resources
        return info if own is None else replace(info, resources=own, offered=own.capabilities)

    def initialize(self, params: Message) -> tuple[str, Message]:
        """Agree on a revision of the handshake era; returns it and the answer."""
        wanted = validated(InitializeParams, params).protocol_version
        known = wanted in HANDSHAKE_PROTOCOL_VERSIONS
        version = wanted if known else LATEST_HANDSHAKE_VERSION
        result = {
            "protocolVersion": version,
            "capabilities": self._capabilities,
            "serverInfo": self.stamp(),
            "instructions": self.instructions,
        }
        return version, result

    def discover(self) -> Message:
        """Describe this server to a stateless client."""
        return {
            **STALE,
            "resultType": "complete",
            "supportedVersions": list(MODERN_PROTOCOL_VERSIONS),
            "capabilities": {**self._capabilities, "extensions": {TASKS_EXTENSION: {}}},
            "instructions": self.instructions,
        }

    def stamp(self) -> Message:
        """Return our name as results carry it."""
        return {"name": self.name, "title": self.title, "version": self.version}

    @property
    def _capabilities(self) -> Message:
        return {"tools": {"listChanged": True}, "logging": {}, **self.offered}


def client_name(info: object) -> str:
    """Return who a client says it is."""
    if not isinstance(info, dict):
        return ""
    return f"{info.get('name', '')}/{info.get('version', '')}".strip("/")[:LONGEST_CLIENT]


def validated(kind: type[T], params: Message) -> T:
    """Read parameters as what they must be, or raise the fault."""
    try:
        return msgspec.convert(params, kind)
    except msgspec.ValidationError as error:
        raise RpcError(INVALID_PARAMS, f"Invalid params: {error}") from None
