"""From what a page shows to the tools it offers."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from tabmux.pagetools import generic
from tabmux.pagetools.collect.document_tree import DocumentTree
from tabmux.pagetools.derive import parameters
from tabmux.pagetools.derive.actions import action_drafts
from tabmux.pagetools.derive.choices import choice_tools
from tabmux.pagetools.derive.form_tools import form_draft, without_twins
from tabmux.pagetools.derive.forms import Form, forms
from tabmux.pagetools.derive.list_tools import list_drafts
from tabmux.pagetools.derive.lists import Listing, listings
from tabmux.pagetools.derive.pagination import pager_drafts
from tabmux.pagetools.draft import DerivedTool
from tabmux.pagetools.language import words
from tabmux.pagetools.model import ExecutionPlan, PageTool, ToolControl
from tabmux.pagetools.tool_names import ToolNames

DESCRIPTION = 200
# The tools of other frames come after those of the page itself.
_INNER = 15.0


def derive_tools(reports: Sequence[DocumentTree], names: ToolNames) -> list[PageTool]:
    """Return the tools of a page, the most important first.

    Args:
        reports: One for each frame, the main one first.
        names: Remembers names, so that a page that is drawn again does not rename its tools.
    """
    pairs = [(report, draft) for report in reports for draft in drafts(report)]
    if any(report.modal for report in reports):
        pairs = [(report, draft) for report, draft in pairs if report.modal]
    if not any(draft.rank >= 0 for _, draft in pairs):
        pairs += [(report, draft) for report in reports[:1] for draft in generic.drafts()]
    given = names.give(reports[0].origin if reports else "", [draft for _, draft in pairs])
    tools = [_tool(report, draft, name) for (report, draft), name in zip(pairs, given, strict=True)]
    return sorted(tools, key=lambda tool: (-tool.rank, tool.name))


def drafts(report: DocumentTree) -> list[DerivedTool]:
    """Return the tools of one document, without names."""
    lists = listings(report)
    lists_by_score = sorted(lists, key=lambda each: -each.score)
    claimed: set[int] = set()
    found: list[DerivedTool] = []
    worked = [listing.node for listing in lists if listing.has_buttons]
    outside, inside = _apart(forms(report, lists=worked), lists)
    main = lists_by_score[0].noun if lists_by_score else ""
    made = [form_draft(form, main) for form in without_twins(outside)]
    found += [draft for draft in made if draft is not None]
    for form in outside:
        claimed |= {node.ref for each in form.fields for node in each.nodes or [each.node]}
        claimed |= {form.submit.ref} if form.submit is not None and form.is_form else set()
    for order, listing in enumerate(lists_by_score):
        found += list_drafts(listing, inside.get(id(listing), []), order)
    claimed |= _entries(lists)
    _claim(found, claimed)
    found += pager_drafts(report, claimed)
    _claim(found, claimed)
    found += choice_tools(report, lists_by_score, claimed)
    _claim(found, claimed)
    found += action_drafts(report, claimed)
    found += _described(report, found)
    for draft in found:
        draft.key = f"{report.path}|{draft.key}"
        draft.rank -= _INNER if report.path and draft.rank >= _INNER else 0
    return found


def _apart(found: list[Form], lists: list[Listing]) -> tuple[list[Form], dict[int, list[Form]]]:
    """Tell the forms of list entries from those of the page."""
    outside: list[Form] = []
    inside: dict[int, list[Form]] = {}
    owners = {entry.ref: listing for listing in lists for entry in listing.entries}
    for form in found:
        around = (form.node, *form.node.around())
        owner = next((owners[node.ref] for node in around if node.ref in owners), None)
        if owner is None:
            outside.append(form)
        elif form.is_form:
            inside.setdefault(id(owner), []).append(form)
    return outside, inside


def _entries(lists: list[Listing]) -> set[int]:
    """What is in the entries of a list is the list's business."""
    return {node.ref for listing in lists for entry in listing.entries for node in entry.walk()}


def _claim(found: list[DerivedTool], claimed: set[int]) -> None:
    for draft in found:
        claimed |= {node.ref for node in draft.nodes}


def _described(report: DocumentTree, found: list[DerivedTool]) -> list[DerivedTool]:
    """Return the search that the page describes, if it shows none."""
    if not report.templates or report.modal or any(draft.kind == "search" for draft in found):
        return []
    control = ToolControl("query", 0, "text", "Query", required=True, schema={"type": "string"})
    return [
        DerivedTool(
            "url",
            f"url|{urlsplit(report.templates[0]).path}",
            ["search", "search_site"],
            "Search this site",
            60,
            controls=[control],
            template=report.templates[0],
            reads=True,
            repeatable=True,
        )
    ]


def _tool(report: DocumentTree, draft: DerivedTool, name: str) -> PageTool:
    host = urlsplit(report.origin).netloc or report.origin or "page"
    text = words.clean(draft.says, DESCRIPTION - 60) or name.replace("_", " ")
    source = {"url": "descriptor", "read": "generic", "click": "generic", "fill": "generic"}
    return PageTool(
        name,
        f"[{words.clean(host, 50)}] {text}",
        parameters.of_controls(draft.controls, index=draft.indexed),
        draft.key,
        draft.kind,
        source.get(draft.kind, "derived"),  # type: ignore[arg-type]
        report.frame,
        report.loader,
        report.origin,
        ExecutionPlan(
            draft.openers,
            tuple(draft.controls),
            draft.submit,
            draft.enter,
            tuple(draft.items),
            draft.template,
            draft.form,
        ),
        draft.reads,
        draft.destroys or draft.consequential,
        draft.repeatable,
        draft.consequential,
        draft.rank,
    )
