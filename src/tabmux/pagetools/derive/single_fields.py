"""Single fields: what forms are called that are one choice, one tick or one line of text."""

from __future__ import annotations

import re
from itertools import pairwise

from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import Field
from tabmux.pagetools.derive.form_controls import ticks_all
from tabmux.pagetools.derive.forms import Form
from tabmux.pagetools.derive.parameters import parameter_name
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.page_arithmetic import page_number
from tabmux.pagetools.language.verbs_and_nouns import action_of
from tabmux.pagetools.language.words import word_set

VAGUE = word_set(
    """submit ok go send save apply continue next update add create confirm search set change
    enter post done find show filter start finish yes proceed select refresh view"""
)
MOST_WORDS = 3
ADDING = frozenset({"new", "add", "create"})
# What a field is called that says nothing of what it is for.
_DULL_KEYS = word_set("value field select option choice input radio item id s data")
_SHORTEST_KEY = 3
# What is typed into a line of its own is looked for, or gone to.
_LINE_VERBS = frozenset({"search", "find", "filter", "go", "jump", "open"})
# What a button says that does what was chosen beside it.
_DOING_WHAT_IS_CHOSEN = frozenset(
    {"apply", "go", "run", "execute", "submit", "ok", "confirm", "do"}
)
_LANGUAGE = re.compile(r"\blang(?:uage)?\b|\blocale\b|sprache|langue|idioma|lingua", re.IGNORECASE)
_ACTION_NAME = re.compile(
    r"(?:^|[^a-z])(?:bulk|mass|batch)?[-_]?(?:action|operation|op|cmd|command)s?\d*(?:$|[^a-z])"
)
_ALL = re.compile(r"\b(toggle|check|select|mark|complete)[-_ ]?all\b")


def single_field_names(form: Form, said: str, listing: str) -> list[str]:
    """Name a form that is one choice, or one line of text."""
    if len(form.fields) != 1:
        return []
    only = form.fields[0]
    if only.kind == "checkboxes" and not said:
        heading = landmarks.heading_above(only.node, 3)
        about = "_".join(words.words(heading)[:3]) or parameter_name(only)
        return [words.name_of("set", about)]
    if only.kind in ("select", "radio", "listbox"):
        return _choice_names(only, form, said, listing)
    if said:
        return []
    if ticks_all(only.node):
        things = words.plural(listing or "row")
        return [words.name_of("select_all", things), "select_all"]
    if only.kind == "checkbox" and (
        found := _ALL.search(f"{only.node.classes} {only.label}".lower())
    ):
        return ["select_all" if found[1] == "select" else "toggle_all"]
    if only.kind in ("checkbox", "range", "number"):
        key = parameter_name(only)
        noun = re.sub(r"^(?:toggle|set)_|_(?:input|checkbox|toggle|field)$", "", key)
        return [words.name_of("toggle" if only.kind == "checkbox" else "set", noun)]
    return _line_names(only)


def _choice_names(only: Field, form: Form, said: str, listing: str) -> list[str]:
    """Name a form that is one choice."""
    about = f"{only.name} {only.label} {form.node.classes}".lower()
    key, action = parameter_name(only), action_of(said)
    if said and _are_actions(only) and (not action or action in _DOING_WHAT_IS_CHOSEN):
        things = words.plural(listing) if listing not in ("", "item", "row") else ""
        return [words.name_of("apply_action", things and f"to_{things}")]
    if _LANGUAGE.search(about.replace("_", " ")):
        return ["set_language"]
    if lexicon.SORT.search(about):
        return [f"sort_{words.plural(listing or 'item')}", "sort"]
    if _are_pages(only):
        return ["go_to_page"]
    if (
        (key in _DULL_KEYS or len(key) < _SHORTEST_KEY)
        and 0 < len(words.words(said)) <= MOST_WORDS
        and not action
    ):
        return [words.name_of(words.slug(said))]
    return [words.name_of("set", key)] if not action or action in VAGUE else []


def _are_actions(only: Field) -> bool:
    """Whether what can be chosen are things to do, as with what is ticked in a list."""
    own = _ACTION_NAME.search(only.name.lower()) is not None
    acting = sum(bool(action_of(option.label)) for option in only.options)
    return own or 2 * acting > len(only.options)


def _are_pages(only: Field) -> bool:
    """Whether what can be chosen are the numbers of pages, one after the other."""
    labels = [option.label for option in only.options]
    if len(labels) < 2 or labels != [str(number) for number in range(1, len(labels) + 1)]:
        return False
    return page_number(f"?{only.name}=1") is not None


def _line_names(only: Field) -> list[str]:
    """Name a line of text that Enter sends: most often it adds to the list below it."""
    said = words.words(f"{only.node.classes} {only.label} {only.name}")
    action = action_of(only.label)
    if "_" in action and action.partition("_")[0] in _LINE_VERBS:
        return [action]
    marks = [word for word in said if word not in ("a", "an", "the", "your", "my")]
    for verb, noun in pairwise([*marks, ""]):
        if verb in ADDING and noun and noun not in ADDING | {"input", "field", "text"}:
            return [f"add_{words.singular(noun)}"]
    return [words.name_of("set", parameter_name(only))]
