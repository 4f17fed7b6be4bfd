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
from tabmux.pagetools.derive.form_types import Evidence, FormType, form_type
from tabmux.pagetools.derive.parameters import TEXT_KINDS
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.verbs_and_nouns import action_of
from tabmux.pagetools.language.words import word_set

MOST_GROUP_FIELDS = 10
MOST_FOLDED_FIELDS = 20
MOST_LEVELS = 6
_STOPS = frozenset(
    {"listitem", "row", "dialog", "alertdialog", "main", "navigation", "banner", "contentinfo"}
)
# Who presses one of these is not done with the form.
_INTERMEDIATE_VERBS = word_set(
    """preview verify check validate view show back previous delete remove upload browse test
    reload refresh load calculate help choose toggle forgot log_out logout skip"""
)
# What is chosen and not typed, and what a button says that does what was chosen.
_CHOSEN_KINDS = frozenset({"select", "checkbox", "radio", "range", "listbox"})
_CHOOSING_VERBS = word_set(
    """submit ok go apply set save update change filter show view select choose confirm send switch
    load run execute continue next start add search find sort order move assign accept agree sign
    buy book vote answer check finish done create generate calculate convert play log sign_in"""
)
# What a button outside of a form says that sends it, and what it says that only keeps it.
_SENDING_VERBS = word_set("send submit publish post create")
_KEEPING_VERBS = word_set("save update apply")
MOST_LENT = 3
_MOST_LINES = 2
_SHOWING_VERBS = frozenset({"show", "view", "load", "refresh", "calculate", "check"})
# Buttons that count a field up or down.
_STEPS = frozenset("+-−–＋➕➖")
_BUTTON_TYPES = frozenset({"submit", "image", "button", "reset"})


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


def is_button(node: Node) -> bool:
    """Whether it is there to be pressed."""
    found = node.button
    if found is None:
        found = node.button = _is_pressed(node)
    return found


def _is_pressed(node: Node) -> bool:
    if node.tag == "input":
        return node.get("type").lower() in _BUTTON_TYPES
    return (node.tag == "button" and not kind_of(node)) or (
        node.role == "button" and node.tag != "summary"
    )


def _is_commit_button(node: Node) -> bool:
    """Without a form, a link that looks like a button may be what ends it."""
    if node.role == "link":
        return bool(action_of(node.name)) and is_script_link(node)
    if node.role == "generic":  # the mouse is a hand over it
        return bool(action_of(node.name))
    return is_button(node) and not node.get("aria-haspopup") and node.name not in _STEPS


def is_script_link(node: Node) -> bool:
    """Whether a link leads nowhere, so that a script does what it says."""
    href = node.get("href")
    return (
        href == "#" or href.startswith("javascript:") or (not href and "onclick" in node.attributes)
    )


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
    return found + _group_loose_fields(loose, document, lists, [*lists, *listed])


def _ticks_of_all(document: DocumentTree) -> list[Form]:
    """Return the ticks in the heads of tables, each by itself."""
    ticks = [n for n in document.nodes.usable.all if ticks_all(n) and not n.hidden]
    return [_make_form(n, [n], document, is_form=False) for n in ticks if not n.has("d")]


def _is_sent(nodes: Sequence[Node]) -> bool:
    """Whether a form has anything to send: buttons that send nothing only stand in it."""
    return any(kind_of(n) or is_submit_type(n) or n.role == "link" for n in nodes)


def ticks_all(node: Node) -> bool:
    """Whether it is the tick in the head of a table, which ticks all rows and is no field."""
    if kind_of(node) != "checkbox" or node.get("type") not in ("checkbox", ""):
        return False
    if not node.form and lexicon.ALL_OF_THEM.search(node.name.lower()):
        return True
    return any(_heads_columns(each) for each in node.near(3))


def _heads_columns(node: Node) -> bool:
    if node.tag == "th" or node.role == "columnheader":
        return node.role != "rowheader"
    return node.tag == "thead"


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
    ending.sort(key=lambda node: _verb_of(node) in _KEEPING_VERBS)
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
    return _verb_of(button) in _SENDING_VERBS | _KEEPING_VERBS


def _verb_of(button: Node) -> str:
    return action_of(button.name or button.get("title")).partition("_")[0]


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
    buttons = [n for n in nodes if _is_commit_button(n) and not n.has("d")]
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


def _group_loose_fields(
    loose: Iterable[Node],
    document: DocumentTree,
    lists: Sequence[Node],
    listed: Sequence[Node],
) -> list[Form]:
    """Put fields without a form together with the closest button."""
    holders: dict[Node, list[Node]] = {}
    shared = _shared_holders(loose)
    for node in loose:
        if node.hidden or is_disclosure_checkbox(node):
            continue
        holder = _common_container(node, lists, listed)
        holder = shared.get(node.ref, holder) if holder is node else holder
        holders.setdefault(holder, []).append(node)
    made = []
    for holder, nodes in holders.items():
        commits = [n for n in _commits(holder) if not n.form and not _turns_pages(n, nodes)]
        buttons = _commits_after(nodes, _after_lines(nodes, commits))
        made.append(
            _make_form(
                holder,
                [*nodes, *buttons] if holder not in nodes else nodes,
                document,
                is_form=False,
            )
        )
    return made


def _is_chosen(node: Node) -> bool:
    """Whether it is chosen from; a box that opens a list is, if nothing can be typed into it."""
    kind = kind_of(node)
    return kind in _CHOSEN_KINDS or (kind == "combobox" and node.tag not in ("input", "textarea"))


def _after_lines(fields: Sequence[Node], buttons: list[Node]) -> list[Node]:
    """Leave out what stands before one or two fields: in a bar, it is something else."""
    if len(fields) > _MOST_LINES or all(map(_is_chosen, fields)):
        return buttons
    return [each for each in buttons if each.place > fields[0].place]


def _shared_holders(loose: Iterable[Node]) -> dict[int, Node]:
    """Return what holds the ticks of one name together, by each of them."""
    named: dict[str, list[Node]] = {}
    for node in loose:
        if kind_of(node) in ("checkbox", "radio") and node.get("name") and not node.hidden:
            named.setdefault(node.get("name"), []).append(node)
    found: dict[int, Node] = {}
    for alike in named.values():
        around = [each for each in alike[0].near(4) if all(n.within(each) for n in alike)]
        if len(alike) > 1 and around:
            found |= {node.ref: alike[0] for node in alike}
    return found


def _turns_pages(button: Node, fields: Sequence[Node]) -> bool:
    """Whether beside the choice of how many are shown a button turns pages."""
    said = button.name.lower()
    if len(fields) != 1 or not (lexicon.NEXT.search(said) or lexicon.PREVIOUS.search(said)):
        return False
    shown = [text for text, _, state in fields[0].options if "c" in state]
    return any(text.strip().isdecimal() for text in (*shown, *_texts(fields[0]), fields[0].name))


def _texts(node: Node) -> list[str]:
    return [part for part in node.parts if isinstance(part, str)]


def _commits_after(fields: Sequence[Node], buttons: list[Node]) -> list[Node]:
    """Return the buttons that end a group of fields.

    What only chooses works by itself, unless a button after it does what was chosen.
    """
    if not all(map(_is_chosen, fields)):
        return buttons
    after = [each for each in buttons if each.place > fields[0].place]
    told = [each for each in after if _does_what_is_chosen(each)]
    if told or len(after) != 1:
        return told
    return [each for each in after if not action_of(each.name)]


def _does_what_is_chosen(button: Node) -> bool:
    verb = action_of(button.name).partition("_")[0] or (words.words(button.name) or [""])[0]
    return verb in _CHOOSING_VERBS or lexicon.SEARCH.search(button.name.lower())


def _commits(place: Node) -> list[Node]:
    """Return what may end a group of fields: buttons, or else what is pressed and says so."""
    found = [n for n in place.usable() if _is_commit_button(n) and not n.hidden]
    return found or [
        n
        for n in place.walk()
        if n.role == "generic" and not n.hidden and not n.children and action_of(n.name)
    ]


def _common_container(node: Node, lists: Sequence[Node], listed: Sequence[Node]) -> Node:
    """Climb to the first place that has a button and not too many fields."""
    at = node
    for around in node.near(MOST_LEVELS):
        inside = around.usable()
        if around.tag == "#document" or sum(bool(kind_of(n)) for n in inside) > MOST_GROUP_FIELDS:
            break
        if any(each.within(around) for each in lists):
            break
        if _commits(around):
            return around
        entry = around.role in ("row", "listitem")
        if entry and not any(around.within(each) for each in listed):
            continue
        if around.role in _STOPS:
            return around if around.role in ("dialog", "alertdialog") else at
    return at if kind_of(node) else node


def is_disclosure_checkbox(node: Node) -> bool:
    """A checkbox without a form that only opens something is no field."""
    if node.get("type") != "checkbox" or node.form:
        return False
    if any(each.tag == "tr" for each in node.near(1)):
        return False  # it ticks the row
    beside = node.parent.children if node.parent is not None else []
    if not node.origin and any(each.role == "link" for each in beside):
        return True  # the link does what the box only shows
    said = f"{node.classes} {node.get('name')}".lower()
    return (
        bool(node.get("aria-haspopup")) or "hack" in said or "menu" in said or "toggle-nav" in said
    )


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
    sending = [each for each in usable if _verb_of(each) in _SENDING_VERBS]
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
    return asks and _verb_of(button) in _SHOWING_VERBS


def _is_intermediate(button: Node) -> bool:
    """Whether who presses it is not done with the form, in any language."""
    said, verb = button.name.lower(), action_of(button.name).partition("_")[0]
    first = (words.words(button.name) or [""])[0]
    goes_back = lexicon.PREVIOUS.match(said) or lexicon.PREVIEW.search(said)
    return bool({first, verb} & _INTERMEDIATE_VERBS) or goes_back


def is_submit_type(button: Node) -> bool:
    """Whether pressing it sends its form, whatever scripts do."""
    kind = button.get("type").lower()
    return kind in ("submit", "image") or (
        button.tag == "button" and kind not in ("button", "reset")
    )


def enter_field(form: Form) -> Node | None:
    """Return the field in which Enter sends a form that has no button."""
    typed = [
        each.node for each in form.fields if each.kind in TEXT_KINDS and each.kind != "textarea"
    ]
    return typed[-1] if typed else None
