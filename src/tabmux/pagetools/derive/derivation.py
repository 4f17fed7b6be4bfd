"""Derivation: from what documents show to the tools of their page."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from tabmux.pagetools.collect.document_tree import DocumentTree
from tabmux.pagetools.derive import parameters
from tabmux.pagetools.derive.buttons_and_menus import action_tools
from tabmux.pagetools.derive.choices import choice_tools
from tabmux.pagetools.derive.form_tools import form_tool, unique_forms
from tabmux.pagetools.derive.forms import Form, forms
from tabmux.pagetools.derive.list_tools import list_tools
from tabmux.pagetools.derive.lists import Listing, listings
from tabmux.pagetools.derive.pagination import pagination_tools
from tabmux.pagetools.language import words
from tabmux.pagetools.model import DerivedTool, ExecutionPlan, PageTool, ToolControl
from tabmux.pagetools.tool_names import ToolNames

LONGEST_DESCRIPTION = 200
# The tools of other frames come after those of the page itself.
_INNER = 15.0


def derive_tools(documents: Sequence[DocumentTree], names: ToolNames) -> list[PageTool]:
    """Return the tools of a page, the most important first.

    Args:
        documents: One for each frame, the main one first.
        names: Remembers names, so that a page that is drawn again does not rename its tools.
    """
    pairs = [(document, tool) for document in documents for tool in _document_tools(document)]
    if any(document.modal for document in documents):
        pairs = [(document, tool) for document, tool in pairs if document.modal]
    if not any(tool.rank >= 0 for _, tool in pairs):
        pairs += [(document, tool) for document in documents[:1] for tool in _generic_tools()]
    given = names.give(documents[0].origin if documents else "", [tool for _, tool in pairs])
    tools = [
        _page_tool(document, tool, name)
        for (document, tool), name in zip(pairs, given, strict=True)
    ]
    return sorted(tools, key=lambda tool: (-tool.rank, tool.name))


def _document_tools(document: DocumentTree) -> list[DerivedTool]:
    """Return the tools of one document, without names."""
    lists = listings(document)
    lists_by_score = sorted(lists, key=lambda each: -each.score)
    claimed: set[int] = set()
    found: list[DerivedTool] = []
    worked = [listing.node for listing in lists if listing.has_buttons]
    outside, inside = _split_forms(forms(document, lists=worked), lists)
    main = lists_by_score[0].noun if lists_by_score else ""
    made = [form_tool(form, main) for form in unique_forms(outside)]
    found += [tool for tool in made if tool is not None]
    for form in outside:
        claimed |= {node.ref for each in form.fields for node in each.nodes or [each.node]}
        claimed |= {form.submit.ref} if form.submit is not None and form.is_form else set()
    for order, listing in enumerate(lists_by_score):
        found += list_tools(listing, inside.get(id(listing), []), order)
    claimed |= _entry_refs(lists)
    _claim(found, claimed)
    found += pagination_tools(document, claimed)
    _claim(found, claimed)
    found += choice_tools(document, lists_by_score, claimed)
    _claim(found, claimed)
    found += action_tools(document, claimed)
    found += _described_search(document, found)
    for tool in found:
        tool.key = f"{document.path}|{tool.key}"
        tool.rank -= _INNER if document.path and tool.rank >= _INNER else 0
    return found


def _split_forms(
    found: list[Form], lists: list[Listing]
) -> tuple[list[Form], dict[int, list[Form]]]:
    """Tell the forms of list entries from those of the page."""
    outside: list[Form] = []
    inside: dict[int, list[Form]] = {}
    owners = {entry.ref: listing for listing in lists for entry in listing.entries}
    for form in found:
        around = (form.node, *form.node.ancestors())
        owner = next((owners[node.ref] for node in around if node.ref in owners), None)
        if owner is None:
            outside.append(form)
        elif form.is_form:
            inside.setdefault(id(owner), []).append(form)
    return outside, inside


def _entry_refs(lists: list[Listing]) -> set[int]:
    """What is in the entries of a list is the list's business."""
    return {node.ref for listing in lists for entry in listing.entries for node in entry.walk()}


def _claim(found: list[DerivedTool], claimed: set[int]) -> None:
    for tool in found:
        claimed |= {node.ref for node in tool.nodes}


def _described_search(document: DocumentTree, found: list[DerivedTool]) -> list[DerivedTool]:
    """Return the search that the page describes, if it shows none."""
    if not document.templates or document.modal or any(tool.kind == "search" for tool in found):
        return []
    control = ToolControl("query", 0, "text", "Query", required=True, schema={"type": "string"})
    return [
        DerivedTool(
            "url",
            f"url|{urlsplit(document.templates[0]).path}",
            ["search", "search_site"],
            "Search this site",
            60,
            controls=[control],
            url_template=document.templates[0],
            reads=True,
            repeatable=True,
        )
    ]


def _page_tool(document: DocumentTree, tool: DerivedTool, name: str) -> PageTool:
    host = urlsplit(document.origin).netloc or document.origin or "page"
    text = words.clean(tool.description, LONGEST_DESCRIPTION - 60) or name.replace("_", " ")
    source = {"url": "descriptor", "read": "generic", "click": "generic", "fill": "generic"}
    return PageTool(
        name,
        f"[{words.clean(host, 50)}] {text}",
        parameters.input_schema(tool.controls, index=tool.indexed),
        tool.key,
        tool.kind,
        source.get(tool.kind, "derived"),  # type: ignore[arg-type]
        document.frame,
        document.loader,
        document.origin,
        ExecutionPlan(
            tool.openers,
            tuple(tool.controls),
            tool.submit,
            tool.enter,
            tuple(tool.items),
            tool.url_template,
            tool.form,
        ),
        tool.reads,
        tool.destroys or tool.consequential,
        tool.repeatable,
        tool.rank,
    )


def _generic_tools() -> list[DerivedTool]:
    """Return the tools to read a page, to click and to fill by what is written on things."""
    return [
        DerivedTool(
            "read",
            "read",
            ["get_page_content"],
            "Read the text of the page",
            30,
            reads=True,
            repeatable=True,
        ),
        DerivedTool(
            "click",
            "click",
            ["click_element"],
            "Click what has this text",
            20,
            controls=[_text_control("text", "Its text or label")],
        ),
        DerivedTool(
            "fill",
            "fill",
            ["fill_field"],
            "Fill a field",
            10,
            controls=[_text_control("field", "Its label"), _text_control("value", "")],
            repeatable=True,
        ),
    ]


def _text_control(key: str, about: str) -> ToolControl:
    schema = {"type": "string", "description": about} if about else {"type": "string"}
    return ToolControl(key, 0, "text", about, required=True, schema=schema)
