"""Buttons: tools of buttons and of links that act, also of those in menus."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tabmux.page_text import url_parts
from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.choices import BUTTON_CLASSES
from tabmux.pagetools.derive.fields import kind_of, label_of
from tabmux.pagetools.derive.form_controls import is_button, is_script_link
from tabmux.pagetools.derive.landmarks import SITE_LANDMARKS
from tabmux.pagetools.derive.menus import (
    closed_menu_tools,
    find_menus,
    menu_tools,
    opens_menu,
    toggle_of,
)
from tabmux.pagetools.derive.navigation import (
    asks_first,
    is_navigation,
    leads_somewhere,
    only_leads,
    takes_away,
)
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.page_arithmetic import kind_of_record
from tabmux.pagetools.language.verbs_and_nouns import (
    KNOWN_NOUNS,
    SYMBOLS,
    VAGUE_ACTIONS,
    action_of,
    english_action,
    icon_action,
    is_consequential,
    noun_from_path,
    noun_from_query,
    noun_from_words,
)
from tabmux.pagetools.language.words import word_set
from tabmux.pagetools.model import DerivedTool

# The same button above and below the content is one.
_MOST_OF_A_NAME = 2
# What acts on one part of several is there by name only.
PART_RANK = -3.5
# What says no verb, in so many words, is worth a place that is free.
WORDED_RANK = -2.9
# What a picture beside words without a verb says that is done.
_NEEDS_SIGHT = frozenset({"open", "view", "next", "previous", "expand"})
_SHOWN_VERBS = word_set("add edit delete remove download upload print share copy save send refresh")
_MOST_WORDS, _SHORTEST_LABEL, _LONGEST_LABEL, _MOST_ALIKE = 3, 3, 30, 4
_IGNORED_CLASSES = re.compile(
    r"cookie|consent|social|share-|skip|carousel|slider|swiper|splide", re.IGNORECASE
)
# In the head of a site, these lead elsewhere.
_NAVIGATION_VERBS = frozenset(
    {"view", "open", "show", "see", "browse", "go", "get", "read", "learn"}
)
# There, these fold a part of a menu.
_FOLDING_VERBS = frozenset({"expand", "collapse", "fold", "unfold"})
_ACCOUNT_ACTIONS = word_set(
    """log_out logout sign_out log_in login sign_in sign_up register create_account
    log_in_or_register login_or_register join"""
)
# Whoever sees the whole page need not fold its parts.
_DISCLOSURES = re.compile(
    r"^(?:toggle|open|close|show|hide|expand|collapse)_(?:\w+_)?(?:navigation|nav|navbar|menu|dropdown|sidebar|submenu)$"
)
# These say little without what they are about.
_NEEDS_OBJECT = word_set(
    """new add edit create show view open manage see try start get use make set change select"""
)
# Of those, what is a verb even where it stands alone.
_LONE_LINK_VERBS = word_set(
    """edit delete remove reply download export import compose upload rename duplicate attach watch
    follow"""
)
_PRESSABLE_ROLES = frozenset({"menuitem", "menuitemcheckbox", "menuitemradio", "switch"})
# What a plain link that starts with one of these leads to is worth a tool of its own.
_LINK_VERBS = word_set(
    """write create add new edit delete remove download export import compose upload reply follow
    star fork watch subscribe post submit book buy start invite report print publish request
    reserve share rename duplicate archive attach"""
)


# What signs do to the field that they stand beside, and which of them to one that counts.
_ON_FIELDS = {
    "add": "increase", "increase": "increase", "decrease": "decrease",
    "delete": "clear", "remove": "clear", "close": "clear", "clear": "clear",
}  # fmt: skip
_STEPPING = frozenset({"add", "increase", "decrease"})
_COUNTED = frozenset({"number", "text", "tel", "range"})


@dataclass(frozen=True)
class PageSubject:
    """What is known of a page: its address, and what it lists."""

    url: str
    things: str


def action_tools(
    document: DocumentTree, claimed: set[int], on_page: Mapping[int, str], things: str = ""
) -> list[DerivedTool]:
    """Return what the buttons of a document do that belong to nothing else.

    Args:
        document: The document.
        claimed: What belongs to something else.
        on_page: What the links do that act on the page itself, by the link.
        things: What one entry of the page's main list is called.
    """
    page = PageSubject(document.url, things or _last_part(document.url))
    found_menus = find_menus(document)
    found: dict[str, DerivedTool] = {}
    counts: Counter[str] = Counter()
    addresses: dict[str, set[str]] = {}
    for node, opener in _acting_nodes(document, found_menus, claimed, on_page):
        own = node.ref in on_page
        name, sure = _action_name(node, page)
        name, sure = name or on_page.get(node.ref, ""), sure or own
        if not name:
            continue
        counts[name] += 1
        if leads_somewhere(node):
            addresses.setdefault(name, set()).add(url_parts(node.get("href")).path)
        if name not in found or _is_meant_rather(node, opener, found[name], on_page):
            found[name] = _derived_tool(document, node, opener, name, sure=sure, own=own)
    _keep_back_parts(list(found.values()))
    for name, tool in found.items():
        several = counts[name] > _MOST_OF_A_NAME or len(addresses.get(name, ())) > 1
        if several and tool.nodes[0].ref not in on_page:
            tool.rank = -5  # it is not clear which of them is meant
    return [
        *found.values(),
        *menu_tools(found_menus, claimed),
        *closed_menu_tools(document, found_menus, claimed),
    ]


def _is_meant_rather(
    node: Node, opener: Node | None, before: DerivedTool, on_page: Mapping[int, str]
) -> bool:
    """Whether of two of one name the second is meant: that of the page, and of no part of it."""
    other = before.nodes[0]
    if node.ref in on_page:
        return other.ref not in on_page or len(node.get("href")) < len(other.get("href"))
    return bool(before.openers) and opener is None and other.ref not in on_page


def _acting_nodes(
    document: DocumentTree,
    menus: Sequence[tuple[Node, Node]],
    claimed: set[int],
    on_page: Mapping[int, str],
) -> Iterator[tuple[Node, Node | None]]:
    """Yield what acts, with what has to be opened first; the same link again is the same."""
    inside = {n.ref: opener for opener, content in menus for n in content.walk()}
    openers = {opener.ref for opener, _ in menus}
    seen: set[tuple[str, str]] = set()
    for node in document.nodes:
        if node.ref in claimed or node.ref in openers or node.has("d"):
            continue
        opener = inside.get(node.ref)
        if node.hidden and opener is None:
            continue
        if node.ref not in on_page and not _is_action(node, opener is not None):
            continue
        if leads_somewhere(node):
            again = (words.slug(node.name), node.get("href"))
            if again in seen:
                continue
            seen.add(again)
        yield node, opener


def _keep_back_parts(found: list[DerivedTool]) -> None:
    """What stands in several headings acts on parts of the page, and not on the page."""
    inside = [tool for tool in found if any(_is_part_heading(n) for n in tool.nodes[0].near(2))]
    said = Counter(words.slug(tool.nodes[0].name) for tool in inside)
    for tool in inside:
        if said[words.slug(tool.nodes[0].name)] > 1:
            tool.rank = min(tool.rank, PART_RANK)


def _is_part_heading(node: Node) -> bool:
    return node.is_heading and node.tag != "h1"


def _is_action(node: Node, in_menu: bool) -> bool:
    button = is_button(node) or node.role in _PRESSABLE_ROLES
    if not button and node.role not in ("link", "generic"):
        return False
    action = action_of(node.name)
    if opens_menu(node) or _DISCLOSURES.search(action):
        return False
    if node.role == "link":
        return in_menu or _is_acting_link(node) or bool(BUTTON_CLASSES.search(node.classes))
    return button or (bool(action) and len(node.name) < 40)


def _is_acting_link(link: Node) -> bool:
    """Whether a link says what it does: verb first, in few words where it is not English."""
    found = words.words(link.name)
    action = english_action(link.name) or (action_of(link.name) if len(found) <= 2 else "")
    verb, _, rest = action.partition("_")
    if verb == "new":  # what is new is news more often than something to make
        foreign = not english_action(link.name) and len(found) == 2
        return foreign or rest.split("_")[-1] in KNOWN_NOUNS
    script = is_script_link(link) and verb and len(found) == 1 and verb not in _NEEDS_OBJECT
    return bool(rest or script) or verb in _LONE_LINK_VERBS


def _derived_tool(
    document: DocumentTree,
    node: Node,
    opener: Node | None,
    action: str,
    *,
    sure: bool,
    own: bool,
) -> DerivedTool:
    rank = _rank(document, node, action, opener) if sure else _unsure_rank(node, action, opener)
    if own and not document.modal and action not in _ACCOUNT_ACTIONS | VAGUE_ACTIONS:
        rank = _own_rank(node)
    closes = action in ("cancel", "close", "close_dialog") and not (own or asks_first(node))
    clears = _field_beside(node) is not None and action.startswith("clear_")
    destroys = takes_away(node, action, node.get("formaction")) and not (closes or clears)
    reads = only_leads(node, action) or closes
    section = "_".join(words.words(landmarks.heading_above(node, 4))[:3])
    return DerivedTool(
        "menu" if opener else "action",
        f"action|{action}|{words.slug(node.name)[:30]}",
        [action, words.name_of(action, section)],
        words.clean(node.name, 60) or action.replace("_", " ").capitalize(),
        rank,
        submit=node.ref,
        openers=(opener.ref,) if opener else (),
        reads=reads,
        destroys=destroys,
        consequential=not reads and is_consequential(node.name),
        nodes=[node],
    )


def _last_part(url: str) -> str:
    """Return the last part of an address, if it is a word."""
    said = words.words(url_parts(url).path.rstrip("/").rpartition("/")[2])
    return said[0] if len(said) == 1 and said[0].isalpha() else ""


def _action_name(node: Node, page: PageSubject) -> tuple[str, bool]:
    """Return what a button does, and whether it says so itself."""
    if lexicon.CLOSE.match(node.name.lower()) or node.name in ("×", "✕", "✖"):
        name = action_of(node.name)
        if name in ("", "close", "dismiss") or node.name in ("×", "✕", "✖"):
            return "close_dialog" if landmarks.landmark_around(node) in (
                "dialog",
                "alertdialog",
            ) else "close", True
        return name, True
    toggle = toggle_of(node)
    if (
        (toggle == "modal" or node.get("aria-haspopup") == "dialog")
        and node.name
        and not action_of(node.name)
    ):
        return words.name_of("open", "_".join(words.words(node.name)[:4])), True
    if said := action_of(node.name):
        if said in _NEEDS_OBJECT:
            about = _object_of(node, page)
            sure = bool(about) or said in _LONE_LINK_VERBS
            return words.name_of(said, words.singular(about)), sure
        return said, said not in VAGUE_ACTIONS and _is_sure(node, said)
    if not node.name or len(words.words(node.name)) == 0:
        return _sign_name(node)
    slug = "_".join(word for word in words.words(node.name)[:4] if not word.isdigit())
    if node.role == "switch" or node.get("aria-pressed"):
        return words.name_of("toggle", slug), True
    shown = icon_action(node.icon) if is_button(node) else ""
    if shown in _SHOWN_VERBS and len(words.words(node.name)) <= _MOST_WORDS:
        return words.name_of(shown, slug), True
    return (words.name_of("click", slug), False) if is_button(node) else ("", False)


def _object_of(node: Node, page: PageSubject) -> str:
    """Return what a verb alone is about: what the page is about, where nothing nearer says more.

    The heading of the page of one thing is what that is called, and not what it is.
    """
    heading = landmarks.heading_above(node, 2)
    kind = kind_of_record(page.url)
    if heading and kind and heading == landmarks.main_heading(node):
        return kind
    said = [word for word in words.words(heading)[:2] if not word[0].isdigit()]
    about = noun_from_words(heading) or "_".join(said)
    if not words.words(node.name):  # what it says beside the verb is lost: it may be in the address
        about = noun_from_query(node.get("href")) or about
    about = about or noun_from_path(node.get("href").rstrip("/").rpartition("/")[0])
    if about or landmarks.landmarks_around(node) & (SITE_LANDMARKS | {"complementary"}):
        return about
    return page.things if page.things not in ("item", "row") else ""


def _is_sure(node: Node, action: str) -> bool:
    """A single word on what is no button may be anything."""
    return node.role != "generic" or "_" in action


def _sign_name(node: Node) -> tuple[str, bool]:
    """Name a button without words: by its sign or picture, and by the field that it stands at."""
    sign = node.name.strip().rstrip("\ufe0f")
    meant = SYMBOLS.get(sign) or icon_action(
        node.icon, node.classes, node.get("data-testid"), node.get("data-action")
    )
    field = _field_beside(node)
    if field is not None and meant in _ON_FIELDS:
        verb = _ON_FIELDS[meant] if meant not in _STEPPING or kind_of(field) in _COUNTED else ""
        about = "_".join(words.words(label_of(field)[0])[:3])
        if verb and about:
            return words.name_of(verb, about), True
    if meant in ("increase", "decrease"):
        return "", False  # there is no number that it could be done to
    return meant, bool(meant) and meant not in _NEEDS_SIGHT


def _unsure_rank(node: Node, action: str, opener: Node | None) -> float:
    """Return the rank of a button without a verb: in the content, a place that is free."""
    around = landmarks.landmarks_around(node) & (SITE_LANDMARKS | {"complementary"})
    short = len(words.words(node.name)) <= _MOST_WORDS and len(node.name) <= _LONGEST_LABEL
    alike = [n for n in node.parent.usable() if is_button(n)] if node.parent is not None else []
    short = short and len(node.name) >= _SHORTEST_LABEL and len(alike) <= _MOST_ALIKE
    said = action.startswith("click_") and is_button(node) and short
    marks = " ".join(each.classes for each in [node, *node.near(4)])
    if not said or around or opener is not None or _IGNORED_CLASSES.search(marks):
        return -5
    return WORDED_RANK


def _field_beside(node: Node) -> Node | None:
    """Return the field that a button stands right beside."""
    beside = node.parent.usable() if node.parent is not None else []
    found = [each for each in beside if kind_of(each) and not each.hidden]
    return found[0] if len(found) == 1 else None


def _is_around_content(node: Node, parts: set[str]) -> bool:
    """Whether it leads elsewhere; a link that looks like a button may head the content."""
    if "main" in parts and BUTTON_CLASSES.search(node.classes):
        return False
    return bool(parts & (SITE_LANDMARKS | {"complementary"}))


def _own_rank(node: Node) -> float:
    """What acts on the page itself does so wherever it stands."""
    verb = action_of(node.name).partition("_")[0]
    rank = 42 if verb in _LINK_VERBS else 32 if verb else 22
    return rank - 12 * ("contentinfo" in landmarks.landmarks_around(node))


def _rank_around_content(
    node: Node, parts: set[str], action: str, opener: Node | None
) -> float | None:
    """Return the rank of what is the site's and not the page's; None for everything else."""
    site = bool(parts & SITE_LANDMARKS)
    if site and action in _NEEDS_OBJECT - _LONE_LINK_VERBS:
        return -5
    leads = (node.role == "link" or bool(node.get("href"))) and _is_around_content(node, parts)
    verb = action.partition("_")[0]
    if site and (opener is not None or verb in _NAVIGATION_VERBS | _FOLDING_VERBS):
        return PART_RANK
    if leads and is_navigation(node):
        return PART_RANK
    account = action in _ACCOUNT_ACTIONS or action.startswith(
        ("log_in_", "login_", "sign_in_", "sign_up_")
    )
    return -2 if account or leads else None


def _rank(document: DocumentTree, node: Node, action: str, opener: Node | None) -> float:
    parts = landmarks.landmarks_around(node)
    marks = " ".join(each.classes for each in [node, *node.near(4)])
    if _IGNORED_CLASSES.search(marks):
        return -5
    if parts & {"contentinfo"} or action in VAGUE_ACTIONS:
        return -5
    if document.modal:
        return 70
    link = node.role == "link" or bool(node.get("href"))
    rank = _rank_around_content(node, parts, action, opener)
    if rank is not None:
        return rank
    rank = 54 if not link else 44
    if action in ("close", "cancel", "go_back", "back", "copy"):
        rank = 8
    if link and not BUTTON_CLASSES.search(node.classes) and not is_script_link(node):
        rank = 30 if action.split("_")[0] in _LINK_VERBS else -3
    if "primary" in node.classes or "success" in node.classes:
        rank += 8
    rank -= 20 if parts & SITE_LANDMARKS else 0
    return rank - (6 if opener else 0)
