"""WebMCP tools: tools that pages declare, for agents or for developers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tabmux.content import Reply
from tabmux.errors import BadArguments, Misuse, PageTrouble
from tabmux.json_text import decoded
from tabmux.page.page import Page
from tabmux.page.webmcp import DeclaredTool
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.tool import tool

FILL_SECONDS = 1.0


@tool(reads=True)
async def list_webmcp_tools(page: Page) -> Reply:
    """List the tools that the page declares through WebMCP."""
    await page.webmcp.enable()
    tools = [each for each in page.webmcp.tools() if not each.hints.get("debugging")]
    if not tools:
        return Reply("No WebMCP tools available.")
    return Reply("## WebMCP tools").quote("\n".join(_line(each) for each in tools))


@tool(destroys=True)
async def execute_webmcp_tool(page: Page, tool_name: str, input: str = "{}") -> Reply:
    """Call a tool that the page declares through WebMCP.

    Args:
        tool_name: Name from list_webmcp_tools.
        input: Its arguments, a JSON object.
    """
    await page.webmcp.enable()
    found = next((each for each in page.webmcp.tools() if each.name == tool_name), None)
    if found is None:
        raise Misuse(f"Tool {tool_name} not found.", hint="Call list_webmcp_tools.")
    given = _object(input, "input")
    _validate(tool_name, given, found.schema)
    call = await page.webmcp.start(found, given)
    if found.waits_for_submit:
        await call.settled(FILL_SECONDS)
        if not call.response.done():
            return Reply("The form is filled, not sent: submit it to have the tool's answer.")
    response = await call.result(page.timings.declared_tool)
    shown = {"status": response.status, "output": response.output, "error": response.error or None}
    reply = Reply()
    if response.status != "Completed":
        reply = Reply.failure(PageTrouble(f"{tool_name} failed.", code="tool_failed"))
    return reply.quote(json.dumps(shown, indent=2, ensure_ascii=False))


@tool(reads=True)
async def list_3p_developer_tools(page: Page, catalogs: PageCatalogs) -> Reply:
    """List the tools for developers that the page shows."""
    discovery = await catalogs.of(page).declared.discovery(again=True)
    await page.webmcp.enable()
    debugging = [each for each in page.webmcp.tools() if each.hints.get("debugging")]
    lines = [_line(each) for each in debugging]
    for group in discovery.groups:
        lines += [f"{group.name}: {group.description}", *(_line(each) for each in group.tools)]
    if not lines:
        return Reply("No third-party developer tools available.")
    return Reply("## Third-party developer tools").quote("\n".join(lines))


@tool(destroys=True)
async def execute_3p_developer_tool(
    page: Page, session: Session, catalogs: PageCatalogs, tool_name: str, params: str = "{}"
) -> Reply:
    """Call a tool for developers that the page shows.

    Args:
        tool_name: Name from list_3p_developer_tools.
        params: Its arguments, a JSON object; {"uid": …} stands for an element.
    """
    discovery = await catalogs.of(page).declared.discovery()
    found = discovery.find(tool_name)
    if found is None:
        if any(each.name == tool_name for each in page.webmcp.tools()):
            return await execute_webmcp_tool(page, tool_name, params)
        raise Misuse(f"Tool {tool_name} not found.", hint="Call list_3p_developer_tools.")
    given = _object(params, "params")
    elements = {
        key: session.element(value["uid"]) for key, value in given.items() if _is_uid(value)
    }
    plain = {key: value for key, value in given.items() if key not in elements}
    _validate(tool_name, plain, _without(found.schema, elements))
    handles = {key: await each.object_id(page_world=True) for key, each in elements.items()}
    return Reply().quote(
        await discovery.call(tool_name, plain, handles, page.timings.declared_tool)
    )


def _line(each: DeclaredTool) -> str:
    schema = json.dumps(each.schema, ensure_ascii=False)
    hints = {key: value for key, value in each.hints.items() if value} or None
    return (
        f"name={json.dumps(each.name)}, description={json.dumps(each.description[:500])}, "
        f"inputSchema={schema[:4000]}, annotations={json.dumps(hints)}"
    )


def _object(text: str, name: str) -> dict[str, Any]:
    try:
        found = decoded(text or "{}")
    except ValueError as error:
        raise BadArguments(f"{name} is not JSON: {error}.") from error
    if not isinstance(found, dict):
        raise BadArguments(f"{name} must be a JSON object.")
    return found


def _validate(name: str, given: Mapping[str, Any], schema: Any) -> None:
    from tabmux.pagetools.argument_validation import validate

    if isinstance(schema, Mapping) and schema.get("type", "object") == "object":
        validate(name, given, schema)


def _is_uid(value: Any) -> bool:
    return isinstance(value, dict) and list(value) == ["uid"] and isinstance(value["uid"], str)


def _without(schema: Any, elements: Mapping[str, Any]) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    required = [name for name in schema.get("required") or () if name not in elements]
    return {**schema, "required": required}
