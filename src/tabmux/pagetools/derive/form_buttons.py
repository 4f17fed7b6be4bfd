"""Form buttons: the other buttons of a form, which send the same fields in another way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive.form_controls import is_submit_type
from tabmux.pagetools.derive.forms import Form
from tabmux.pagetools.derive.pagination import says_page
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.verbs_and_nouns import action_of, is_destructive
from tabmux.pagetools.model import Option, ToolControl

MOST_VARIANTS = 6
VARIANT_KEY = "button"


def variant_buttons(form: Form) -> list[Node]:
    """Return the buttons that send the form too, and take nothing away."""
    found = [each for each in _other_buttons(form) if not _takes_away(each)]
    return found if len(found) <= MOST_VARIANTS else []


def destroying_buttons(form: Form) -> list[Node]:
    """Return the buttons beside the first that send the form to take something away."""
    return [each for each in _other_buttons(form) if _takes_away(each)][:MOST_VARIANTS]


def variant_control(submit: Node, variants: Sequence[Node]) -> ToolControl:
    """Return the parameter that says which button sends the form."""
    options = tuple(Option(_label(each), "", each.ref) for each in (submit, *variants))
    labels = [option.label for option in options]
    schema = {"type": "string", "enum": labels, "default": labels[0]}
    return ToolControl(VARIANT_KEY, submit.ref, "submit", "Button", options=options, schema=schema)


def _other_buttons(form: Form) -> list[Node]:
    submit = form.submit
    if submit is None or not form.is_form or not form.fields or len(form.buttons) < 2:
        return []
    counts = Counter(map(_said, form.buttons))
    known = {_said(submit), ""}
    turns = not says_page(submit)
    found = []
    for each in form.buttons:
        said = _said(each)
        # One that stands there many times belongs to the rows of something.
        sends = is_submit_type(each) or each in form.lent
        if said in known or counts[said] > 2 or not sends or _gives_up(each):
            continue
        if turns and says_page(each):
            continue  # of a wizard, it would send the form
        known.add(said)
        found.append(each)
    return found


def _said(button: Node) -> str:
    """Return the same for buttons that say the same, in any script."""
    return words.slug(_label(button)) or _label(button)


def _label(button: Node) -> str:
    return words.clean(button.name or button.get("value") or button.get("title"), 60)


def _gives_up(button: Node) -> bool:
    said = button.name.lower()
    return lexicon.CLOSE.match(said) or said.startswith(("reset", "clear"))


def _takes_away(button: Node) -> bool:
    if lexicon.FILTER.search(button.name.lower()):
        return False
    return is_destructive(action_of(button.name) or button.name)
