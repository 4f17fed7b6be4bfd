"""The resources and prompts that the MCP conformance suite reads."""

from __future__ import annotations

import json
import re
from typing import Any

from mcp_types.jsonrpc import INVALID_PARAMS

from tabmux.mcp.rpc import RpcError
from tests.conformance.tools import ask, form
from tests.conformance.values import PIXEL

Message = dict[str, Any]

TEMPLATE = "test://template/{id}/data"
RESOURCES: dict[str, Message] = {
    "test://static-text": {"mimeType": "text/plain", "text": "This is a static text resource."},
    "test://static-binary": {"mimeType": "image/png", "blob": PIXEL},
    "test://watched-resource": {"mimeType": "text/plain", "text": "Watched resource content"},
}
PROMPTS: dict[str, list[str]] = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
    "test_input_required_result_prompt": [],
}


def resources() -> Message:
    """Answer `resources/list`."""
    listed = [
        {"uri": uri, "name": uri.removeprefix("test://"), "mimeType": contents["mimeType"]}
        for uri, contents in RESOURCES.items()
    ]
    return {"resources": listed}


def templates() -> Message:
    """Answer `resources/templates/list`."""
    found = {"uriTemplate": TEMPLATE, "name": "template", "mimeType": "application/json"}
    return {"resourceTemplates": [found]}


def read(uri: str) -> Message:
    """Answer `resources/read`."""
    if found := re.fullmatch(r"test://template/([^/]+)/data", uri):
        text = json.dumps({"id": found[1], "templateTest": True, "data": f"Data for {found[1]}"})
        return {"contents": [{"uri": uri, "mimeType": "application/json", "text": text}]}
    if uri not in RESOURCES:
        raise RpcError(INVALID_PARAMS, "Resource not found", {"uri": uri})
    return {"contents": [{"uri": uri, **RESOURCES[uri]}]}


def prompts() -> Message:
    """Answer `prompts/list`."""
    listed = [
        {
            "name": name,
            "description": f"The prompt {name}",
            "arguments": [{"name": each, "required": True} for each in arguments],
        }
        for name, arguments in PROMPTS.items()
    ]
    return {"prompts": listed}


async def prompt(name: str, arguments: Message) -> Message:
    """Answer `prompts/get`."""
    if name not in PROMPTS:
        raise RpcError(INVALID_PARAMS, "Prompt not found", {"name": name})
    content = await _content(name, arguments)
    return {"messages": [{"role": "user", "content": each} for each in content]}


async def _content(name: str, arguments: Message) -> list[Message]:
    match name:
        case "test_prompt_with_arguments":
            return [_text(f"arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'")]
        case "test_prompt_with_embedded_resource":
            text = {"uri": arguments["resourceUri"], "mimeType": "text/plain", "text": "Embedded."}
            return [{"type": "resource", "resource": text}, _text("Please process it.")]
        case "test_prompt_with_image":
            image = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
            return [image, _text("Please look at it.")]
        case "test_input_required_result_prompt":
            answer = await ask(user_context=form("What context should be used?", context="string"))
            return [_text(str(answer["user_context"]["content"]["context"]))]
        case _:
            return [_text("This is a simple prompt for testing.")]


def _text(text: str) -> Message:
    return {"type": "text", "text": text}
