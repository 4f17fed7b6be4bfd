"""The words of MCP: revisions, codes, and who we say we are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from mcp_types import (
    DiscoverResult,
    Implementation,
    InitializeRequestParams,
    InitializeResult,
    ServerCapabilities,
)
from mcp_types.jsonrpc import INVALID_PARAMS
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)
from pydantic import BaseModel, ValidationError

from tabmux.mcp.rpc import Fault, Message
from tabmux.mcp.workspace import Repertoire

T = TypeVar("T", bound=BaseModel)

# Codes of our own, in the band that MCP leaves to implementations.
BUSY = -32_000
CANCELLED = -32_800

INSTRUCTIONS = (
    "Drives real browser tabs; the tabs you open are yours alone. "
    "take_snapshot shows the page as text and labels its elements with uids, "
    "which the other tools take. Leave out pageId to act on your selected page."
)


@dataclass(frozen=True)
class Identity:
    """What a client is told about this server."""

    version: str
    name: str = "tabmux"
    title: str = "tabmux: browsers for agents"
    instructions: str = INSTRUCTIONS
    repertoire: Repertoire | None = None

    @classmethod
    def of(cls, workspaces: object, version: str) -> Identity:
        """Return the identity of a server that offers what these workspaces do."""
        own = workspaces if isinstance(workspaces, Repertoire) else None
        return cls(version, repertoire=own)

    def initialize(self, params: Message) -> tuple[str, Message]:
        """Agree on a revision of the handshake era; returns it and the answer."""
        wanted = validated(InitializeRequestParams, params).protocol_version
        known = wanted in HANDSHAKE_PROTOCOL_VERSIONS
        version = wanted if known else LATEST_HANDSHAKE_VERSION
        result = InitializeResult(
            protocol_version=version,
            capabilities=self._capabilities,
            server_info=self._implementation,
            instructions=self.instructions,
        )
        return version, dumped(result)

    def discover(self) -> Message:
        """Describe this server to a stateless client."""
        result = DiscoverResult(
            supported_versions=list(MODERN_PROTOCOL_VERSIONS),
            capabilities=self._capabilities,
            instructions=self.instructions,
        )
        return dumped(result)

    def stamp(self) -> Message:
        """Return our name as stateless results carry it."""
        return dumped(self._implementation)

    @property
    def _capabilities(self) -> ServerCapabilities:
        offered = self.repertoire.capabilities if self.repertoire else {}
        own = {"tools": {"listChanged": True}, "logging": {}}
        return ServerCapabilities.model_validate({**own, **offered})

    @property
    def _implementation(self) -> Implementation:
        return Implementation(name=self.name, title=self.title, version=self.version)


def dumped(value: BaseModel) -> Message:
    """Return an SDK value as it goes over the wire."""
    return value.model_dump(by_alias=True, mode="json", exclude_none=True)


def validated(kind: type[T], params: Message) -> T:
    """Read parameters as the SDK's type, or raise the fault."""
    try:
        return kind.model_validate(params, by_name=False)
    except ValidationError as error:
        raise Fault(INVALID_PARAMS, f"Invalid params: {_first(error)}") from None


def _first(error: ValidationError) -> str:
    """Say what is wrong without repeating what was sent."""
    detail: Any = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in detail["loc"]) or "params"
    return f"{where}: {detail['msg']}"
