"""MCP's schema, the part that we read: revisions, codes, keys, and the shape of messages.

Importing the SDK's own types costs a third of a second and twenty megabytes at every start, for
shapes of which a server reads a dozen. Tests hold every line of this file to the SDK's types.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

HANDSHAKE_PROTOCOL_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LATEST_HANDSHAKE_VERSION = HANDSHAKE_PROTOCOL_VERSIONS[-1]
MODERN_PROTOCOL_VERSIONS = ("2026-07-28",)

PARSE_ERROR = -32_700
INVALID_REQUEST = -32_600
METHOD_NOT_FOUND = -32_601
INVALID_PARAMS = -32_602
INTERNAL_ERROR = -32_603
REQUEST_TIMEOUT = -32_001
HEADER_MISMATCH = -32_020
MISSING_REQUIRED_CLIENT_CAPABILITY = -32_021
UNSUPPORTED_PROTOCOL_VERSION = -32_022

PROTOCOL_VERSION_META_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES_META_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO_META_KEY = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL_META_KEY = "io.modelcontextprotocol/logLevel"
SERVER_INFO_META_KEY = "io.modelcontextprotocol/serverInfo"

LoggingLevel = Literal[
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"
]
FileUrl = Annotated[str, Meta(pattern=r"(?i)^file://")]


class Implementation(Struct):
    """Who a client says it is."""

    name: str
    version: str
    title: str | None = None


class Sampling(Struct):
    """How a client lets us ask its model."""

    context: dict[str, Any] | None = None
    tools: dict[str, Any] | None = None


class Elicitation(Struct):
    """How a client lets us ask its user."""

    form: dict[str, Any] | None = None
    url: dict[str, Any] | None = None


class Roots(Struct, rename="camel"):
    """Whether a client tells when its folders change."""

    list_changed: bool | None = None


class ClientCapabilities(Struct):
    """What a client can do."""

    experimental: dict[str, dict[str, Any]] | None = None
    sampling: Sampling | None = None
    elicitation: Elicitation | None = None
    roots: Roots | None = None
    extensions: dict[str, dict[str, Any]] | None = None
    tasks: dict[str, Any] | None = None


class InitializeParams(Struct, rename="camel"):
    """`initialize`."""

    protocol_version: str
    capabilities: ClientCapabilities
    client_info: Implementation


class SetLevelParams(Struct):
    """`logging/setLevel`."""

    level: LoggingLevel


class CallToolParams(Struct):
    """`tools/call`."""

    name: str
    arguments: dict[str, Any] | None = None


class Wanted(Struct, rename="camel", omit_defaults=True):
    """What a client of the stateless era wants to hear of."""

    tools_list_changed: bool | None = None
    prompts_list_changed: bool | None = None
    resources_list_changed: bool | None = None
    resource_subscriptions: list[str] | None = None


class ListenParams(Struct):
    """`subscriptions/listen`."""

    notifications: Wanted


class PageParams(Struct):
    """Any request for a list."""

    cursor: str | None = None


class ResourceParams(Struct):
    """`resources/read`, `resources/subscribe` and `resources/unsubscribe`."""

    uri: str


class PromptParams(Struct):
    """`prompts/get`."""

    name: str
    arguments: dict[str, str] | None = None


class PromptReference(Struct, tag_field="type", tag="ref/prompt"):
    """What a completion is for: a prompt."""

    name: str


class ResourceReference(Struct, tag_field="type", tag="ref/resource"):
    """What a completion is for: a template of addresses."""

    uri: str


class CompletionArgument(Struct):
    """The argument that is being completed, as far as it is typed."""

    name: str
    value: str


class CompleteParams(Struct):
    """`completion/complete`."""

    ref: PromptReference | ResourceReference
    argument: CompletionArgument


Answerable = str | int | float | bool | list[str] | None


class ElicitResult(Struct):
    """The answer to `elicitation/create`."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Answerable] | None = None


class Root(Struct):
    """A folder that a client works in."""

    uri: FileUrl
    name: str | None = None


class RootsResult(Struct):
    """The answer to `roots/list`."""

    roots: list[Root]
