"""Form purpose: what a form's tool may be named after, which takes more than a likely type."""

from __future__ import annotations

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive.form_types import Evidence, FormType
from tabmux.pagetools.derive.forms import Form
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.foreign_verbs import foreign_action
from tabmux.pagetools.language.verbs_and_nouns import action_of
from tabmux.pagetools.language.words import word_set

# Who presses one of these keeps something, and neither joins nor writes to anybody.
_KEEPING_VERBS = word_set(
    """save update change edit add create delete remove apply upload import export install set
    rename move assign invite generate test run execute configure modify publish merge commit
    replace schedule start store insert new copy duplicate grant build"""
)
_MAKING = frozenset({"new", "create", "add", "open"})
_MESSAGES = frozenset({"message", "mail", "email", "contact", "comment", "reply", "feedback"})
_MOST_WORDS, _LONGEST_LABEL = 4, 24
_ACCOUNT_TYPES = frozenset({"login", "register", "recover"})
_LEAVING = frozenset({"log_out", "logout", "log_off", "sign_out", "signout"})
_ADDRESSED = ("send", "submit", "post", "reply", "comment", "contact", "ask", "write", "leave")


def naming_type(form: Form) -> FormType:
    """Return the type that a form is named after, or `other` if its own words tell more."""
    found, shown = form.type, form.evidence
    if found in ("other", "cart"):
        return found
    verb = _verb(form)
    if verb in _KEEPING_VERBS and not _is_said(found, shown):
        return "other"
    if found in _ACCOUNT_TYPES and _is_known_person(form):
        return "other"
    if found in ("subscribe", "register", "contact") and _says_more(form, found):
        return "other"
    if found == "contact" and (not _is_addressed(verb, shown) or _is_creating(form.heading)):
        return "other"
    return found


def _says_more(form: Form, found: FormType) -> bool:
    """Whether a button says what it does with what, and that is nothing of the type."""
    button = form.submit
    said = words.clean(button.name or button.get("title"), 60) if button is not None else ""
    action, shown = action_of(said), form.evidence
    noun = action.partition("_")[2]
    if not noun or noun in ("now", "me", "up", "in") or len(words.words(said)) > _MOST_WORDS:
        return False
    about = said.lower()
    if found == "subscribe":
        return not lexicon.SUBSCRIBE.marked(f"{about} {shown.heading} {shown.marks}")
    if found == "register":
        return not shown.passwords and not lexicon.REGISTER.search(about)
    return not (
        lexicon.CONTACT.search(about)
        or lexicon.COMMENT.search(about)
        or _MESSAGES & set(words.words(said))
    )


def _is_known_person(form: Form) -> bool:
    """Whether somebody is logged in: who can log out neither logs in nor signs up."""
    return any(_logs_out(each) for each in form.node.elements.usable.all)


def _logs_out(node: Node) -> bool:
    if node.name and len(node.name) <= _LONGEST_LABEL:
        return action_of(node.name) in _LEAVING
    return False


def _verb(form: Form) -> str:
    button = form.submit
    said = action_of(button.name or button.get("title")) if button is not None else ""
    return said.partition("_")[0]


def _is_creating(heading: str) -> bool:
    """Whether a heading says that something new is made, other than a message."""
    found = words.words(heading)
    if not 1 < len(found) <= _MOST_WORDS or lexicon.COMMENT.search(heading.lower()):
        return False
    first = found[0] if found[0] in _MAKING else foreign_action(heading.split(maxsplit=1)[0])[0]
    return first in _MAKING and not _MESSAGES & set(found)


def _is_said(found: FormType, shown: Evidence) -> bool:
    """Whether the button itself says what the form is for, beside its verb."""
    own = {
        "register": lexicon.REGISTER, "login": lexicon.LOGIN, "subscribe": lexicon.SUBSCRIBE,
        "search": lexicon.SEARCH, "contact": lexicon.COMMENT,
    }.get(found)  # fmt: skip
    if own is None:
        return False
    if own.search(shown.says):
        return True
    # A sign-up page says so above its form, whatever its button says.
    return (
        found == "register" and own.search(shown.heading) and "add" not in words.words(shown.says)
    )


def _is_addressed(verb: str, shown: Evidence) -> bool:
    """Whether somebody else is written to: a text area alone may be anything."""
    about = f"{shown.says} {shown.heading} {shown.marks}"
    if lexicon.CONTACT.marked(about) or verb in _ADDRESSED:
        return True
    return bool(shown.emails) and not verb
