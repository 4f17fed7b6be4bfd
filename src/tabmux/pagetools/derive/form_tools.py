"""Form tools: how a form becomes a tool that fills and sends it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import Field, controls, is_filled
from tabmux.pagetools.derive.form_buttons import (
    destroying_buttons,
    variant_buttons,
    variant_control,
)
from tabmux.pagetools.derive.form_names import form_heading, form_tool_names, is_filter_form
from tabmux.pagetools.derive.form_purpose import naming_type
from tabmux.pagetools.derive.form_types import query_field
from tabmux.pagetools.derive.forms import Form, enter_field
from tabmux.pagetools.derive.landmarks import SITE_LANDMARKS
from tabmux.pagetools.derive.parameters import LONGEST_DESCRIPTION, TEXT_KINDS
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.verbs_and_nouns import action_of, is_consequential, is_destructive
from tabmux.pagetools.model import DerivedTool, ToolControl

# What is pressed to go on with what was asked about.
CONFIRMS = lexicon.stems(
    """yes | ok. | i'm sure | confirm | continue | proceed | ja. | oui | sí. | si. | sim. | tak.
    | да. | evet | bestätig | bevestig | confirmar | confirmer | conferma | 是 | 确定 | 確定
    | 确认 | 確認 | はい | 예"""
)
# Who presses one of these does what was chosen beside it.
_DOES_WHAT_IS_CHOSEN = frozenset({"", "go", "apply", "execute", "run", "submit", "confirm", "send"})
# What nobody sees before something is opened is there by name only, around the content.
FOLDED_RANK = -3.5
# Beside the content it takes a place that is free.
FOLDED_ASIDE_RANK = -2.5
# In the content it comes after all that shows.
FOLDED_CONTENT_RANK = 20.0
_SITE_BUTTON_RANK = -2.0
# A line of text that stands alone takes a place that is free.
LINE_RANK = -2.7
_CHOSEN_ALONE = frozenset({"checkbox", "checkboxes", "select", "radio", "range"})
_BUTTON_RANK = 54.0
_AROUND_CONTENT = SITE_LANDMARKS | {"complementary", "menu"}
_RANKS = {
    "search": 80,
    "login": 85,
    "register": 84,
    "recover": 70,
    "contact": 72,
    "cart": 82,
    "subscribe": 50,
    "other": 75,
}


def _masked_path(path: str) -> str:
    """Return a path without what differs from one thing to the next."""
    return re.sub(r"[^/]*\d[^/]*", "*", path.partition("?")[0])


def _form_key(form: Form) -> str:
    """Return what makes two forms the same tool."""
    fields = ",".join(sorted({each.name or _label_or_kind(each) for each in form.fields}))
    button = form.submit
    said = words.slug(button.name) if button else ""
    # What a button alone acts on is said by what it stands under, and by its whole address.
    place = words.slug(form.heading) if not fields else ""
    path = form.action if not fields else _masked_path(form.action)
    return f"form|{form.method}|{path}|{fields}|{said}{'|' + place if place else ''}"


def _label_or_kind(field: Field) -> str:
    """Return what tells a field without a name from others: several beside each other have none."""
    return words.slug(field.label) or field.kind


def form_tools(form: Form, listing: str) -> list[DerivedTool]:
    """Return the tools of a form: one that sends it, and one for each button that destroys.

    Args:
        form: The form.
        listing: What the entries of the page's main list are called.
    """
    made = form_tool(form, listing)
    if made is None:
        return []
    return [made, *(_destroying_tool(form, made, each) for each in destroying_buttons(form))]


def form_tool(form: Form, listing: str) -> DerivedTool | None:
    """Return the tool that fills and sends a form, or nothing if it can do neither."""
    submit, enter = form.submit, enter_field(form)
    if submit is None and enter is None and not any(_sends_itself(each) for each in form.fields):
        return None
    if not form.fields and submit is None:
        return None
    query = (
        query_field(form.evidence) if form.type == "search" and not is_filter_form(form) else None
    )
    made = controls([*form.fields, *form.folded], query)
    _require_needed(form, made, query)
    names, says = form_tool_names(form, submit, query, listing)
    _shorten_key(made, names)
    reads = _is_read_only(form, submit)
    variants = variant_buttons(form)
    tool = DerivedTool(
        "search" if query else "form",
        _form_key(form),
        names,
        says,
        _rank(form, names),
        controls=made + ([variant_control(submit, variants)] if submit and variants else []),
        submit=submit.ref if submit else None,
        enter=enter.ref if enter else None,
        form=form.tag.ref if form.is_form else None,
        reads=reads,
        repeatable=reads,
        openers=(form.opener.ref,) if form.opener is not None else (),
        nodes=[*_own_nodes(form, submit), *variants],
    )
    if not reads:
        tool.destroys = _destroys(form, submit)
        tool.consequential = _is_consequential(form, submit)
    return tool


def _destroying_tool(form: Form, made: DerivedTool, button: Node) -> DerivedTool:
    """Return the tool of a second button that takes something away; it sends the fields too."""
    heading = "_".join(words.words(form_heading(form))[:3])
    action = action_of(button.name) or words.slug(button.name)
    full = action if "_" in action else words.name_of(action, heading)
    return replace(
        made,
        kind="form",
        key=f"{made.key}|{words.slug(button.name)}",
        names=[full, words.name_of(action, heading)],
        description=words.clean(button.name, 60),
        rank=made.rank - 20,
        controls=[replace(each, required=False) for each in made.controls if each.kind != "submit"],
        submit=button.ref,
        enter=None,
        reads=False,
        repeatable=False,
        destroys=True,
        nodes=[button],
    )


def _destroys(form: Form, submit: Node | None) -> bool:
    if naming_type(form) in ("login", "register", "search", "recover", "subscribe"):
        return False
    said = (submit.name, submit.classes) if submit else ()
    if is_destructive(*said, form.node.get("data-method")):
        return not _clears_filter(submit)
    if is_destructive(*form.action.split("/")) or _may_choose_to_destroy(form, submit):
        return True
    return bool(submit and CONFIRMS.match(submit.name.lower()) and _asks_to_destroy(form))


def _may_choose_to_destroy(form: Form, submit: Node | None) -> bool:
    """Whether one of the things to be chosen takes something away, and the button does it."""
    chosen = [each for each in form.fields if each.kind in ("select", "radio")]
    if submit is None or len(chosen) != len(form.fields):
        return False
    actions = [action_of(option.label) for each in chosen for option in each.options]
    said = action_of(submit.name).partition("_")[0]
    return said in _DOES_WHAT_IS_CHOSEN and any(each and is_destructive(each) for each in actions)


def _asks_to_destroy(form: Form) -> bool:
    """Whether it stands on a page that asks whether something is to be taken away."""
    asked = f"{form_heading(form)} {landmarks.text_of(form.node, 300)} {form.title}"
    return is_destructive(asked) and not form.evidence.typed


def _clears_filter(submit: Node | None) -> bool:
    said = submit.name.lower() if submit else ""
    return lexicon.RESET.match(said) and (
        lexicon.FILTER.search(said) or lexicon.SEARCH.search(said)
    )


def _is_consequential(form: Form, submit: Node | None) -> bool:
    said = submit.name if submit else ""
    return form.type in ("cart", "other") and is_consequential(said)


def _own_nodes(form: Form, submit: Node | None) -> list[Node]:
    """Return what belongs to the form alone; its other buttons may do other things."""
    every = [*form.fields, *form.folded]
    own = [node for each in every for node in each.nodes or [each.node]]
    own += [each for each in form.buttons if each is submit or each.get("type") == "reset"]
    if submit is not None:
        own += [each for each in form.buttons if words.slug(each.name) == words.slug(submit.name)]
    return own


def _require_needed(form: Form, made: list[ToolControl], query: Field | None) -> None:
    """Some fields are needed whatever the markup says."""
    needed: set[int] = set()
    filled = {each.node.ref for each in form.fields if is_filled(each)}
    if query is not None and form.evidence.typed == 1:
        needed.add(query.node.ref)
    if form.type == "login":
        needed |= {
            each.node.ref
            for each in form.fields
            if each.kind in ("text", "email", "password", "tel")
        } - filled
    if len(form.fields) == 1:
        needed.add(form.fields[0].node.ref)
    for at, each in enumerate(made):
        if each.ref in needed and not each.required and each.kind != "checkbox":
            made[at] = replace(each, required=True)


def _shorten_key(made: list[ToolControl], names: list[str]) -> None:
    """The only parameter of a tool need not say again what the tool's name says."""
    if len(made) != 1:
        return
    verb, _, noun = names[0].partition("_")
    if made[0].kind == "checkbox" and verb in ("toggle", "select"):
        made[0] = replace(made[0], key="checked")
    elif names[0] == "go_to_page":
        made[0] = replace(made[0], key="page")
    elif made[0].kind in TEXT_KINDS and verb == "add" and noun and "_" not in noun:
        says = words.clean(made[0].label, LONGEST_DESCRIPTION)
        schema = (
            {"description": says, **made[0].schema} if words.slug(says) != noun else made[0].schema
        )
        made[0] = replace(made[0], key=noun, schema=schema)


def _sends_itself(field: Field) -> bool:
    """A select without a button is there to be chosen from."""
    return field.kind in ("select", "radio", "checkbox", "range", "listbox", "number", "checkboxes")


def _is_read_only(form: Form, submit: Node | None) -> bool:
    if form.type == "search":
        return True
    said = submit.name if submit else ""
    if is_destructive(said, form.action) or is_consequential(said):
        return False
    if form.fields and not any(each.node.get("name") for each in form.fields):
        return False  # nothing would be sent: a script does what it does
    return form.is_form and form.method == "get" and not any(each.secret for each in form.fields)


def _rank(form: Form, names: list[str]) -> float:
    parts = landmarks.landmarks_around(form.node)
    rank = float(_RANKS.get(naming_type(form), 60))
    if form.opener is not None:
        around = parts | landmarks.landmarks_around(form.opener)
        if around & _AROUND_CONTENT:
            return FOLDED_RANK if around & SITE_LANDMARKS else FOLDED_ASIDE_RANK
        return _BUTTON_RANK if form.takes_opener else FOLDED_CONTENT_RANK
    if not form.fields:
        return _button_rank(parts)
    if "main" in parts or "dialog" in parts:
        rank += 8
    if form.type == "other" and "banner" in parts:
        rank -= 20
    if not form.is_form and not form.buttons and form.type == "other":
        rank -= 25
        if (lone := _lone_rank(form.fields[0], names)) is not None:
            return lone
    if "contentinfo" in parts:
        rank -= 30
    if "complementary" in parts and form.type not in ("search", "login"):
        rank -= 20
    return max(rank, 1.0)


def _lone_rank(field: Field, names: list[str]) -> float | None:
    """Return the rank of a field that stands alone, if its words say little."""
    if _says_nothing(field):
        return -4.0
    if field.kind not in _CHOSEN_ALONE and names[0].startswith("set_"):
        return LINE_RANK if field.label else -4.0
    return None


def _says_nothing(field: Field) -> bool:
    """Whether a tick has no label, and a name that was counted up by a program."""
    return field.kind == "checkbox" and not field.label and any(map(str.isdigit, field.name))


def _button_rank(parts: set[str]) -> float:
    """A form that is only a button is worth as much as a button, which the site may have, too."""
    if parts & SITE_LANDMARKS:
        return _SITE_BUTTON_RANK
    return 24.0 if "complementary" in parts else _BUTTON_RANK


def unique_forms(forms: Iterable[Form]) -> list[Form]:
    """Keep the first of forms that do the same, such as a search above and below."""
    kept: dict[str, Form] = {}
    for form in forms:
        kept.setdefault(_form_key(form), form)
    return list(kept.values())
