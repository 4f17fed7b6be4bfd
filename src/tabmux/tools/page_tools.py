"""Page tools: list_page_tools and call_page_tool."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabmux.content import Reply
from tabmux.errors import PageTrouble
from tabmux.page.page import Page
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.tools.pipeline.argument_types import JsonObject
from tabmux.tools.pipeline.results import PageToolEntry, PageToolsResult
from tabmux.tools.pipeline.tool import tool

if TYPE_CHECKING:
    from tabmux.pagetools.model import PageTool
    from tabmux.pagetools.page_catalog import PageCatalog


@tool(reads=True, over_dialog=True, result=PageToolsResult)
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
    reply = Reply.lines(_lines(catalog), empty="The page offers no tools.")
    reply.data = PageToolsResult(tools=list(map(_entry, catalog.tools))).data
    return reply


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


@dataclass(frozen=True)
class ListingDetail:
    """How much is said of each tool; the whole schema is in its definition and in errors.

    Attributes:
        values: How many values of a parameter are shown.
        words: How long a description or a value may be.
        entry: How long an entry of the page's list may be.
        optional: Whether parameters that can be left out are more than their names.
        rest: How long the names of tools that are not published may be.
    """

    values: int = 40
    words: int = 200
    entry: int = 80
    optional: bool = True
    rest: int = 150


# How much is said of pages whose tools take so many characters: what comes and goes is not counted,
# so that a page that is drawn again is listed as before.
DETAILS = (
    (550, ListingDetail(entry=60)),
    (750, ListingDetail(10, 32, 45)),
    (1050, ListingDetail(5, 16, 40)),
    (1600, ListingDetail(3, 12, 30, optional=False)),
    (None, ListingDetail(2, 0, 24, optional=False, rest=80)),
)
_VOLATILE = frozenset({"default", "description", "examples"})
_VOLATILE_SIZE = 30
# Of a value that stands for all.
LONGEST_VALUE = 20


def _lines(catalog: PageCatalog) -> list[str]:
    """Return the lines of the list, with as much as there is room for."""
    size = sum(map(_steady_size, catalog.published))
    detail = next(each for limit, each in DETAILS if limit is None or size <= limit)
    return list(_detailed_lines(catalog, detail))


def _steady_size(each: PageTool) -> int:
    """Return how much there is to say of a tool, apart from what may differ the next time."""
    size = len(each.name) + len(each.description)
    for key, schema in each.schema.get("properties", {}).items():
        steady = {name: value for name, value in schema.items() if name not in _VOLATILE}
        size += len(key) + len(json.dumps(steady, ensure_ascii=False))
        size += _VOLATILE_SIZE * len(_VOLATILE & schema.keys())
    return size


def _detailed_lines(catalog: PageCatalog, detail: ListingDetail) -> Iterator[str]:
    from tabmux.pagetools.call.call_outcome import empty_list, item_lines, main_list

    shown = catalog.published
    for each in shown:
        yield _line(each, detail)
    rest = ", ".join(each.name for each in catalog.tools if each not in shown)
    if rest:
        cut = rest[: rest.rfind(",", 0, detail.rest)] + ", …" if len(rest) > detail.rest else rest
        yield f"Also: {cut}"
    listed = main_list(catalog.tools)
    if listed is not None:
        yield f"Entries of {listed.name}:"
        yield from item_lines(catalog.tools, detail.entry)
    elif (empty := empty_list(catalog.tools)) is not None:
        yield f"Entries of {empty.name}: none"


def _entry(each: PageTool) -> PageToolEntry:
    return PageToolEntry(
        name=each.name,
        description=each.description,
        destroys=each.destroys,
        arguments=each.schema,
    )


def _line(each: PageTool, detail: ListingDetail) -> str:
    """Show a tool with its parameters; those that are required have a star."""
    required = each.schema.get("required", ())
    parameters: dict[str, Any] = {}
    for key, about in each.schema.get("properties", {}).items():
        if key in required or detail.optional:
            parameters[f"{key}*" if key in required else key] = _brief(about, detail)
        else:
            parameters[key] = _brief(_kept(about), detail)
    shown = f" {json.dumps(parameters, ensure_ascii=False)}" if parameters else ""
    warning = " (destructive)" if each.destroys else ""
    return f"{each.name}: {each.description}{warning}{shown}"


def _leave_out_plain(found: dict[str, Any]) -> None:
    """Where there is little room, leave out what names and values say anyhow."""
    from tabmux.pagetools.model import OUR_DESCRIPTIONS

    if found.get("description") in OUR_DESCRIPTIONS:
        del found["description"]
    if "enum" in found:
        found.pop("type", None)


def _kept(about: dict[str, Any]) -> dict[str, Any]:
    """Return the little that is said of what can be left out; that it is a choice is said."""
    kept: dict[str, Any] = {name: about[name] for name in ("type", "description") if name in about}
    values = about.get("enum")
    if values:
        kept = {"enum": [str(values[0])[:LONGEST_VALUE], f"… {len(values)} in all"]}
    return kept


def _brief(schema: dict[str, Any], detail: ListingDetail) -> dict[str, Any]:
    """Return what a parameter takes, without what only a refusal has to say."""
    found = {key: value for key, value in schema.items() if key not in _UNLISTED}
    if not detail.optional:
        _leave_out_plain(found)
    for key in ("enum", "examples"):
        values = found.get(key)
        if isinstance(values, list) and len(values) > detail.values:
            found[key] = [*values[: detail.values], f"… {len(values)} in all"]
    for key in ("description", "default"):
        text = found.get(key)
        if isinstance(text, str) and len(text) > detail.words:
            found[key] = f"{text[: detail.words]}…"
            if not detail.words:
                del found[key]
    return found


_UNLISTED = frozenset({"minLength", "maxLength", "uniqueItems", "writeOnly", "pattern", "minimum"})
