"""Derivation: from what documents show to the tools of their page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from tabmux.pagetools.collect.document_tree import DocumentTree
from tabmux.pagetools.derive import landmarks, parameters
from tabmux.pagetools.derive.buttons import action_tools
from tabmux.pagetools.derive.choices import choice_tools
from tabmux.pagetools.derive.fields import Field
from tabmux.pagetools.derive.form_parts import parts_of
from tabmux.pagetools.derive.form_tools import form_tools, unique_forms
from tabmux.pagetools.derive.forms import Form, forms
from tabmux.pagetools.derive.generic_tools import generic_tools
from tabmux.pagetools.derive.list_tools import UNCOMMON_RANK, list_tools
from tabmux.pagetools.derive.lists.empty_lists import empty_list_tools
from tabmux.pagetools.derive.lists.entry_forms import split_forms
from tabmux.pagetools.derive.lists.list_entries import MAJORITY
from tabmux.pagetools.derive.lists.lists import Listing, listings
from tabmux.pagetools.derive.menus import folded_nodes
from tabmux.pagetools.derive.navigation import MOST_IN_GROUP, page_actions, page_parts
from tabmux.pagetools.derive.pagination import only_turns_pages, pagination_tools
from tabmux.pagetools.language import words
from tabmux.pagetools.language.page_arithmetic import acts_on_page
from tabmux.pagetools.language.verbs_and_nouns import action_of
from tabmux.pagetools.model import DerivedTool, ExecutionPlan, PageTool, ToolControl
from tabmux.pagetools.tool_names import unique_names

LONGEST_DESCRIPTION = 200
# The tools of other frames come after those of the page itself.
_INNER = 15.0
GENERIC_KINDS = ("read", "click", "link", "fill")


def derive_tools(documents: Sequence[DocumentTree]) -> list[PageTool]:
    """Return the tools of a page, the most important first.

    Args:
        documents: One for each frame, the main one first.
    """
    pairs = [(document, tool) for document in documents for tool in _document_tools(document)]
    if any(document.modal for document in documents):
        pairs = [(document, tool) for document, tool in pairs if document.modal]
    front = next((each for each in documents if each.modal), documents[0] if documents else None)
    if front is not None:
        pairs += [(front, tool) for tool in generic_tools(front, [tool for _, tool in pairs])]
    given = unique_names([tool for _, tool in pairs])
    tools = [
        _page_tool(document, tool, name)
        for (document, tool), name in zip(pairs, given, strict=True)
        if name
    ]
    return sorted(tools, key=lambda tool: (-tool.rank, tool.name))


def _document_tools(document: DocumentTree) -> list[DerivedTool]:
    """Return the tools of one document, without names."""
    lists = [each for each in listings(document) if not _is_action_bar(each, document.url)]
    lists_by_score = sorted(lists, key=lambda each: -each.score)
    claimed: set[int] = set()
    found: list[DerivedTool] = []
    outside, inside = split_forms(_forms_beside(document, lists), lists)
    main = lists_by_score[0].noun if lists_by_score and not lists_by_score[0].is_aside else ""
    _tell_apart(lists_by_score)
    listed = [
        tool
        for order, listing in enumerate(lists_by_score)
        for tool in list_tools(listing, inside.get(id(listing), []), order)
    ]
    offered = {node.ref for tool in listed for node in tool.nodes}
    outside = _forms_of_page(outside, offered)
    found += [tool for form in unique_forms(outside) for tool in form_tools(form, main)]
    _keep_back_repeated(found)
    claimed |= {ref for form in outside for ref in _controls_of(form)}
    found += listed
    _claim(found, claimed)
    found += pagination_tools(document, claimed)
    _claim(found, claimed)
    on_page = page_actions(document, claimed)
    found += choice_tools(document, lists_by_score, claimed, on_page.keys())
    _claim(found, claimed)
    on_page |= page_parts(document, claimed | on_page.keys())
    acting = action_tools(document, claimed, on_page, main)
    _keep_back_entries(acting, lists, offered)
    _keep_back_doubles(acting, found)
    found += acting
    found += _described_search(document, found)
    if not any(tool.items and tool.rank >= 0 for tool in found):
        found += empty_list_tools(document)
    _place(found, document)
    return found


def _forms_beside(document: DocumentTree, lists: Sequence[Listing]) -> list[Form]:
    """Return the forms of a document, of which some may be those of its lists."""
    worked = [listing.node for listing in lists if listing.has_buttons]
    every = [listing.node for listing in lists]
    return forms(document, lists=worked, listed=every, folded=folded_nodes(document))


def _forms_of_page(found: Sequence[Form], offered: set[int]) -> list[Form]:
    """Return what forms are left to the page, each for one thing to do."""
    left = [form for form in found if form.fields or not only_turns_pages(form.submit)]
    rest = [each for form in left if (each := _without_offered(form, offered)) is not None]
    return [part for form in rest for part in parts_of(form)]


def _is_action_bar(listing: Listing, here: str) -> bool:
    """Whether most of what it would open acts on the page itself, and half of that says so.

    Things may have names for addresses, too: on `/projects`, `/projects/orchard` is one.
    """
    targets = [each for each in listing.targets if each is not None]
    own = [each for each in targets if acts_on_page(each.get("href"), here)]
    if len(targets) > MOST_IN_GROUP or len(own) <= MAJORITY * len(listing.entries):
        return False
    return 2 * sum(bool(action_of(each.name)) for each in own) >= len(own)


def _place(found: Sequence[DerivedTool], document: DocumentTree) -> None:
    """Note in which frame tools are, which says how important they are."""
    for tool in found:
        tool.key = f"{document.path}|{tool.key}"
        tool.rank -= _INNER if document.path and tool.rank >= _INNER else 0


def _controls_of(form: Form) -> set[int]:
    """Return what nothing else may offer, since the form does."""
    every = [*form.fields, *form.folded]
    controls = {node.ref for each in every for node in each.nodes or [each.node]}
    if form.submit is not None and form.is_form:
        controls.add(form.submit.ref)
    if form.opener is not None and form.takes_opener:
        controls.add(form.opener.ref)
    return controls


def _tell_apart(lists: Sequence[Listing]) -> None:
    """Of lists of the same things, the first is meant; the others need a heading of their own."""
    seen: set[str] = set()
    for listing in lists:
        own = landmarks.heading_above(listing.node, 3)
        listing.is_aside = listing.is_aside or (listing.noun in seen and not own)
        seen.add(listing.noun)


def _is_offered_tick(field: Field, offered: set[int]) -> bool:
    """Whether a list offers it: a checkbox, or several of one name, for its entries."""
    if field.kind not in ("checkbox", "checkboxes"):
        return False
    return all(node.ref in offered for node in field.nodes or [field.node])


def _without_offered(form: Form, offered: set[int]) -> Form | None:
    """Leave to a list what it offers: of a form around it, the tick of each of its entries."""
    if not any(each.node.ref in offered for each in form.fields):
        return form
    if form.is_form:
        ticks = [each for each in form.fields if _is_offered_tick(each, offered)]
        rest = [each for each in form.fields if each not in ticks]
        several = sum(max(1, len(each.nodes)) for each in ticks) > 1
        return replace(form, fields=rest, bulk=True) if several else form
    left = [each for each in form.fields if each.node.ref not in offered]
    nodes = [node for node in form.nodes if not offered & {n.ref for n in (node, *node.near(6))}]
    buttons = [each for each in form.buttons if each in nodes]
    return replace(form, fields=left, nodes=nodes, buttons=buttons) if left else None


def _keep_back_entries(
    acting: Sequence[DerivedTool], lists: Sequence[Listing], offered: set[int]
) -> None:
    """What one entry of a list has is there by name only: nothing says which entry is meant."""
    within = [entry for each in lists for entry in each.entries if entry.ref in offered]
    inside = {node.ref for entry in within for node in entry.walk()}
    for tool in acting:
        if any(node.ref in inside for node in tool.nodes):
            tool.rank = min(tool.rank, UNCOMMON_RANK)


def _keep_back_repeated(found: Sequence[DerivedTool]) -> None:
    """Of forms that are only a button, those that say the same stand for a thing each."""
    said = Counter(tool.names[0] for tool in found if not tool.controls)
    for tool in found:
        if not tool.controls and said[tool.names[0]] > 1:
            tool.rank = min(tool.rank, UNCOMMON_RANK)


def _keep_back_doubles(acting: Sequence[DerivedTool], found: Sequence[DerivedTool]) -> None:
    """A button that says the verb of a form, and nothing else, is there to open the form."""
    taken = {tool.names[0] for tool in found if tool.rank >= 0 and tool not in acting}
    taken |= {tool.kind for tool in found if tool.kind == "search" and tool.rank >= 0}
    for tool in acting:
        if tool.names[0] in taken:
            tool.rank = min(tool.rank, UNCOMMON_RANK)


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
    source = {"url": "descriptor"} | dict.fromkeys(GENERIC_KINDS, "generic")
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
