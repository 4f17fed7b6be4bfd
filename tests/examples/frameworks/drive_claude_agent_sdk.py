"""Claude Agent SDK: the example with a model server on loopback."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from model_server import serve
from script import ANSWER, TASK, ScriptedModel
from with_claude_agent_sdk import work

script = ScriptedModel(sys.argv[1])
searched: list[str] = []


def next_block(request: dict[str, Any]) -> dict[str, Any]:
    """Return what the model says next; tools that are only named are searched for first."""
    text = json.dumps(request)
    offered = {tool["name"] for tool in request.get("tools", [])}
    if "mcp__tabmux__" not in text:
        return {"type": "text", "text": "ok"}
    results = [
        part
        for message in request["messages"]
        for part in (message["content"] if isinstance(message["content"], list) else [])
        if part["type"] == "tool_result"
    ]
    if results and len(results) > len(searched):
        script.hear(results[-1].get("content"))
    if "mcp__tabmux__click" not in offered and "ToolSearch" in offered and not searched:
        searched.append("once")
        names = ",".join(f"mcp__tabmux__{name}" for name in ("navigate_page", "fill", "click"))
        wanted = {"query": f"select:{names}", "max_results": 3}
        return {"type": "tool_use", "id": "t0", "name": "ToolSearch", "input": wanted}
    if call := script.call():
        name = f"mcp__tabmux__{call[0]}"
        return {
            "type": "tool_use",
            "id": f"t{len(script.told) + 1}",
            "name": name,
            "input": call[1],
        }
    return {"type": "text", "text": ANSWER}


def events(block: dict[str, Any]) -> list[dict[str, Any]]:
    """Write a block as the Messages API streams it."""
    is_call = block["type"] == "tool_use"
    message = {
        "id": "m", "type": "message", "role": "assistant", "model": "scripted", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip
    start = {**block, "input": {}} if is_call else {**block, "text": ""}
    delta = (
        {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        if is_call
        else {"type": "text_delta", "text": block["text"]}
    )
    stop = {"stop_reason": "tool_use" if is_call else "end_turn", "stop_sequence": None}
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


def respond(path: str, request: dict[str, Any]) -> tuple[bytes, str]:
    """Answer a request of the Messages API."""
    if "count_tokens" in path:
        return b'{"input_tokens": 1}', "application/json"
    block = next_block(request)
    if not request.get("stream"):
        whole = {**events(block)[0]["message"], "content": [block], "stop_reason": "end_turn"}
        return json.dumps(whole).encode(), "application/json"
    lines = [f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events(block)]
    return "".join(lines).encode(), "text/event-stream"


account = {"ANTHROPIC_BASE_URL": serve(respond), "ANTHROPIC_API_KEY": "none"}
account["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] = "1"
script.check(asyncio.run(work(TASK, env=account, model="claude-scripted")))
