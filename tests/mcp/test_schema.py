"""Our reading of MCP's schema is the SDK's."""

from __future__ import annotations

from typing import Any, get_args

import mcp_types
import msgspec
import pytest
from mcp_types import jsonrpc, version
from pydantic import BaseModel, ValidationError

from tabmux.mcp import schema

CLIENT = {"name": "c", "version": "1"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
TEXT = {"type": "text", "text": "t"}


@pytest.mark.parametrize("name", [n for n in vars(schema) if n.isupper() and "VERSION" not in n])
def test_codes_and_keys_are_those_of_the_sdk(name: str) -> None:
    source = jsonrpc if hasattr(jsonrpc, name) else mcp_types
    assert getattr(schema, name) == getattr(source, name)


def test_revisions_are_those_of_the_sdk() -> None:
    assert schema.HANDSHAKE_PROTOCOL_VERSIONS == version.HANDSHAKE_PROTOCOL_VERSIONS
    assert schema.LATEST_HANDSHAKE_VERSION == version.LATEST_HANDSHAKE_VERSION
    assert schema.MODERN_PROTOCOL_VERSIONS == version.MODERN_PROTOCOL_VERSIONS
    assert schema.PROTOCOL_VERSION_META_KEY == mcp_types.PROTOCOL_VERSION_META_KEY
    assert schema.UNSUPPORTED_PROTOCOL_VERSION == jsonrpc.UNSUPPORTED_PROTOCOL_VERSION


def test_levels_are_those_of_the_sdk() -> None:
    assert get_args(schema.LoggingLevel) == get_args(mcp_types.LoggingLevel)


CASES: list[tuple[type[msgspec.Struct], type[BaseModel], list[Any]]] = [
    (
        schema.InitializeParams,
        mcp_types.InitializeRequestParams,
        [
            HELLO,
            {**HELLO, "extra": 1},
            {**HELLO, "clientInfo": {**CLIENT, "title": "T", "websiteUrl": "https://c.example"}},
            {**HELLO, "clientInfo": {"name": "c"}},
            {**HELLO, "clientInfo": {**CLIENT, "version": 1}},
            {**HELLO, "protocolVersion": None},
            {"protocolVersion": "x"},
            {},
        ],
    ),
    (
        schema.ClientCapabilities,
        mcp_types.ClientCapabilities,
        [
            {},
            {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {"form": {}}},
            {"experimental": {"x": {"y": 1}}, "tasks": {}, "novelty": []},
            {"roots": []},
            {"sampling": "yes"},
            {"experimental": {"x": 1}},
        ],
    ),
    (
        schema.SetLevelParams,
        mcp_types.SetLevelRequestParams,
        [{"level": "debug"}, {"level": "loud"}, {"level": 3}, {}],
    ),
    (
        schema.CallToolParams,
        mcp_types.CallToolRequestParams,
        [
            {"name": "a"},
            {"name": "a", "arguments": {"b": [1]}, "_meta": {"progressToken": 1}},
            {"name": "a", "arguments": None},
            {"name": "a", "arguments": []},
            {"name": 1},
            {"arguments": {}},
        ],
    ),
    (
        schema.ListenParams,
        mcp_types.SubscriptionsListenRequestParams,
        [
            {"notifications": {}},
            {"notifications": {"toolsListChanged": True, "resourceSubscriptions": ["a:b"]}},
            {"notifications": {"resourceSubscriptions": "a:b"}},
            {"notifications": None},
            {},
        ],
    ),
    (schema.PageParams, mcp_types.PaginatedRequestParams, [{}, {"cursor": "x"}, {"cursor": 1}]),
    (
        schema.ResourceParams,
        mcp_types.ReadResourceRequestParams,
        [{"uri": "a:b"}, {"uri": 1}, {}],
    ),
    (schema.ResourceParams, mcp_types.SubscribeRequestParams, [{"uri": "a:b"}, {"uri": []}, {}]),
    (
        schema.PromptParams,
        mcp_types.GetPromptRequestParams,
        [{"name": "p"}, {"name": "p", "arguments": {"a": "b"}}, {"name": "p", "arguments": 1}, {}],
    ),
    (
        schema.CompleteParams,
        mcp_types.CompleteRequestParams,
        [
            {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": "b"}},
            {"ref": {"type": "ref/resource", "uri": "x"}, "argument": {"name": "a", "value": "b"}},
            {"ref": {"type": "ref/other", "uri": "x"}, "argument": {"name": "a", "value": "b"}},
            {"ref": {"type": "ref/prompt", "name": "p"}},
            {},
        ],
    ),
    (
        schema.ElicitResult,
        mcp_types.ElicitResult,
        [
            {"action": "accept", "content": {"a": "b", "c": 1, "d": True, "e": ["f"], "g": None}},
            {"action": "decline"},
            {"action": "maybe"},
            {"action": "accept", "content": {"a": {}}},
            {},
        ],
    ),
    (
        schema.RootsResult,
        mcp_types.ListRootsResult,
        [
            {"roots": [{"uri": "file:///a", "name": "A"}]},
            {"roots": []},
            {"roots": [{"uri": "https://a.example/"}]},
            {"roots": [{}]},
            {},
        ],
    ),
]


@pytest.mark.parametrize(
    ("ours", "theirs", "params"),
    [
        pytest.param(ours, theirs, params, id=f"{theirs.__name__}-{number}")
        for ours, theirs, many in CASES
        for number, params in enumerate(many)
    ],
)
def test_we_accept_and_refuse_what_the_sdk_does(
    ours: type[msgspec.Struct], theirs: type[BaseModel], params: Any
) -> None:
    assert _is_accepted_by_us(ours, params) == _is_accepted_by_the_sdk(theirs, params)


def _is_accepted_by_us(kind: type[msgspec.Struct], params: Any) -> bool:
    try:
        msgspec.convert(params, kind)
    except msgspec.ValidationError:
        return False
    return True


def _is_accepted_by_the_sdk(kind: type[BaseModel], params: Any) -> bool:
    try:
        kind.model_validate(params, by_name=False)
    except ValidationError:
        return False
    return True
