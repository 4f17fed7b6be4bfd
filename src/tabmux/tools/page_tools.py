"""Page tools: list_page_tools and call_page_tool."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tabmux.content import Reply
from tabmux.errors import PageTrouble
from tabmux.page.page import Page
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.tools.pipeline.argument_types import JsonObject
from tabmux.tools.pipeline.tool import tool

if TYPE_CHECKING:
    from tabmux.pagetools.model import PageTool
    from tabmux.pagetools.page_catalog import PageCatalog


@tool(reads=True, over_dialog=True)
async def list_page_tools(page: Page, catalogs: PageCatalogs) -> Reply:
    """List this page's forms, searches, lists and actions as tools.

    One call_page_tool does what takes several clicks and fills."""
    catalog = catalogs.of(page)
    await catalog.refresh(force=True)
    if catalog.failure:
        # A document may have given way to another just then.
        await catalog.refresh(force=True)
    if catalog.failure and not catalog.tools:
        raise PageTrouble(f"The page's tools are not known: {catalog.failure}", hint="Try again.")
    catalog.note_shown()
    return Reply.lines(_lines(catalog), empty="The page offers no tools.")


@tool(destroys=True, over_dialog=True, seconds=60)
async def call_page_tool(
    page: Page, catalogs: PageCatalogs, name: str, arguments: JsonObject | None = None
) -> Reply:
    """Call a tool of the page.

    Args:
        name: Name from list_page_tools.
        arguments: Its arguments as JSON: {"query": "x"}.
    """
    from tabmux.pagetools.call.tool_calls import call_tool

    return await call_tool(catalogs.of(page), name, arguments or {})


def _lines(catalog: PageCatalog) -> Iterator[str]:
    from tabmux.pagetools.call.call_outcome import item_lines

    shown = catalog.published
    for each in shown:
        yield _line(each)
    rest = [each.name for each in catalog.tools if each not in shown]
    if rest:
        yield f"Also: {', '.join(rest)}"
    listed = next((each for each in catalog.tools if each.plan.items), None)
    if listed is not None:
        yield f"Entries of {listed.name}:"
        yield from item_lines(catalog.tools)


def _line(each: PageTool) -> str:
    """Show a tool with its parameters; those that are required have a star."""
    required = each.schema.get("required", ())
    parameters = {
        f"{key}*" if key in required else key: about
        for key, about in each.schema.get("properties", {}).items()
    }
    shown = f" {json.dumps(parameters, ensure_ascii=False)}" if parameters else ""
    warning = " (destructive)" if each.destroys else ""
    return f"{each.name}: {each.description}{warning}{shown}"
