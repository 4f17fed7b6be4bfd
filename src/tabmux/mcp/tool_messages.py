"""Tool messages: tools/list with annotations, results of tools/call and log messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

from tabmux.content import Reply, ToolSpec
from tabmux.mcp.portable_schema import portable
from tabmux.mcp.rpc import Message, RpcError
from tabmux.mcp.schema import INVALID_PARAMS, LoggingLevel
from tabmux.mcp.server_info import STALE
from tabmux.page_text import visible, visible_values

LOGGER = "tabmux"
# The capability of clients that want data beside the text.
STRUCTURED = "tabmux/structured"

_LEVELS: tuple[str, ...] = get_args(LoggingLevel)
_SPELLED = {
    "css": "CSS", "dom": "DOM", "har": "HAR", "js": "JavaScript", "os": "OS", "pdf": "PDF",
    "pwa": "PWA", "url": "URL", "webmcp": "WebMCP",
}  # fmt: skip
_SESSION = {"type": "string", "description": "Your session, as printed by your first call."}


def listing(
    specs: Iterable[ToolSpec],
    params: Message,
    *,
    stateless: bool = False,
    structured: bool = False,
) -> Message:
    """Return all tools as the answer to `tools/list`; we never hand out a cursor.

    Args:
        specs: The tools.
        params: What the client sent.
        stateless: Whether calls must name their session, so that tools take it as an argument.
        structured: Whether the client wants data beside the text, and its schemas.
    """
    if params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "The cursor is not one of ours.")
    tools = [_tool(spec, stateless=stateless, structured=structured) for spec in specs]
    return {**STALE, "resultType": "complete", "tools": tools}


def outcome(reply: Reply, session: str = "", *, structured: bool = False) -> Message:
    """Return a reply as the answer to `tools/call`: its text, then its images and the rest.

    Args:
        reply: The reply.
        session: The handle that the client must learn, if it must.
        structured: Whether the client wants data beside the text.
    """
    content: list[Message] = []
    if session:
        reply.add(f"session={session}")
    if reply.text:
        content.append({"type": "text", "text": reply.text})
    content += [
        {"type": "image", "data": image.data, "mimeType": image.mime} for image in reply.images
    ]
    content += reply.attachments
    result: Message = {"resultType": "complete", "content": content, "isError": reply.failed}
    meta = {"code": reply.code} if reply.failed else {}
    # Nothing is told that the text does not show, which has been searched for secrets.
    if structured and reply.failed and reply.hint and reply.hint in reply.text:
        meta["hint"] = reply.hint
    if structured and reply.data is not None and not reply.failed:
        result["structuredContent"] = visible_values(reply.data())
    if session:
        meta["tabmux/session"] = session
        # Some clients show this in place of the text, so the text is in it.
        told = {"session": session, "text": reply.text}
        result["structuredContent"] = {**result.get("structuredContent", {}), **told}
    return {**result, "_meta": meta} if meta else result


def wants_structured(capabilities: Message) -> bool:
    """Whether a client has said that it takes data beside the text."""
    experimental = capabilities.get("experimental")
    return isinstance(experimental, dict) and STRUCTURED in experimental


def _tool(spec: ToolSpec, *, stateless: bool, structured: bool) -> Message:
    # Pages and extensions say themselves what their tools are.
    shown = spec.schema if spec.exact else portable(spec.schema)
    description, schema = visible(spec.description), visible_values(shown)
    if stateless:
        schema["properties"]["session"] = _SESSION
    made: Message = {"name": spec.name, "title": title(spec.name), "description": description}
    made["inputSchema"] = schema
    if structured and spec.output is not None:
        made["outputSchema"] = spec.output()
    hints = _hints(spec)
    return {**made, **({"annotations": hints} if hints else {})}


def title(name: str) -> str:
    """Return what people are shown in place of a tool's name."""
    words = " ".join(_SPELLED.get(word, word) for word in name.split("_"))
    return words[:1].upper() + words[1:]


def _hints(spec: ToolSpec) -> Message:
    """Say what a tool is, where MCP would not assume it: every character costs every client."""
    if spec.reads:
        return {"readOnlyHint": True}
    hints = {} if spec.destroys else {"destructiveHint": False}
    return {**hints, "idempotentHint": True} if spec.repeatable else hints


def is_log_level(value: object) -> bool:
    """Whether MCP knows this level."""
    return value in _LEVELS


def reaches_level(level: str, threshold: str) -> bool:
    """Whether a message is grave enough for a client that asked for `threshold`."""
    return is_log_level(level) and _LEVELS.index(level) >= _LEVELS.index(threshold)


def log_message(level: str, data: Any) -> Message:
    """Return what `notifications/message` carries."""
    return {"level": level, "logger": LOGGER, "data": visible_values(data)}
