"""tabmux's values as MCP's: tools to list, replies to return."""

from __future__ import annotations

from collections.abc import Iterable

from tabmux.content import Document, Reply, Sound, ToolSpec
from tabmux.mcp.rpc import Message, RpcError
from tabmux.mcp.schema import INVALID_PARAMS
from tabmux.mcp.server_info import STALE


def listing(specs: Iterable[ToolSpec], params: Message) -> Message:
    """Return all tools as the answer to `tools/list`; we never hand out a cursor."""
    if params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "The cursor is not one of ours.")
    return {**STALE, "resultType": "complete", "tools": [_tool(spec) for spec in specs]}


def outcome(reply: Reply) -> Message:
    """Return a reply as the answer to `tools/call`: its text, then its images."""
    content: list[Message] = []
    if reply.text:
        content.append({"type": "text", "text": reply.text})
    content += [
        {"type": "image", "data": image.data, "mimeType": image.mime} for image in reply.images
    ]
    content += [_attachment(each) for each in reply.attachments]
    result: Message = {"resultType": "complete", "content": content, "isError": reply.failed}
    return {**result, "_meta": {"code": reply.code}} if reply.failed else result


def _attachment(each: Sound | Document) -> Message:
    if isinstance(each, Sound):
        return {"type": "audio", "data": each.data, "mimeType": each.mime}
    contents = {"uri": each.uri, "mimeType": each.mime, "text": each.text}
    return {"type": "resource", "resource": contents}


def _tool(spec: ToolSpec) -> Message:
    return {
        "name": spec.name,
        "description": spec.description,
        "inputSchema": spec.schema,
        "annotations": _hints(spec),
    }


def _hints(spec: ToolSpec) -> Message:
    if spec.explicit:
        return {
            "readOnlyHint": spec.reads,
            "destructiveHint": spec.destroys,
            "idempotentHint": spec.repeatable,
        }
    # What MCP assumes anyway is left out: every character of the list costs every client.
    if spec.reads:
        return {"readOnlyHint": True}
    hints = {"destructiveHint": spec.destroys}
    return {**hints, "idempotentHint": True} if spec.repeatable else hints
