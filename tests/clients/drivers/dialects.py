"""Three providers' protocols, as far as a scripted model needs them."""

from __future__ import annotations

import json
import re
from typing import Any, Protocol

from steps import PICTURE_CHARACTERS, Answer, StepFailed

# Calls a tool and shows what it answers.
CODEX_SCRIPT = """const result = await tools.mcp__tabmux__%s(%s);
if (result.isError) throw new Error(JSON.stringify(result.content));
for (const part of result.content) part.type === 'image' ? image(part) : text(part.text);"""

Request = dict[str, Any]
ToolCall = dict[str, Any] | None


class Dialect(Protocol):
    """How a provider writes what clients and models say."""

    def tools(self, request: Request) -> list[str]:
        """The names of the tools that the model is offered; none if tabmux's are not among them."""

    def answer(self, request: Request) -> Answer | Exception | None:
        """What became of the model's last call, if it made one."""

    def events(self, call: ToolCall) -> list[dict[str, Any]]:
        """The model's turn, as a stream."""

    def whole(self, call: ToolCall) -> dict[str, Any]:
        """The model's turn, in one piece."""


class Anthropic:
    """The Messages API."""

    def tools(self, request: Request) -> list[str]:
        # Claude Code only names most tools, and shows those that the model searches for.
        named = re.findall(r"mcp__tabmux__\w+", json.dumps(request.get("messages", [])))
        return [*named, "ToolSearch"] if named else []

    def answer(self, request: Request) -> Answer | Exception | None:
        results: list[dict[str, Any]] = []
        for message in request["messages"]:
            parts = message["content"] if isinstance(message["content"], list) else []
            results += [part for part in parts if part["type"] == "tool_result"]
        if not results:
            return None
        content = results[-1]["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        text = "\n".join(part["text"] for part in parts if part["type"] == "text")
        if results[-1].get("is_error"):
            return StepFailed(text)
        pictures = [part["source"]["data"] for part in parts if part["type"] == "image"]
        return Answer(text, sum(len(data) > PICTURE_CHARACTERS for data in pictures))

    def events(self, call: ToolCall) -> list[dict[str, Any]]:
        message = self.whole(call)
        block = message["content"][0]
        if call:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        else:
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        begun = {**message, "content": [], "stop_reason": None}
        return [
            {"type": "message_start", "message": begun},
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ]

    def whole(self, call: ToolCall) -> dict[str, Any]:
        text = {"type": "text", "text": "done"}
        use = call and {"type": "tool_use", "id": call["id"], "name": call["name"]}
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": [{**use, "input": call["arguments"]} if call and use else text],
            "stop_reason": "tool_use" if call else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }


class OpenAi:
    """The Responses API, as Codex uses it: its model writes JavaScript that calls the tools."""

    def tools(self, request: Request) -> list[str]:
        return ["exec"] if '"name": "exec"' in json.dumps(request) else []

    def answer(self, request: Request) -> Answer | Exception | None:
        last = request["input"][-1]
        if last.get("type") != "custom_tool_call_output":
            return None
        parts = [part for part in last["output"] if part["type"] == "input_text"]
        text = "\n".join(part["text"] for part in parts)
        if not text.startswith("Script completed"):
            return StepFailed(text)
        pictures = [part["image_url"] for part in last["output"] if part["type"] == "input_image"]
        return Answer(text, sum(len(url) > PICTURE_CHARACTERS for url in pictures))

    def events(self, call: ToolCall) -> list[dict[str, Any]]:
        response = self.whole(call)
        return [
            {"type": "response.created", "response": {**response, "output": []}},
            {"type": "response.output_item.done", "output_index": 0, "item": response["output"][0]},
            {"type": "response.completed", "response": response},
        ]

    def whole(self, call: ToolCall) -> dict[str, Any]:
        item: dict[str, Any] = {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "done", "annotations": []}],
        }
        if call:
            script = call["arguments"].get("script") or CODEX_SCRIPT % (
                call["name"],
                json.dumps(call["arguments"]),
            )
            item = {"type": "custom_tool_call", "name": "exec", "input": script}
            item["call_id"] = call["id"]
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        return {"id": "resp_1", "status": "completed", "output": [item], "usage": usage}


class Gemini:
    """The generateContent API."""

    def tools(self, request: Request) -> list[str]:
        names = [
            declared["name"]
            for tool in request.get("tools", [])
            for declared in tool.get("functionDeclarations", [])
        ]
        return names if any(name.endswith("take_snapshot") for name in names) else []

    def answer(self, request: Request) -> Answer | Exception | None:
        parts = request["contents"][-1]["parts"]
        responses = [part["functionResponse"] for part in parts if "functionResponse" in part]
        if not responses:
            return None
        response = responses[-1]["response"]
        if "error" in response:
            return StepFailed(json.dumps(response["error"]))
        return Answer(*_read_response(response, [*parts, *responses[-1].get("parts", [])]))

    def events(self, call: ToolCall) -> list[dict[str, Any]]:
        return [self.whole(call)]

    def whole(self, call: ToolCall) -> dict[str, Any]:
        part: dict[str, Any] = {"text": "done"}
        if call:
            part = {"functionCall": {"name": call["name"], "args": call["arguments"]}}
        content = {"role": "model", "parts": [part]}
        return {
            "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 2},
        }


def _read_response(response: Any, parts: list[dict[str, Any]]) -> tuple[str, int]:
    """Read what a function answered: as MCP's result, or as text with pictures beside it."""
    result = response.get("result", response)
    content = result.get("content", []) if isinstance(result, dict) else []
    texts = [part["text"] for part in content if part.get("type") == "text"]
    pictures = [part["data"] for part in content if part.get("type") == "image"]
    pictures += [part["inlineData"]["data"] for part in parts if "inlineData" in part]
    texts += [response["output"]] if isinstance(response.get("output"), str) else []
    return "\n".join(texts), sum(len(data) > PICTURE_CHARACTERS for data in pictures)


DIALECTS: dict[str, Dialect] = {"anthropic": Anthropic(), "openai": OpenAi(), "gemini": Gemini()}
