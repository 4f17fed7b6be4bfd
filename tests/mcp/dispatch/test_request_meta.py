from __future__ import annotations

import base64
from typing import Any

import pytest
from mcp_types.jsonrpc import HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_PROTOCOL_VERSION

from tabmux.mcp.dispatch import request_meta
from tabmux.mcp.rpc import RpcError, RpcRequest
from tests.mcp.raw_clients import ENVELOPE

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
LEVEL = "io.modelcontextprotocol/logLevel"


def call(name: str = "echo", **meta: Any) -> RpcRequest:
    return RpcRequest(1, "tools/call", {"name": name, "_meta": {**ENVELOPE, **meta}})


def headers(**changed: str) -> dict[str, str]:
    own = {"version": "2026-07-28", "method": "tools/call", "name": "echo", **changed}
    return {
        "mcp-protocol-version": own["version"],
        "mcp-method": own["method"],
        "mcp-name": own["name"],
    }


def test_a_complete_envelope_is_opened() -> None:
    opened = request_meta.read_meta(call(**{LEVEL: "warning"}), headers())

    assert (opened.version, opened.log_level) == ("2026-07-28", "warning")


def test_initialize_never_counts_as_stateless() -> None:
    assert not request_meta.is_stateless(RpcRequest(1, "initialize", {"_meta": ENVELOPE}))


@pytest.mark.parametrize(
    ("meta", "code"),
    [
        ({}, INVALID_PARAMS),
        ({VERSION: "2026-07-28"}, INVALID_PARAMS),
        ({CAPABILITIES: {}}, INVALID_PARAMS),
        ({VERSION: 7, CAPABILITIES: {}}, INVALID_PARAMS),
        ({VERSION: "2026-07-28", CAPABILITIES: []}, INVALID_PARAMS),
        ({VERSION: "2026-07-28", CAPABILITIES: {}, LEVEL: "loud"}, INVALID_PARAMS),
        ({VERSION: "2025-11-25", CAPABILITIES: {}}, UNSUPPORTED_PROTOCOL_VERSION),
        ({VERSION: "2099-01-01", CAPABILITIES: {}}, UNSUPPORTED_PROTOCOL_VERSION),
    ],
)
def test_an_envelope_with_a_defect_is_refused(meta: dict[str, Any], code: int) -> None:
    with pytest.raises(RpcError) as caught:
        request_meta.read_meta(RpcRequest(1, "tools/list", {"_meta": meta}))

    assert caught.value.code == code


def test_an_unknown_revision_is_told_which_are_known() -> None:
    with pytest.raises(RpcError) as caught:
        request_meta.check_version("1999-01-01")

    assert caught.value.data == {"supported": ["2026-07-28"], "requested": "1999-01-01"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": "2025-11-25"},
        {"method": "tools/list"},
        {"method": "Tools/Call"},
        {"name": "other"},
        {"name": "=?base64?!!!?="},
        {"name": "=?base64?ZWNobx==?="},
        {"name": "=?base64?/w==?="},
    ],
)
def test_a_header_that_disagrees_with_the_body_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(RpcError) as caught:
        request_meta.read_meta(call(), headers(**wrong))

    assert caught.value.code == HEADER_MISMATCH


@pytest.mark.parametrize("missing", ["mcp-protocol-version", "mcp-method", "mcp-name"])
def test_a_header_that_is_missing_is_refused(missing: str) -> None:
    given = headers()
    del given[missing]

    with pytest.raises(RpcError) as caught:
        request_meta.read_meta(call(), given)

    assert caught.value.code == HEADER_MISMATCH


def test_a_name_beyond_ascii_is_compared_after_decoding() -> None:
    encoded = base64.b64encode("größe".encode()).decode()

    request_meta.read_meta(call("größe"), headers(name=f"=?base64?{encoded}?="))
