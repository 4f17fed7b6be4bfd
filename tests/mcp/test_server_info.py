from __future__ import annotations

import pytest
from mcp_types import methods
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from tabmux.mcp.rpc import RpcError
from tabmux.mcp.schema import CallToolParams
from tabmux.mcp.server_info import ServerInfo, validated
from tests.mcp.raw_clients import INITIALIZE


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_a_known_revision_is_agreed_on(version: str) -> None:
    agreed, result = ServerInfo("1.0").initialize({**INITIALIZE, "protocolVersion": version})

    assert agreed == result["protocolVersion"] == version
    methods.validate_server_result("initialize", version, result)


@pytest.mark.parametrize("version", ["2026-07-28", "1999-01-01", ""])
def test_an_unknown_revision_gets_the_newest_with_a_handshake(version: str) -> None:
    agreed, _ = ServerInfo("1.0").initialize({**INITIALIZE, "protocolVersion": version})

    assert agreed == "2025-11-25"


def test_changing_tools_are_announced_in_both_eras() -> None:
    identity = ServerInfo("1.0")
    _, handshake = identity.initialize(INITIALIZE)

    assert handshake["capabilities"]["tools"] == {"listChanged": True}
    assert identity.discover()["capabilities"]["tools"] == {"listChanged": True}
    assert handshake["serverInfo"]["name"] == "tabmux"
    methods.validate_server_result("server/discover", "2026-07-28", identity.discover())


def test_invalid_params_are_named_but_not_repeated() -> None:
    with pytest.raises(RpcError) as caught:
        validated(CallToolParams, {"name": {"secret": "hunter2"}})

    assert "name" in caught.value.message
    assert "hunter2" not in caught.value.message
