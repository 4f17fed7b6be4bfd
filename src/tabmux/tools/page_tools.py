"""Page tools: list_page_tools and call_page_tool."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tabmux.content import Reply
from tabmux.errors import PageTrouble
from tabmux.page.page import Page
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.tools.pipeline.tool import tool

if TYPE_CHECKING:
    from tabmux.pagetools.model import PageTool
    from tabmux.pagetools.page_catalog import PageCatalog


@tool(reads=True, over_dialog=True)
async def list_page_tools(page: Page, shelf: PageCatalogs) -> Reply:
    """List what this page lets you do as tools (forms, searches, lists, actions).

    One call_page_tool does what takes several clicks and fills.
    """
    catalogue = shelf.of(page)
    await catalogue.refresh(force=True)
    if catalogue.trouble:
        # A document may have given way to another just then.
        await catalogue.refresh(force=True)
    if catalogue.trouble and not catalogue.tools:
        raise PageTrouble(f"The page's tools are not known: {catalogue.trouble}", hint="Try again.")
    catalogue.show()
    return Reply.lines(_lines(catalogue), empty="The page offers no tools.")


@tool(destroys=True, over_dialog=True, seconds=60)
async def call_page_tool(
    page: Page, shelf: PageCatalogs, name: str, arguments: dict[str, Any] | None = None
) -> Reply:
    """Call a tool of the page.

    Args:
        name: See list_page_tools.
        arguments:
    """
    from tabmux.pagetools.call.dispatch import call

    return await call(shelf.of(page), name, arguments or {})


def _lines(catalogue: PageCatalog) -> Iterator[str]:
    from tabmux.pagetools.rendering import entries

    shown = catalogue.published
    for each in shown:
        yield _line(each)
    rest = [each.name for each in catalogue.tools if each not in shown]
    if rest:
        yield f"Also: {', '.join(rest)}"
    listed = next((each for each in catalogue.tools if each.plan.items), None)
    if listed is not None:
        yield f"Entries of {listed.name}:"
        yield from entries(catalogue.tools)


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
