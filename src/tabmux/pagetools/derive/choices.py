"""Choices: tools that choose one of several: tabs, sorting, filters, categories, views."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType
from urllib.parse import urljoin

from tabmux.page_text import url_parts
from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.derive.form_controls import is_button
from tabmux.pagetools.derive.landmarks import SITE_LANDMARKS
from tabmux.pagetools.derive.lists.list_entries import GRIDS
from tabmux.pagetools.derive.lists.lists import Listing
from tabmux.pagetools.derive.navigation import (
    is_current,
    leads_here,
    leads_somewhere,
    only_leads,
)
from tabmux.pagetools.derive.parameters import MOST_ENUM_VALUES, MOST_EXAMPLES, TEXT_KINDS
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.verbs_and_nouns import VERBS, action_of, noun_from_heading
from tabmux.pagetools.model import DerivedTool, Option, ToolControl

_VOLATILE_SUFFIX = re.compile(r"[\s▲▼△▽↑↓⇅⬆⬇⏶⏷]+$|\s*[(\[][\d.,]+[)\]]$")
FEWEST_MEMBERS = 3
_ON = re.compile(r"(?:^|[\s_-])(?:is-)?(?:on|chosen|checked|sel|pressed)(?:$|\s)")
_FEWEST_BUTTONS, _IN_COMMON, BUTTONS_RANK = 4, 0.5, 26.0
_HINTS = frozenset({"", "tooltip", "popover"})
_SHOWING = frozenset({"order", "filter"})
MOST_MEMBERS = 60
BUTTON_CLASSES = re.compile(r"(?:^|[\s_-])(?:btn|button)", re.IGNORECASE)
_TABS = re.compile(r"nav-tabs|nav-pills|nav-segmented|(?:^|\s|-)tabs?(?:$|\s|-)", re.IGNORECASE)
_FILTERS = re.compile(r"filter|facet|refine|narrow", re.IGNORECASE)
_CATEGORIES = re.compile(r"categor|department|topics?\b|collections?\b", re.IGNORECASE)
_SORTS = re.compile(r"\bsort(?:ed|er|ing|by|able)?(?![a-z])|order-?by", re.IGNORECASE)
_VIEWS = re.compile(
    r"view-?(?:switch|mode|toggle)|layout-?switch|segmented|btn-group|button-group", re.IGNORECASE
)


def choice(
    key: str,
    label: str,
    nodes: Sequence[Node],
    *,
    fixed: bool = True,
    labels: Mapping[int, str] = MappingProxyType({}),
) -> ToolControl:
    """Return a parameter whose values are elements to click.

    Args:
        key: Its key.
        label: What it is called.
        nodes: The elements.
        fixed: Whether there are no others.
        labels: What those are called that say nothing themselves, by the element.
    """
    named = [(_stable_label(labels.get(n.ref) or n.name), n.ref) for n in reversed(nodes)]
    options = {text: ref for text, ref in named if text}
    texts = list(reversed(options))
    schema: dict[str, object] = {"type": "string"}
    if fixed and len(texts) <= MOST_ENUM_VALUES:
        schema["enum"] = texts
    else:
        schema["examples"] = texts[:MOST_EXAMPLES]
    found = tuple(Option(text, text, options[text]) for text in texts)
    return ToolControl(
        key, nodes[0].ref, "choice", label, required=True, options=found, schema=schema
    )


@lru_cache(maxsize=4096)
def _stable_label(name: str) -> str:
    """Return a name without the arrows and counts that come and go."""
    text = words.clean(name, 60)
    return _VOLATILE_SUFFIX.sub("", text) or text


def choice_tools(
    document: DocumentTree,
    listings: Sequence[Listing],
    claimed: set[int],
    acting: Set[int] = frozenset(),
) -> list[DerivedTool]:
    """Return the tools of a document that choose one of several.

    Args:
        document: The document.
        listings: Its lists.
        claimed: What belongs to something else.
        acting: Links that act on the page: they may stand among views of it, and are none.
    """
    things = words.plural(listings[0].noun) if listings else "items"
    found: list[DerivedTool] = []
    made = (
        tool
        for make in (_tab_tools, _sort_tools)
        for tool in make(document, things, claimed | acting)
    )
    for tools in (made, _link_set_tools(document, things, claimed, acting)):
        for tool in tools:
            claimed |= {node.ref for node in tool.nodes}
            found.append(tool)
    return found


def _tab_tools(document: DocumentTree, things: str, claimed: set[int]) -> list[DerivedTool]:
    found: list[DerivedTool] = []
    for node in document.nodes:
        if node.hidden:
            continue
        if node.role == "tablist":
            tabs = [n for n in node.walk() if n.role == "tab" and not n.has("d")]
        elif _TABS.search(node.classes) and node.tag in ("ul", "ol", "div", "nav"):
            tabs = [n for n in node.walk() if n.tag in ("a", "button") and _is_tab(n)]
        else:
            continue
        tabs = [n for n in tabs if n.name and n.ref not in claimed and not n.hidden]
        if len(tabs) < 2 or sum(len(n.name) for n in tabs) > 30 * len(tabs):
            continue
        section = "_".join(words.words(node.name)[:3])
        key = f"tabs|{section}|{len(found)}"
        claimed |= {n.ref for n in tabs}
        names = ["select_tab", words.name_of("select", section, "tab")]
        found.append(
            _derived_tool(
                "tabs", key, names, "Show one of the tabs", 58, choice("tab", "Tab", tabs), tabs
            )
        )
    return found


def _is_tab(node: Node) -> bool:
    toggle = node.get("data-bs-toggle") or node.get("data-toggle")
    return toggle in ("tab", "pill") or node.get("href").startswith("#")


def _sort_tools(document: DocumentTree, things: str, claimed: set[int]) -> list[DerivedTool]:
    found: list[DerivedTool] = []
    names = [f"sort_{things if things != 'items' else 'rows'}", "sort_table"]
    for node in document.nodes:
        if (
            node.hidden
            or (node.tag not in ("thead", "table") and node.role not in GRIDS)
            or (node.tag == "table" and _has_child(node, "thead"))
        ):
            continue
        heads = [n for n in node.walk() if _heads_column(n)]
        columns = [pair for head in heads if (pair := _sorting(head, claimed))]
        if len(columns) < 2 or _is_filled_in(node):
            continue
        pressed = [each for each, _ in columns]
        claimed |= {n.ref for n in pressed}
        rest = [n for head in heads for n in head.walk() if n.tag in ("a", "button")]
        labels = {each.ref: label for each, label in columns}
        found.append(
            _derived_tool(
                "sort",
                f"sort|{len(found)}",
                names,
                "Sort the table by a column",
                60,
                choice("column", "Column", pressed, labels=labels),
                [*pressed, *rest],
            )
        )
    return found


def _sorting(head: Node, claimed: set[int]) -> tuple[Node, str] | None:
    """Return what sorts by a column, and what the column is called."""
    inner = [
        n
        for n in head.walk()
        if n.tag in ("a", "button")
        and not n.hidden
        and n.ref not in claimed
        and n.name not in ("⚙", "…")
    ]
    if said := next((n for n in inner if n.name), None):
        return said, said.name
    label = head.name or landmarks.text_of(head, 60)
    if inner and label:  # an arrow beside the head of the column
        return inner[0], label
    sorts = (head.get("aria-sort") or head.has("p")) and head.name and head.ref not in claimed
    # What stands there is shorter than what is said of it to those who hear it.
    return (head, _own_text(head) or label) if sorts else None


def _own_text(head: Node) -> str:
    """Return the words that stand right in a head."""
    return words.clean(" ".join(part for part in head.parts if isinstance(part, str)), 60)


def _heads_column(node: Node) -> bool:
    return (node.tag == "th" and node.role != "rowheader") or node.role == "columnheader"


def _is_filled_in(table: Node) -> bool:
    """Whether a table, or the one that these heads are of, is there to type into: it is no list."""
    whole = table.parent if table.tag == "thead" and table.parent is not None else table
    inside = [n for n in whole.usable() if not (n.within(table) and table.tag == "thead")]
    return any(kind_of(n) in TEXT_KINDS and not n.hidden for n in inside)


def _has_child(node: Node, tag: str) -> bool:
    return any(child.tag == tag for child in node.children)


def _link_set_tools(
    document: DocumentTree, things: str, claimed: set[int], acting: Set[int]
) -> list[DerivedTool]:
    found: list[DerivedTool] = []
    taken: list[Node] = []
    # How many there are up to each node that rule out every place they stand in.
    others = list(accumulate((_rules_out_set(n, claimed) for n in document.nodes), initial=0))
    for node in document.nodes:
        if node.hidden or len(node.children) < 2 or others[node.end] > others[node.place]:
            continue
        if any(node.within(other) for other in taken):
            continue
        members = [n for n in _set_members(node, acting) if n.ref not in acting]
        if len(members) < FEWEST_MEMBERS or len(members) > MOST_MEMBERS:
            continue
        if made := _link_set_tool(node, members, things, document.url):
            taken.append(node)
            found.append(made)
    return found


def _rules_out_set(node: Node, claimed: set[int]) -> bool:
    """Whether it is no member of a set, and nothing that may stand among members."""
    return not node.hidden and (node.ref in claimed or node.is_heading or bool(kind_of(node)))


def _set_members(node: Node, others: Set[int] = frozenset()) -> list[Node]:
    """Return links or buttons of equal standing that make up most of a place."""
    if node.tag in ("main", "body", "#document", "table", "tbody", "tr"):
        return []
    inside = [
        n
        for n in node.usable()
        if n is not node and not n.hidden and (n.role == "link" or is_button(n)) and not n.has("d")
    ]
    if not inside or any(not n.name for n in inside) or len(inside) > MOST_MEMBERS:
        return []
    if any(_opens_something(n) for n in inside):
        return []
    kinds = {n.tag for n in inside}
    texts = sum(
        len(part)
        for n in node.walk()
        for part in n.parts
        if isinstance(part, str) and n.role != "link"
    )
    if len(kinds) > 1 or texts > 40 + 8 * len(inside) or any(len(n.name) > 40 for n in inside):
        return []
    if len({is_button_like(n) for n in inside}) > 1:
        return []  # a button among links acts, and is none of them
    inside = [n for n in inside if n.ref not in others]
    acting = sum(bool(action_of(n.name)) for n in inside)
    return [] if acting > 0.4 * len(inside) else inside


def _opens_something(node: Node) -> bool:
    """Whether pressing it opens something; a hint that shows under the mouse is nothing opened."""
    toggle = node.get("data-bs-toggle") or node.get("data-toggle")
    return toggle not in _HINTS or bool(node.get("aria-haspopup"))


def is_button_like(link: Node) -> bool:
    """Whether a link looks like a button that acts."""
    return BUTTON_CLASSES.search(link.classes) is not None and bool(action_of(link.name))


def _link_set_tool(node: Node, members: list[Node], things: str, here: str) -> DerivedTool | None:
    near = [node, *node.near(2), *node.children[:1]]
    marks = " ".join(each.classes for each in near)
    summary = next((n.name for n in node.children if n.tag == "summary"), "")
    title = node.name or summary or landmarks.heading_above(node, 3)
    said = f"{marks} {title}"
    parts = landmarks.landmarks_around(node)
    names, key, says, rank = _set_purpose(said, title, marks, things)
    if is_button(members[0]) and len({n.parent.ref for n in members if n.parent is not None}) > 1:
        return None  # buttons of a choice stand side by side
    views = rank < 0 and not is_button(members[0]) and _are_views(node, members, here)
    if views:
        names, key, says, rank = ["select_tab", *names], "tab", "Show one of the tabs", 50
    if rank < 0 and not views and _are_buttons(members):
        names, key, rank = [_button_choice(members, title)], "option", BUTTONS_RANK
        says = f"Press one of these buttons{': ' + title if title else ''}"
    if parts & SITE_LANDMARKS or node.role in SITE_LANDMARKS or node.tag in ("nav", "footer"):
        own = key in ("filter", "tab") and not parts & {"navigation", "banner"}
        rank = rank if own else -10
    if views and parts & {"complementary", "banner", "contentinfo"}:
        rank = -10
    if "breadcrumb" in said.lower():
        return None
    return _derived_tool(
        "choice",
        f"choice|{names[0]}|{words.slug(title)}",
        names,
        says,
        rank,
        choice(key, title, members),
        members,
    )


def _are_buttons(members: Sequence[Node]) -> bool:
    """Whether buttons that say no verb stand in a row: one of them is chosen, whatever for."""
    marked = [n for n in members if is_current(n) or _ON.search(n.classes)]
    if len(members) < (FEWEST_MEMBERS if len(marked) == 1 else _FEWEST_BUTTONS) or not all(
        map(is_button, members)
    ):
        return False
    return all(words.words(n.name) for n in members[:1]) and len({n.name for n in members}) > 1


def _button_choice(members: Sequence[Node], title: str) -> str:
    """Name a row of buttons by what their titles say in common, or by its heading."""
    said = Counter(word for n in members for word in dict.fromkeys(words.words(n.get("title"))))
    common = [word for word, count in said.items() if count >= _IN_COMMON * len(members)]
    if common and common[0] in VERBS:
        return words.name_of(*common[:3])
    return words.name_of("select", noun_from_heading(title) or "option")


def _are_views(node: Node, members: list[Node], here: str) -> bool:
    """Whether links, of which one may be marked as what is shown, all show this page."""
    marked = [n for n in node.walk() if n is not node and is_current(n)]
    if not marked:
        return False
    if all(leads_here(link, here) for link in members):
        return True
    # Of tabs with addresses, one is that of what is shown, and the others are below it.
    shown = [n for n in members if is_current(n) or any(is_current(each) for each in n.near(1))]
    if len(shown) != 1 or not leads_somewhere(shown[0]):
        return False
    paths = [url_parts(urljoin(here, link.get("href"))).path.rstrip("/") for link in members]
    own, base = url_parts(here).path.rstrip("/"), min(paths, key=len)
    above = {path.rpartition("/")[0] for path in paths}
    below = all(path == base or path.rpartition("/")[0] == base for path in paths)
    return own in paths and (bool(base) if below else len(above) == 1 and above != {""})


def _set_purpose(
    said: str, title: str, marks: str, things: str
) -> tuple[list[str], str, str, float]:
    if _SORTS.search(said) or lexicon.SORT.search(title.lower()):
        return [f"sort_{things}"], "order", "Change the order", 56
    if _FILTERS.search(said) or lexicon.NARROW.search(title.lower()):
        return (
            [f"filter_{things}", _filter_name(title)],
            "filter",
            "Narrow down what is listed",
            57,
        )
    if _CATEGORIES.search(said):
        return ["open_category"], "category", "Open one of the categories", 52
    if _VIEWS.search(marks):
        return ["select_view", "select_option"], "view", "Choose one of the views", 40
    noun = noun_from_heading(title) or "_".join(words.words(title)[:2])
    if noun:
        return [f"open_{noun}"], noun, f"Open one {noun.replace('_', ' ')}", -5
    return ["open_link"], "link", "Open one of these links", -10


def _filter_name(title: str) -> str:
    said = words.slug(title)
    return words.name_of(said) if said.startswith("filter") else words.name_of("filter_by", said)


def _derived_tool(
    kind: str,
    key: str,
    names: list[str],
    says: str,
    rank: float,
    control: ToolControl,
    nodes: list[Node],
) -> DerivedTool:
    # A row of buttons that says neither that it sorts nor that it filters may change anything.
    shows = kind != "choice" or control.key in _SHOWING or all(map(only_leads, nodes))
    return DerivedTool(
        kind,  # type: ignore[arg-type]
        key,
        [name for name in names if name],
        says,
        rank,
        controls=[control],
        reads=shows,
        repeatable=True,
        nodes=nodes,
    )
