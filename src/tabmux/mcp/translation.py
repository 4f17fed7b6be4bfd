"""tabmux's values as MCP's: tools to list, replies to return."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_types import (
    AudioContent,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ListToolsResult,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)
from mcp_types.jsonrpc import INVALID_PARAMS

from tabmux.content import Document, Reply, Sound, ToolSpec
from tabmux.mcp.protocol import dumped
from tabmux.mcp.rpc import Fault, Message


def listing(specs: Iterable[ToolSpec], params: Message) -> Message:
    """Return all tools as the answer to `tools/list`; we never hand out a cursor."""
    if params.get("cursor") is not None:
        raise Fault(INVALID_PARAMS, "The cursor is not one of ours.")
    return dumped(ListToolsResult(tools=[_tool(spec) for spec in specs]))


def outcome(reply: Reply) -> Message:
    """Return a reply as the answer to `tools/call`: its text, then its images."""
    content: list[ContentBlock] = []
    if reply.text:
        content.append(TextContent(type="text", text=reply.text))
    content += [
        ImageContent(type="image", data=image.data, mime_type=image.mime) for image in reply.images
    ]
    content += [_attachment(each) for each in reply.attachments]
    meta = {"code": reply.code} if reply.failed else None
    return dumped(CallToolResult(content=content, is_error=reply.failed, _meta=meta))


def _attachment(each: Sound | Document) -> ContentBlock:
    if isinstance(each, Sound):
        return AudioContent(type="audio", data=each.data, mime_type=each.mime)
    contents = TextResourceContents(uri=each.uri, mime_type=each.mime, text=each.text)
    return EmbeddedResource(type="resource", resource=contents)


def _tool(spec: ToolSpec) -> Tool:
    # What MCP assumes anyway is left out: every character of the list costs every client.
    if spec.reads:
        hints = ToolAnnotations(read_only_hint=True)
    else:
        hints = ToolAnnotations(
            destructive_hint=spec.destroys, idempotent_hint=spec.repeatable or None
        )
    return Tool(
        name=spec.name,
        description=spec.description,
        input_schema=spec.schema,
        annotations=hints,
    )
