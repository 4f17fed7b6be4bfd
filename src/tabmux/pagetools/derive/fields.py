"""Fields: the fields of forms, their labels, kinds and options."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.parameters import TEXT_KINDS, field_schema, name_slug, parameter_name
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.model import CONFIRM, Option, ToolControl

_ROLES = {
    "textbox": "editable", "searchbox": "editable", "combobox": "combobox", "checkbox": "checkbox",
    "switch": "checkbox", "radio": "radio", "slider": "range", "spinbutton": "number",
    "listbox": "listbox",
}  # fmt: skip
_BUTTONS = frozenset({"submit", "button", "reset", "image"})
# A box of this class alone is there to be hidden, also where its style sheet is missing.
_HIDING_CLASSES = frozenset(
    {"hidden", "hide", "none", "invisible", "offscreen", "off-screen", "visually-hidden",
     "d-none", "sr-only", "visuallyhidden", "screen-reader-text", "is-hidden", "hp", "honeypot"}
)  # fmt: skip
_SHOWN_AGAIN = re.compile(r"^(?:d|display)-(?:sm|md|lg|xl)-")
_PLACEHOLDER = re.compile(
    r"^(?:[-–—.…\s]*|[-–—\s]*(?:please )?(?:select|choose|pick|bitte|auswählen|wählen|"
    r"choisi|sélection|"
    r"seleccion|selecione|selecciona|elige|elija|escolha|scegli|seleziona|kies|selecteer|"
    r"välj|vælg|velg|"
    r"wybierz|vyber|válassz|alege|выбер|выбрать|оберіть|seç|请选择|選択|선택|no selection|"
    r"none selected)"
    r"(?:(?!\d).){0,60})$",
    re.IGNORECASE,
)
# What a field may hold, shown in it while it is empty, does not say what it is.
_EXAMPLE = re.compile(r"\s*(?:https?://|www\.|[\w.+-]+@[\w-]+\.)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
# A name with a long hexadecimal number in it was made by a program, and says nothing.
_HASH = re.compile(r"(?=[a-f]*\d)[0-9a-f]{12,}")


@dataclass
class Field:
    """A control of the page, or several that make up one, and what it becomes."""

    node: Node
    kind: str
    label: str
    required: bool = False
    secret: bool = False
    options: tuple[Option, ...] = ()
    nodes: list[Node] = field(default_factory=list)
    # What has to be opened before it shows.
    opener: Node | None = None

    @property
    def name(self) -> str:
        """What the page itself calls it."""
        return self.node.get("name") or self.node.get("id")

    @property
    def about(self) -> str:
        """Everything that is written on it, in lower case."""
        node = self.node
        return " ".join(
            (self.label, node.get("placeholder"), node.get("title"), self.name, node.get("id"))
        ).lower()


def kind_of(node: Node) -> str:
    """Return which kind of field a node is, or nothing."""
    found = node.kind
    if found is None:
        found = node.kind = _find_kind(node)
    return found


def _find_kind(node: Node) -> str:
    if node.tag == "input":
        kind = (node.get("type") or "text").lower()
        if kind in _BUTTONS or kind == "hidden":
            return ""
        if node.role == "combobox" and not node.get("list"):
            return "combobox"
        return kind if kind in TEXT_KINDS or kind in ("checkbox", "radio", "file") else "text"
    if node.tag in ("select", "textarea"):
        return node.tag
    if node.tag == "button" and node.role not in ("checkbox", "switch", "radio", "combobox"):
        return ""
    if node.tag not in ("a", "summary", "option"):
        editable = node.attributes.get("contenteditable", "false") != "false"
        return _ROLES.get(node.role, "editable" if editable else "")
    return ""


def is_honeypot(node: Node) -> bool:
    """Whether a field is there to catch programs that fill everything."""
    if node.get("type") in ("checkbox", "radio", "password"):
        return False
    marks = f"{node.get('name')} {node.get('id')} {node.classes}".lower()
    said = f"{node.name} {node.get('nearby')}".lower()
    if lexicon.HONEYPOT.search(marks) or _wants_nothing(said):
        return True
    if lexicon.SHORT_HONEYPOT.search(marks) and not said.strip():
        return True
    if kind_of(node) not in TEXT_KINDS:
        return False
    around = [each for each in node.near(2) if each.tag not in ("form", "#document")]
    boxes = " ".join(each.classes.lower() for each in around if len(each.usable()) <= 2)
    if lexicon.HONEYPOT.search(boxes):
        return True
    # Where nothing says what to type, a box that is there to be hidden is enough.
    return not node.name and ("honey" in marks or _is_for_hiding(boxes.split()))


def _wants_nothing(said: str) -> bool:
    """Whether what is written on a field keeps people from filling it, and says nothing else.

    "Leave empty for no limit", or beside what is to be typed, is advice.
    """
    if lexicon.MEANT_FOR_PROGRAMS.search(said):
        return True
    rest, found = lexicon.LEAVE_EMPTY.subn(" ", said)
    return bool(found) and lexicon.EMPTY_FILLERS.issuperset(_WORD.findall(rest))


def _is_for_hiding(classes: Sequence[str]) -> bool:
    """Whether classes hide a box, and not only on some screens."""
    if any(":" in each or _SHOWN_AGAIN.search(each) for each in classes):
        return False
    return not _HIDING_CLASSES.isdisjoint(classes)


def fields(nodes: Iterable[Node]) -> list[Field]:
    """Return the fields among some nodes; those of one name that are chosen from become one."""
    found: list[Field] = []
    groups: dict[tuple[str, str, int], Field] = {}
    for node in nodes:
        kind = kind_of(node)
        if not kind or node.has("d") or is_honeypot(node) or _stands_for_list(node):
            continue
        if node.has("o") and kind in TEXT_KINDS and not _opens_picker(node):
            continue
        if kind in ("radio", "checkbox"):
            group = (kind, _group_name(node), node.form)
            if group[1] and group in groups:
                _add_to_group(groups[group], node)
                continue
            made = groups[group] = _field(node, kind)
        else:
            made = _field(node, kind)
        found.append(made)
    return [_with_options(each) for each in found]


def _stands_for_list(node: Node) -> bool:
    """Whether a script has put it beside a list that is offered itself, to look better."""
    if node.role not in ("combobox", "listbox") or node.tag in ("input", "select"):
        return False
    for around in node.near(2):
        lists = [n for n in around.usable() if n.tag == "select" and not n.hidden]
        if lists:
            return len(lists) == 1
    return False


def _opens_picker(node: Node) -> bool:
    """Fields that are set by what opens when they are clicked cannot be typed in."""
    said = f"{node.classes} {node.get('name')} {node.name}".lower()
    return "date" in said or "calend" in said or bool(node.get("aria-haspopup"))


def _group_name(node: Node) -> str:
    if node.get("name"):
        return node.get("name")
    around = node.parent
    if node.role == "radio" and around is not None:
        holder = next((n for n in node.ancestors() if n.role == "radiogroup"), around)
        return f"#{holder.ref}"
    return ""


def _add_to_group(whole: Field, node: Node) -> None:
    if not whole.nodes:
        whole.nodes.append(whole.node)
    whole.nodes.append(node)


def _field(node: Node, kind: str) -> Field:
    text, required = label_of(node)
    made = Field(node, kind, text, required or node.has("r"))
    made.secret = is_secret(made)
    return made


def _with_options(made: Field) -> Field:
    """Finish a field: what is chosen from gets its options, and a label of the whole."""
    if made.kind == "radio" or made.nodes:
        nodes = made.nodes or [made.node]
        made.options = _told_apart(nodes)
        if made.kind == "checkbox":
            made.kind = "checkboxes"
        made.label = _group_label(nodes) or words.clean(made.node.get("name"), 60)
        made.required = any(n.has("r") for n in nodes) and made.kind == "radio"
    elif made.kind == "select":
        made.options = _select_options(made.node)
    elif made.kind == "listbox":
        made.options = _unique(
            Option(words.clean(n.name, 60), "", n.ref)
            for n in made.node.walk()
            if n.role == "option" and n.name
        )
    elif made.node.options:
        made.options = _unique(
            Option(words.clean(text, 60), value) for text, value, _ in made.node.options
        )
    return made


def _select_options(node: Node) -> tuple[Option, ...]:
    found = []
    for place, (text, value, state) in enumerate(node.options):
        is_placeholder = (_PLACEHOLDER.match(text) or re.match(r"^[-–—].*[-–—]$", text)) and (
            place == 0 or not value
        )
        if "d" in state or is_placeholder:
            continue
        found.append(Option(words.clean(text, 60), value))
    return _unique(found)


def _told_apart(nodes: Sequence[Node]) -> tuple[Option, ...]:
    """Return what several boxes stand for: by label, where those are equal by row, or by value."""
    labels = [words.clean(n.name or n.get("nearby") or n.get("value"), 60) for n in nodes]
    for other in (_row_text, lambda node: words.clean(node.get("value"), 60)):
        counts = Counter(labels)
        labels = [
            (counts[label] > 1 and other(node)) or label
            for label, node in zip(labels, nodes, strict=True)
        ]
    pairs = zip(labels, nodes, strict=True)
    return _unique(Option(label, node.get("value"), node.ref) for label, node in pairs)


def _row_text(box: Node) -> str:
    """Return what the row that a box stands in says beside it."""
    row = next((n for n in box.near(4) if n.role == "listitem" or n.tag in ("tr", "li")), None)
    return words.clean(landmarks.text_of(row, 80, _is_field_or_label), 60) if row else ""


def _is_field_or_label(node: Node) -> bool:
    return node.tag == "label" or bool(kind_of(node)) or node.tag == "button"


def _unique(options: Iterable[Option]) -> tuple[Option, ...]:
    found: dict[str, Option] = {}
    for option in options:
        found.setdefault(option.label, option)
    return tuple(option for text, option in found.items() if text)


def _group_label(nodes: Sequence[Node]) -> str:
    for around in nodes[0].ancestors():
        if not all(node.within(around) for node in nodes[1:]):
            continue
        if around.role in ("radiogroup", "group") and around.name:
            return words.strip_label_marks(around.name)[0]
        if around.tag == "fieldset":
            legend = next((n for n in around.children if n.tag == "legend"), None)
            return (
                words.strip_label_marks(legend.name or landmarks.text_of(legend))[0]
                if legend
                else ""
            )
        if around.tag == "form":
            break
    before = {node.get("nearby") for node in nodes}
    if nodes[0].origin not in ("native", "label") or ("" not in before and len(before) > 1):
        return ""  # what stands before each of them is that one's own
    return words.strip_label_marks(nodes[0].get("nearby"))[0]


def label_of(node: Node) -> tuple[str, bool]:
    """Return what a field is called, and whether that says it must be filled."""
    if node.origin in ("reference", "label", "native", "title") and node.name:
        return words.strip_label_marks(node.name)
    nearby, required = words.strip_label_marks(node.get("nearby"))
    placeholder = "" if _EXAMPLE.match(node.get("placeholder")) else node.get("placeholder")
    telling = len(nearby) <= 30 and len(words.words(nearby)) <= 4 and bool(nearby)
    if placeholder and (not telling or lexicon.SEARCH.search(placeholder.lower())):
        return words.strip_label_marks(placeholder)[0], required
    if nearby and len(nearby) < 60:
        return nearby, required
    named = "" if _EXAMPLE.match(node.name) else node.name
    return words.strip_label_marks(named)[0], required


def is_secret(made: Field) -> bool:
    """Whether what is typed there must not be shown to anyone."""
    node = made.node
    if node.get("type") == "password":
        return True
    if made.kind not in ("text", "tel", "number"):
        return False
    if node.get("autocomplete") in ("cc-number", "cc-csc", "one-time-code", "current-password"):
        return True
    return bool(lexicon.SECRET.search(f"{made.label} {node.get('name')}".lower()))


def is_filled(made: Field) -> bool:
    """Whether a field holds something already, so that it may be left as it is."""
    if made.kind == "select":
        chosen = [text for text, _, state in made.node.options if "c" in state]
        return any(words.clean(text, 60) == each.label for text in chosen for each in made.options)
    if made.kind == "radio":
        return any(node.has("c") for node in made.nodes or [made.node])
    return bool(made.node.value) and made.kind in TEXT_KINDS


def controls(found: Sequence[Field], query: Field | None = None) -> list[ToolControl]:
    """Return the fields as parameters, each with a key of its own."""
    keys = _keys(found, query)
    return [_control(each, keys[each.node.ref]) for each in found]


def _keys(found: Sequence[Field], query: Field | None) -> dict[int, str]:
    """Return the keys by field; of several with one label, the one to type in is called so."""
    taken: set[str] = set()
    keys: dict[int, str] = {}
    for each in sorted(found, key=lambda made: made.kind not in TEXT_KINDS):
        key = parameter_name(each, is_query=each is query) or "field"
        if key in taken or key == CONFIRM:
            other = _own_name(each)
            key = (
                other
                if other and other not in taken and other != CONFIRM
                else _numbered(key, taken)
            )
        taken.add(key)
        keys[each.node.ref] = key
    return keys


def _own_name(made: Field) -> str:
    """Return what the page's own markup calls a field, if that is made of words."""
    found = name_slug(made.name)
    return "" if _HASH.search(found) else found[:40].strip("_")


def _control(made: Field, key: str) -> ToolControl:
    return ToolControl(
        key,
        made.node.ref,
        made.kind,
        made.label,
        made.node.get("name"),
        made.required and not is_filled(made),
        made.secret,
        made.options,
        field_schema(made, key),
        made.opener.ref if made.opener is not None else None,
    )


def _numbered(key: str, taken: set[str]) -> str:
    number = 2
    while f"{key[:37]}_{number}" in taken:
        number += 1
    return f"{key[:37]}_{number}"
