from __future__ import annotations

from typing import Any

import pytest
from mcp_types import methods
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from tabmux.content import Image, Reply, ToolSpec
from tabmux.mcp import tool_messages
from tabmux.mcp.rpc import RpcError


def test_text_comes_before_images() -> None:
    result = tool_messages.outcome(Reply("two", [Image("AA==", "image/png")] * 2))

    assert [item["type"] for item in result["content"]] == ["text", "image", "image"]
    assert result["content"][1]["mimeType"] == "image/png"
    assert result["isError"] is False


def test_a_failure_carries_its_code() -> None:
    result = tool_messages.outcome(Reply("no", code="stale_uid"))

    assert result["isError"] is True
    assert result["_meta"] == {"code": "stale_uid"}
    assert "structuredContent" not in result


def test_an_image_alone_has_no_empty_text_beside_it() -> None:
    result = tool_messages.outcome(Reply("", [Image("AA==", "image/png")]))

    assert [item["type"] for item in result["content"]] == ["image"]


def hints(**flags: Any) -> dict[str, bool]:
    spec = ToolSpec("tool", "does it", {"type": "object"}, **flags)
    found: dict[str, bool] = tool_messages.listing([spec], {})["tools"][0].get("annotations", {})
    return found


def test_only_hints_that_mcp_does_not_assume_are_said() -> None:
    assert hints(reads=True, repeatable=True) == {"readOnlyHint": True}
    assert hints() == {"destructiveHint": False}
    assert hints(destroys=True) == {}
    assert hints(destroys=True, repeatable=True) == {"idempotentHint": True}


def test_title_is_the_name_in_words() -> None:
    titles = [tool_messages.title(name) for name in ("click", "take_snapshot", "print_pdf", "q")]
    assert titles == ["Click", "Take snapshot", "Print PDF", "Q"]


def test_a_cursor_that_is_not_ours_is_refused() -> None:
    with pytest.raises(RpcError):
        tool_messages.listing([], {"cursor": "x"})


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
def test_the_sdk_accepts_our_results_at_every_revision(version: str) -> None:
    spec = ToolSpec("x", "y", {"type": "object", "properties": {}})
    reply = Reply("no", [Image("AA==", "image/png")], code="busy")

    methods.validate_server_result("tools/list", version, tool_messages.listing([spec], {}))
    methods.validate_server_result("tools/call", version, tool_messages.outcome(reply))


def test_data_is_for_those_who_want_it_and_without_what_no_reader_sees() -> None:
    reply = Reply("text", data=lambda: {"title": "t\u200bwo"})

    assert "structuredContent" not in tool_messages.outcome(reply)
    assert tool_messages.outcome(reply, structured=True)["structuredContent"] == {"title": "two"}


def test_data_and_a_new_handle_stand_together() -> None:
    reply = Reply("text", data=lambda: {"title": "two"})

    found = tool_messages.outcome(reply, "handle", structured=True)["structuredContent"]

    assert (found["title"], found["session"]) == ("two", "handle")
    assert found["text"].startswith("text")


@pytest.mark.parametrize("given", [{}, {"experimental": None}, {"experimental": {"other": {}}}])
def test_only_the_capability_asks_for_data(given: dict[str, Any]) -> None:
    assert not tool_messages.wants_structured(given)
    assert tool_messages.wants_structured({"experimental": {"tabmux/structured": {}}})
