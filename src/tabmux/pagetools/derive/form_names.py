"""Form names: what the tools of forms are called."""

from __future__ import annotations

import re

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import Field
from tabmux.pagetools.derive.form_purpose import naming_type
from tabmux.pagetools.derive.forms import Form
from tabmux.pagetools.derive.parameters import TEXT_KINDS, parameter_name
from tabmux.pagetools.derive.single_fields import ADDING, VAGUE, single_field_names
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.foreign_verbs import foreign_action
from tabmux.pagetools.language.page_arithmetic import kind_of_record
from tabmux.pagetools.language.verbs_and_nouns import (
    KNOWN_NOUNS,
    VERBS,
    action_of,
    english_action,
    icon_action,
    noun_from_path,
)
from tabmux.pagetools.language.words import word_set

_TYPED_NAMES = {
    "login": ("log_in", "Log in"),
    "register": ("sign_up", "Create an account"),
    "recover": ("reset_password", "Reset the password"),
    "subscribe": ("subscribe", "Subscribe"),
}


_SEARCHY = word_set(
    """search find for the a an this in our your by here keyword keywords term terms query text
    site website words word enter type go please something all everything anything looking
    what are you or and of with on por par per pour dans nach na im den das der die le la el il"""
)

_NO_SEARCHED = re.compile(r"such\w*|recherch\w*|busc\w*|\d+|ctrl|k|s|q")
_MOST_SEARCHED, _LONGEST_SEARCHED = 2, 6
# What is opened is one of these, whatever it is about.
_BOXES = word_set("modal dialog form popup collapse menu panel pane tab box dropdown window id")
# What stands between the parts of a heading that says the way to it.
_TRAIL = re.compile(r"\s[»›>/→]\s")
_ARTICLES = frozenset({"a", "an", "the", "your", "my", "this"})


_REPLY = lexicon.stems(
    """reply | respond | antwort | répon | respond | rispo | resposta | antwoord | svar | vastaa
    | odpowied | odpov | válasz | răspun | ответ | відпов | отговор | απάντ | yanıt | 回复 | 回覆
    | 返信 | 답글 | phản hồi | balas"""
)


def form_tool_names(
    form: Form, submit: Node | None, query: Field | None, listing: str
) -> tuple[list[str], str]:
    """Return what the tool of a form may be called, and what it says of itself."""
    heading = form_heading(form)
    said = _said_by(submit) if submit else ""
    section = "_".join(words.words(heading)[:3])
    purpose = naming_type(form)
    if purpose in _TYPED_NAMES:
        name, says = _TYPED_NAMES[purpose]
        return [name, words.name_of(name, section)], says
    if purpose == "search":
        return _search_names(form, query, said, listing, section)
    if purpose == "cart":
        name = english_action(said) if "_" in english_action(said) else "add_to_cart"
        return [name, words.name_of(name, section)], said or "Add to cart"
    if purpose == "contact":
        return _contact_names(form, said, heading)
    return _other_names(form, submit, said, heading, listing)


def _said_by(button: Node) -> str:
    """Return what a button says; a picture that says nothing is called "Submit" by browsers."""
    if button.get("type").lower() == "image" and button.name == "Submit":
        return ""
    return words.clean(button.name or button.get("title"), 60)


def form_heading(form: Form) -> str:
    """Return what stands on a form, or closest above it."""
    found = form.node.name or _own_heading(form) or _form_title(form)
    if found and found in {each.node.value for each in form.fields}:
        return kind_of_record(form.page)  # it is what the record is called, as its field says
    found = _unless_of_record(form, found or landmarks.main_heading(form.node))
    return words.clean(_TRAIL.split(found)[-1], 60)


def _unless_of_record(form: Form, heading: str) -> str:
    """Return what a form does with a record, or what kind it is of, for what the record is called.

    Where the address has a number, the heading of the page may be the record's own title.
    """
    kind = kind_of_record(form.action) or kind_of_record(form.page)
    if not kind or form.node.name or _dialog_title(form):
        return heading
    above = [n for n in landmarks.page_headings(form.node) if n.tag in ("h1", "h2")]
    said = [landmarks.heading_words(each) for each in above]
    if heading not in said:
        return heading
    doing = [each for each in said if _is_doing(each)]
    if doing:
        return doing[-1]
    return kind if heading == said[0] and above[0].tag == "h1" else heading


def _is_of_record(form: Form) -> bool:
    """Whether what stands above a form is what its record is called, of which no kind is known."""
    held = {each.node.value for each in form.fields if each.node.value}
    return not form_heading(form) and landmarks.main_heading(form.node) in held


def _is_doing(heading: str) -> bool:
    """Whether a heading says what is done with what."""
    found = _heading_words(heading)
    return len(found) > 1 and found[0] in VERBS


def _own_heading(form: Form) -> str:
    """Return the first heading of a form; that of one of its parts is not the form's."""
    found = landmarks.heading_in(form.node, form.first_field)
    if _heads_field(form, found):
        return ""
    parts = [each for each in form.node.walk() if each.tag == "fieldset" and not each.hidden]
    if len(parts) > 1 and any(_legend(each) == found for each in parts):
        return ""
    return found


def _heads_field(form: Form, heading: str) -> bool:
    """Whether a heading is the label of one of several fields: it says what that one holds."""
    several = len(form.fields) + len(form.folded) > 1
    said = words.strip_label_marks(heading)[0]
    typed = (each.label for each in form.fields if each.kind in TEXT_KINDS)
    return several and bool(said) and said in typed


def _legend(fieldset: Node) -> str:
    return next(
        (n.name or landmarks.text_of(n) for n in fieldset.children if n.tag == "legend"), ""
    )


def _form_title(form: Form) -> str:
    return _dialog_title(form) or landmarks.heading_above(form.node, 5)


def _dialog_title(form: Form) -> str:
    """Return what is written on the dialog that a form is in."""
    for around in (form.node, *form.node.ancestors()):
        if around.role in ("dialog", "alertdialog"):
            return around.name or landmarks.heading_in(around)
    return ""


def _search_names(
    form: Form, query: Field | None, said: str, listing: str, section: str
) -> tuple[list[str], str]:
    if query is None:
        return _filter_names(form, listing, section, said)
    texts = [
        query.node.get("placeholder"),
        query.label,
        said,
        form.node.name,
        query.node.get("title"),
    ]
    for text in texts:
        if noun := _searched_noun(text):
            name = words.name_of("search", noun)
            return [name, "search", words.name_of("search", section)], text
    if lexicon.FILTER.search(query.label.lower()) and not lexicon.SEARCH.search(said.lower()):
        things = words.plural(listing) if listing not in ("", "item", "row") else section
        return [words.name_of("filter", things), "filter"], query.label
    rest = (
        words.name_of("search", words.plural(listing)) if listing not in ("", "item", "row") else ""
    )
    says = query.node.get("placeholder") or query.label or said or "Search"
    return ["search", words.name_of("search", section), rest, "search_site"], says


def _searched_noun(text: str) -> str:
    """Return what a text says is searched for; in the middle of a sentence, it is nothing."""
    plain = re.sub(r"\(.*?\)|\[.\]", "", text).split()
    searching = [lexicon.SEARCH.search(word.lower()) for word in plain]
    if not any(searching) or not (searching[0] or searching[-1] or english_action(text)):
        return ""
    found = words.words(" ".join(w for w, is_it in zip(plain, searching, strict=True) if not is_it))
    noun = [w for w in found if w not in _SEARCHY and not _NO_SEARCHED.fullmatch(w)]
    if not 0 < len(noun) <= _MOST_SEARCHED or len(found) > _LONGEST_SEARCHED:
        return ""
    if noun[-1] in KNOWN_NOUNS:
        noun[-1] = words.plural(noun[-1])
    return "_".join(noun)


def is_filter_form(form: Form) -> bool:
    """Whether a form narrows down what is listed, by choosing more than by words."""
    shown = form.evidence
    if lexicon.SEARCH.search(f"{shown.says} {shown.labels}") or shown.is_search or shown.chosen < 1:
        return False
    said = f"{shown.marks} {shown.names} {shown.says} {shown.heading}"
    return lexicon.FILTER.marked(said)


def _filter_names(form: Form, listing: str, section: str, button: str) -> tuple[list[str], str]:
    said = " ".join(f"{each.name} {each.label}" for each in form.fields).lower()
    things = words.plural(listing or "item")
    if lexicon.SORT.search(said):
        return [f"sort_{things}", "sort"], "Change the order"
    first = parameter_name(form.fields[0]) if form.fields else ""
    asks = lexicon.SEARCH.match(button.lower()) if form.evidence.typed else False
    names = [
        f"{'search' if asks else 'filter'}_{things}",
        words.name_of("filter", section),
        words.name_of("filter_by", first),
    ]
    return names, "Narrow down what is listed"


def _contact_names(form: Form, said: str, heading: str) -> tuple[list[str], str]:
    action = english_action(said)
    if action and "_" in action:
        return [action], said
    about = f"{heading} {form.evidence.marks} {form.evidence.labels}".lower()
    if re.search(r"review|rezension|bewertung|avis\b", about):
        name = "write_review"
    elif _REPLY.search(f"{heading} {said}".lower()):
        name = "post_reply"
    elif lexicon.COMMENT.search(about):
        name = "post_comment"
    else:
        name = "send_message"
    return [name, words.name_of(name, "_".join(words.words(heading)[:3]))], said or heading


def _other_names(
    form: Form, submit: Node | None, said: str, heading: str, listing: str
) -> tuple[list[str], str]:
    if single := single_field_names(form, said, listing):
        return single, said or form.fields[0].label or heading
    if opened := _opened_names(form, said):
        return opened, words.clean(form.opener.name if form.opener else said, 60)
    action = action_of(said) or _first_words(form, said) or _wordless_action(form, submit)
    titled = [word for word in _heading_words(heading) if word not in _ARTICLES]
    asks = form.method == "get" or bool(form.evidence.chosen)
    filters = action.startswith("apply_") and lexicon.FILTER.search(said.lower())
    if action in ("filter", "refine") or filters or (action == "apply" and asks):
        return [f"filter_{words.plural(listing or 'item')}", action], said
    if action in VAGUE or not action:
        verb = action if action in VERBS and action not in ("submit", "go", "ok") else ""
        return _titled_names(form, verb, titled, said), heading or said
    about = words.name_of(action, "_".join(titled[:4]))
    part = not form.fields and "_" not in action and _heads_part(form, heading)
    return [about, action] if part else [action, about], said


def _heads_part(form: Form, heading: str) -> bool:
    """Whether what stands above a form heads a part of the page, and not the page."""
    return bool(heading) and heading != words.clean(landmarks.main_heading(form.node), 60)


def _opened_names(form: Form, said: str) -> list[str]:
    """Name a form that has to be opened, and has no heading of its own, by what opens it."""
    opener = form.opener
    if (
        opener is None
        or "_" in action_of(said)
        or form.node.name
        or landmarks.heading_in(form.node)
        or _dialog_title(form)
    ):
        return []
    action = action_of(opener.name)
    if "_" in action:
        return [action]
    if action:
        return [words.name_of(action, _noun_of_target(opener, action) or _subject(form))]
    about = "_".join(words.words(opener.name)[:3])
    verb = action_of(said).partition("_")[0] or "submit"
    return [words.name_of(verb, about)] if about else []


def _noun_of_target(opener: Node, action: str) -> str:
    """Return what an opener is about, by what it calls the thing that it opens."""
    marks = ("data-bs-target", "data-target", "aria-controls", "href")
    fragment = next((each for mark in marks if (each := opener.get(mark))), "").rpartition("#")[2]
    said = [word for word in words.words(fragment) if word not in _BOXES and word != action]
    return "_".join(said) if 0 < len(said) < 3 and not any(map(str.isdigit, fragment)) else ""


def _wordless_action(form: Form, submit: Node | None) -> str:
    """Return what a button without words does: as its picture shows, or as its address says."""
    if submit is None:
        return ""
    picture = submit.get("src").rpartition("/")[2].partition("?")[0]
    if shown := icon_action(submit.icon, picture, submit.classes, submit.get("name")):
        return shown
    said = words.words(form.action.rstrip("/").rpartition("/")[2])
    return next((word for word in (said[:1] + said[-1:]) if word in VERBS), "")


def _first_words(form: Form, said: str) -> str:
    """Return the beginning of what a button says; where there is nothing else, of any length."""
    found = words.words(said)
    return "_".join(found[:4]) if len(found) < 5 or not form.fields else ""


def _heading_words(heading: str) -> list[str]:
    """Return the words of a heading; if it begins with a verb, the verb in English."""
    found = words.words(heading)
    if len(found) < 2 or found[0] in VERBS:
        return found
    verb, _ = foreign_action(heading.split(maxsplit=1)[0])
    return [verb, *found[1:]] if verb else found


def _titled_names(form: Form, verb: str, titled: list[str], said: str) -> list[str]:
    """Name a form by its heading, which says more than a button that only says "Save"."""
    if titled and titled[0] in VERBS and len(titled) < 7:
        first = "create" if titled[0] == "new" else titled[0]
        own = words.name_of(first, "_".join(titled[1:4]))
        other = words.name_of(verb or "submit", "_".join(titled[1:4]))
        clear = verb in ("create", "add", "search", "find", "post") and len(titled) > 1
        return [other, own] if clear else [own, other]
    noun = "_".join(titled[:3]) if 0 < len(titled) < 7 else ""
    noun = noun or _subject(form)
    if verb and _is_of_record(form):
        return [verb, words.name_of(verb, noun)]
    if verb in ADDING and words.singular(noun) in KNOWN_NOUNS:
        noun = words.singular(noun)
    return [words.name_of(verb or "submit", noun or "form")]


def _subject(form: Form) -> str:
    """Return what a form is about, by its id or its first field."""
    if form_heading(form) and (noun := noun_from_path(form.action)):
        return noun  # a heading whose letters cannot be written in Latin
    ident = words.slug(form.node.get("id") or form.node.get("name"))
    ident = re.sub(r"_?(form|frm)_?", "_", ident).strip("_")
    if form.is_form and ident and not re.search(r"\d", ident):
        return "_".join(ident.split("_")[:3])
    return parameter_name(form.fields[0]) if form.fields else ""
