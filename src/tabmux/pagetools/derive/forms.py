"""Forms: finds forms, and fields that belong together without one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from tabmux.page_text import url_parts
from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import Field, fields, kind_of
from tabmux.pagetools.derive.form_controls import (
    is_button,
    is_commit_button,
    is_script_link,
    is_submit_type,
    ticks_all,
    verb_of,
)
from tabmux.pagetools.derive.form_types import Evidence, FormType, form_type
from tabmux.pagetools.derive.loose_fields import MOST_GROUP_FIELDS, loose_groups
from tabmux.pagetools.derive.parameters import TEXT_KINDS
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.verbs_and_nouns import action_of
from tabmux.pagetools.language.words import word_set

MOST_FOLDED_FIELDS = 20
# Who presses one of these is not done with the form.
_INTERMEDIATE_VERBS = word_set(
    """preview verify check validate view show back previous delete remove upload browse test
    reload refresh load calculate help choose toggle forgot log_out logout skip"""
)
# What a button outside of a form says that sends it, and what it says that only keeps it.
_SENDING_VERBS = word_set("send submit publish post create")
_KEEPING_VERBS = word_set("save update apply")
MOST_LENT = 3
_SHOWING_VERBS = frozenset({"show", "view", "load", "refresh", "calculate", "check"})


@dataclass(eq=False)
class Form:
    """Fields that are filled together, and the buttons that go with them."""

    node: Node
    fields: list[Field]
    buttons: list[Node]
    title: str = ""
    is_form: bool = True
    nodes: list[Node] = field(default_factory=list)
    # What has to be opened before it shows.
    opener: Node | None = None
    # The address of its page.
    page: str = ""
    # Whether it does something with what is ticked in a list.
    bulk: bool = False
    # Fields that do not show before a part of the form is opened.
    folded: list[Field] = field(default_factory=list)
    # The form that this is a part of, if it is only a part.
    whole: Node | None = None
    # Buttons of the page that send it, as it has none of its own.
    lent: list[Node] = field(default_factory=list)

    @property
    def method(self) -> str:
        """How it is sent."""
        return (self.tag.get("method") or "get").lower() if self.is_form else "post"

    @property
    def tag(self) -> Node:
        """The element that is sent."""
        return self.whole or self.node

    @property
    def action(self) -> str:
        """Where it is sent, without what differs from one to the next."""
        return url_parts(self.tag.get("action")).path if self.is_form else ""

    @property
    def takes_opener(self) -> bool:
        """Whether it stands for the button that opens it, which says what it does."""
        opener = self.opener
        return opener is not None and opener.role != "tab" and bool(action_of(opener.name))

    @cached_property
    def heading(self) -> str:
        """What stands above it, or on it."""
        return (
            self.node.name
            or landmarks.heading_in(self.node, self.first_field)
            or landmarks.heading_above(self.node, 4)
        )

    @property
    def first_field(self) -> Node | None:
        """The field that stands first in it."""
        return self.fields[0].node if self.fields else None

    @cached_property
    def evidence(self) -> Evidence:
        """What it shows of itself."""
        return _evidence(self)

    @cached_property
    def type(self) -> FormType:
        """What it is for."""
        return form_type(self.evidence)

    @cached_property
    def submit(self) -> Node | None:
        """The button that a user would press to send it."""
        return _submit_button(self)


def forms(
    document: DocumentTree,
    *,
    lists: Sequence[Node] = (),
    listed: Sequence[Node] = (),
    folded: Mapping[int, Node] = MappingProxyType({}),
    hidden: bool = False,
) -> list[Form]:
    """Return the forms of a document, and groups of fields that are in none.

    Args:
        document: The document.
        lists: Where entries with buttons of their own are; what is beyond them is for them.
        listed: Where entries of any kind are; what is in one of them is the entry's.
        folded: What has to be opened before a hidden element shows, by the element.
        hidden: Whether fields that cannot be seen count.
    """
    tags = {node.ref: node for node in document.nodes if node.tag == "form"}
    inside: dict[int, list[Node]] = {ref: [] for ref in tags}
    closed: dict[int, list[Node]] = {}
    loose: list[Node] = []
    for node in document.nodes.usable.all:
        if not (kind_of(node) or is_button(node)) or ticks_all(node):
            continue
        owner = _form_ref(node, tags)
        if node.hidden and not hidden:
            if owner and node.ref in folded:
                closed.setdefault(owner, []).append(node)
            continue
        if owner:
            inside[owner].append(node)
        elif kind_of(node):
            loose.append(node)
    for ref, nodes in inside.items():
        if nodes and not any(map(is_button, nodes)):
            nodes += _script_buttons(tags[ref])
    found = [
        _make_form(tags[ref], nodes, document) for ref, nodes in inside.items() if _is_sent(nodes)
    ]
    for form in found:
        form.folded = _folded_fields(closed.get(form.node.ref, ()), folded)
    _lend_buttons(found, document)
    found += _folded_forms(document, tags, inside, closed, folded)
    found += _ticks_of_all(document)
    return found + _loose_forms(loose, document, lists, [*lists, *listed])


def _ticks_of_all(document: DocumentTree) -> list[Form]:
    """Return the ticks in the heads of tables, each by itself."""
    ticks = [n for n in document.nodes.usable.all if ticks_all(n) and not n.hidden]
    return [_make_form(n, [n], document, is_form=False) for n in ticks if not n.has("d")]


def _is_sent(nodes: Sequence[Node]) -> bool:
    """Whether a form has anything to send: buttons that send nothing only stand in it."""
    return any(kind_of(n) or is_submit_type(n) or n.role == "link" for n in nodes)


def _lend_buttons(found: Sequence[Form], document: DocumentTree) -> None:
    """Give the only form without a button what the page has to save or send it.

    Applications have their buttons in a bar above or below, whatever the form is.
    """
    bare = [each for each in found if _wants_button(each)]
    if len(bare) != 1:
        return
    inside = [each.node for each in found]
    ending = [
        node
        for node in document.nodes.usable.all
        if (is_button(node) or (node.role == "link" and is_script_link(node)))
        and _ends_form(node)
        and not any(node.within(each) for each in inside)
    ]
    ending.sort(key=lambda node: verb_of(node) in _KEEPING_VERBS)
    # What says so again and again is done with the entries of a list.
    if 0 < len({node.name for node in ending}) == len(ending) <= MOST_LENT:
        bare[0].lent = ending
        bare[0].buttons = [*bare[0].buttons, *ending]
        bare[0].nodes = [*bare[0].nodes, *ending]


def _wants_button(form: Form) -> bool:
    typed = [each for each in form.fields if each.kind in TEXT_KINDS and each.kind != "search"]
    return form.method == "post" and bool(typed) and not form.buttons


def _ends_form(button: Node) -> bool:
    if button.hidden or button.has("d") or button.get("aria-haspopup"):
        return False
    if landmarks.landmarks_around(button) & landmarks.SITE_LANDMARKS:
        return False
    return verb_of(button) in _SENDING_VERBS | _KEEPING_VERBS


def _script_buttons(form: Node) -> list[Node]:
    """Return the links of a form that lead nowhere and say what they do, as buttons would."""
    links = (each for each in form.links() if not each.hidden and is_script_link(each))
    return [each for each in links if action_of(each.name)]


def _folded_fields(nodes: Sequence[Node], folded: Mapping[int, Node]) -> list[Field]:
    """Return the fields of a form in what is closed now; none of them has to be filled.

    A part with a button that sends the form is sent by that, and is another thing to do.
    """
    apart = {folded[node.ref].ref for node in nodes if is_button(node) and is_submit_type(node)}
    own = [node for node in nodes if folded[node.ref].ref not in apart]
    found = fields(own)[:MOST_FOLDED_FIELDS]
    for each in found:
        each.opener, each.required = folded[each.node.ref], False
    return found


def _folded_forms(
    document: DocumentTree,
    tags: Mapping[int, Node],
    inside: Mapping[int, list[Node]],
    closed: Mapping[int, list[Node]],
    folded: Mapping[int, Node],
) -> list[Form]:
    """Return the forms of which nothing shows before something is opened."""
    found = []
    for ref, nodes in closed.items():
        made = _make_form(tags[ref], nodes, document)
        if not inside[ref] and 0 < len(made.fields) <= MOST_GROUP_FIELDS:
            made.opener = folded[nodes[0].ref]
            found.append(made)
    return found


def _form_ref(node: Node, tags: dict[int, Node]) -> int:
    if node.form in tags:
        return node.form
    if node.tag in ("input", "select", "textarea", "button"):
        return 0
    return next((each.ref for each in node.ancestors() if each.tag == "form"), 0)


def _make_form(
    node: Node, nodes: list[Node], document: DocumentTree, *, is_form: bool = True
) -> Form:
    buttons = [n for n in nodes if is_commit_button(n) and not n.has("d")]
    made = Form(node, fields(nodes), buttons, document.title, is_form, nodes)
    made.page = document.url
    return made


def _evidence(form: Form) -> Evidence:
    node = form.node
    says = " ".join(f"{each.name} {each.get('value')} {each.get('title')}" for each in form.buttons)
    if not says.strip():
        says = " ".join(f"{each.icon} {each.classes}" for each in form.buttons)
    around = next(iter(node.ancestors()), None)
    near = around.classes if around is not None and len(around.children) == 1 else ""
    marks = f"{node.classes} {node.get('name')} {form.tag.get('action')} {near}"
    labels = " ".join(f"{each.label} {each.node.get('placeholder')}" for each in form.fields)
    is_search = node.role == "search" or any(each.role == "search" for each in node.ancestors())
    return Evidence(
        form.fields,
        form.method,
        says.lower(),
        marks.lower(),
        form.heading.lower(),
        labels.lower(),
        form.title.lower(),
        is_search,
    )


def _loose_forms(
    loose: Iterable[Node],
    document: DocumentTree,
    lists: Sequence[Node],
    listed: Sequence[Node],
) -> list[Form]:
    """Make forms of fields without one, and the buttons that send them."""
    return [
        _make_form(holder, nodes, document, is_form=False)
        for holder, nodes in loose_groups(loose, lists, listed)
    ]


def _submit_button(form: Form) -> Node | None:
    usable = [
        each
        for each in form.buttons
        if each.get("type").lower() != "reset"
        and not lexicon.CLOSE.match(each.name.lower())
        and not lexicon.RESET.match(each.name.lower())
    ]
    usable = usable or [each for each in form.buttons if _closes_something(form, each)]
    if not usable:
        return None
    if not form.is_form and form.type == "search":
        usable = [each for each in usable if _says_search(each)]
        return usable[0] if usable else None
    final = [each for each in usable if not _is_intermediate(each) or _shows_results(form, each)]
    usable = final or usable
    if len(usable) == 1:
        return usable[0]
    heading = words.words(form.heading)
    for each in usable:
        said = words.words(each.name)
        if said and said == heading[: len(said)]:
            return each
    sends = [each for each in usable if is_submit_type(each) or each in form.lent]
    if form.is_form and sends:
        return sends[0]
    primary = [each for each in usable if "primary" in each.classes.lower()]
    sending = [each for each in usable if verb_of(each) in _SENDING_VERBS]
    last = max((each.node.place for each in form.fields), default=0)
    after = [each for each in usable if each.place > last]
    return (primary or sending or after or usable)[0]


def _closes_something(form: Form, button: Node) -> bool:
    """Whether a button sends a form to close what it says, and does not only leave the form."""
    return form.is_form and is_submit_type(button) and "_" in action_of(button.name)


def _says_search(button: Node) -> bool:
    said = f"{button.name} {button.icon} {button.classes}".lower()
    return lexicon.SEARCH.search(said) or lexicon.FILTER.match(button.name.lower())


def _shows_results(form: Form, button: Node) -> bool:
    """Whether a button asks for what is to be seen: who changes nothing is done then."""
    asks = form.is_form and form.method == "get" and is_submit_type(button)
    return asks and verb_of(button) in _SHOWING_VERBS


def _is_intermediate(button: Node) -> bool:
    """Whether who presses it is not done with the form, in any language."""
    said, verb = button.name.lower(), action_of(button.name).partition("_")[0]
    first = (words.words(button.name) or [""])[0]
    goes_back = lexicon.PREVIOUS.match(said) or lexicon.PREVIEW.search(said)
    return bool({first, verb} & _INTERMEDIATE_VERBS) or goes_back


def enter_field(form: Form) -> Node | None:
    """Return the field in which Enter sends a form that has no button."""
    typed = [
        each.node for each in form.fields if each.kind in TEXT_KINDS and each.kind != "textarea"
    ]
    return typed[-1] if typed else None
