"""Pagination: finds next, previous and numbered pages, and buttons that load more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.form_controls import is_button
from tabmux.pagetools.derive.navigation import leads_somewhere
from tabmux.pagetools.derive.page_links import PAGINATION_CLASSES, PageLinks, page_links
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.page_arithmetic import leads_to_neighbour, page_number
from tabmux.pagetools.language.verbs_and_nouns import action_of
from tabmux.pagetools.model import DerivedTool, Option, ToolControl

_CAROUSEL_CLASSES = re.compile(
    r"carousel|slider|slick|swiper|calendar|datepicker|gallery|lightbox|owl-", re.IGNORECASE
)
MOST_WORDS = 4
_LEADING_PAGE = re.compile(
    r"^(?:la |la page |die |go to |to )?(?:page|pagina|página|pagine|seite|strona|strana|stránka"
    r"|sida|side|sayfa|страница)\s+"
)
_DISABLED = re.compile(r"(?:^|[\s_-])(?:disabled)(?:$|[\s_-])", re.IGNORECASE)
_ENDS = re.compile(r"double|last|first|end")
_SHOWS_ALL = re.compile(
    r"(?:limit|per_?page|page|show|size|items|results|view)=all\b|show_?all|view_?all",
    re.IGNORECASE,
)
# Which of how many are shown, and how much may stand beside it.
_COUNT_SHOWN = re.compile(r"\d+\s*[-–—]\s*\d+\D{1,12}\d")
_MOST_BESIDE_COUNT = 6
# What says the same so often, and leads elsewhere each time, does so for an entry each.
_FEWEST_OF_ENTRIES = 3
_FEWEST_IN_ROW = 3
_SIGNS = re.compile(r"[^\w\s<>‹›«»→←▶◀⟩⟨❯❮⟶⟵➔►◄]")


@dataclass(frozen=True)
class Direction:
    """One way to turn pages, and how pages say it."""

    relation: str
    said: lexicon.Lexicon
    other: lexicon.Lexicon
    mark: re.Pattern[str]
    arrows: frozenset[str]
    ends: re.Pattern[str]
    step: int


def _mark(words_of_it: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\s_#-])(?:{words_of_it})(?:$|[\s_-])", re.IGNORECASE)


NEXT = Direction(
    "next",
    lexicon.NEXT,
    lexicon.PREVIOUS,
    _mark(
        r"next|older|pagination-next|i-next|(?:chevron|angle|arrow|caret)-?right|arrow_forward"
        r"|navigate_next|forward"
    ),
    frozenset({"›", "»", ">", ">>", "→", "▶", "⟩", "❯", "⟶", "➔", "►"}),
    re.compile(
        r"\b(?:last|letzte|derni|últim|ultim|laatste|sista|sidste|siste|ostatn|posled|utols"
        r"|последн|son|最后|最後|末|마지막)"
    ),
    1,
)
PREVIOUS = Direction(
    "prev",
    lexicon.PREVIOUS,
    lexicon.NEXT,
    _mark(r"prev|previous|newer|(?:chevron|angle|arrow|caret)-?left|arrow_back|navigate_before"),
    frozenset({"‹", "«", "<", "<<", "←", "◀", "⟨", "❮", "⟵", "◄"}),
    re.compile(
        r"\b(?:first|erste|premi|primer|prim|eerste|första|første|pierwsz|první|első|перв|ilk"
        r"|首|最初|처음)"
    ),
    -1,
)


def pagination_tools(document: DocumentTree, claimed: set[int]) -> list[DerivedTool]:
    """Return the tools that turn pages."""
    usable = [n for n in document.nodes.usable.all if _is_usable(n, claimed)]
    numbers = page_links(document, usable)
    if numbers is None:
        usable = [n for n in usable if not leads_to_neighbour(n.get("href"), document.url)]
    usable = _without_repeated(usable)
    on = _turning(usable, NEXT, numbers)
    back = _turning([n for n in usable if n is not on], PREVIOUS, numbers)
    if on is not None and back is not None and _leads_alike(on, back):
        clearer = _strength(on, NEXT, numbers) >= _strength(back, PREVIOUS, numbers)
        on, back = (on, None) if clearer else (None, back)
    more = next((n for n in usable if _loads_more(n)), None)
    found = []
    if on:
        found.append(_page_button_tool("next_page", "Go to the next page", on, 66))
    if back:
        found.append(_page_button_tool("previous_page", "Go to the previous page", back, 64))
    if more:
        found.append(_page_button_tool("load_more", "Show more of the list", more, 66))
    if numbers is not None:
        found.append(_page_number_tool(numbers))
    return found


def _without_repeated(usable: list[Node]) -> list[Node]:
    """Leave out what stands in one entry after the other, such as "previous" in a history."""
    targets: dict[str, set[str]] = {}
    for node in usable:
        if href := node.get("href"):
            targets.setdefault(node.name, set()).add(href)
    often = {said for said, found in targets.items() if len(found) >= _FEWEST_OF_ENTRIES}
    return [node for node in usable if not node.name or node.name not in often]


def _leads_alike(one: Node, other: Node) -> bool:
    return leads_somewhere(one) and one.get("href") == other.get("href")


def _is_usable(node: Node, claimed: set[int]) -> bool:
    if node.hidden or node.has("d") or node.ref in claimed:
        return False
    if not (node.role == "link" or is_button(node)):
        return False
    around = [node, *node.near(4)]
    return not any(_CAROUSEL_CLASSES.search(each.classes) for each in around) and not any(
        _DISABLED.search(each.classes) for each in around[:2]
    )


def _turning(usable: list[Node], way: Direction, numbers: PageLinks | None) -> Node | None:
    """Return what turns pages one way most clearly; the first of equals."""
    best, strength = None, 0
    for node in usable:
        found = _strength(node, way, numbers)
        if found > strength:
            best, strength = node, found
    return best


def _strength(node: Node, way: Direction, numbers: PageLinks | None) -> int:
    """Return how clearly something turns pages one way; arithmetic can only refuse it."""
    if way.relation in node.get("rel").lower().split():
        return 6
    name, bare = _normalized(node.name)
    if len(name.split()) > MOST_WORDS or name.isdecimal():
        return 0
    told = _told_strength(node, way, name, bare, numbers)
    if not told or _leads_elsewhere(node, numbers) or _contradicts(node, way, numbers):
        return 0
    return told


def _told_strength(
    node: Node, way: Direction, name: str, bare: str, numbers: PageLinks | None
) -> int:
    """Return how clearly it says so: by its words, an arrow, its title, or its marks."""
    bare = _LEADING_PAGE.sub("", bare)
    if way.said.match(bare) and not way.other.match(bare):
        rest = way.said.pattern.sub("", bare, count=1)
        return 5 if _is_paged(node, numbers) else 4 * _is_bare(node, rest)
    if name in way.arrows:
        paged = _is_paged(node, numbers) or way.said.match(_title(node))
        return (3 if len(name) == 1 else 2) * paged
    if _leads_on(node, bare, way, numbers):
        return 3
    said = _title(node)
    if said and way.said.match(said) and _is_paged(node, numbers):
        return 4
    return 0 if way.ends.search(bare) else _mark_strength(node, way, name, numbers)


def _title(node: Node) -> str:
    return (node.get("title") or node.get("aria-label")).lower().strip()


def only_turns_pages(button: Node | None) -> bool:
    """Whether a form that is nothing but this button is there to turn pages."""
    if button is None:
        return False
    name, bare = _normalized(button.name)
    for way in (NEXT, PREVIOUS):
        signed = name in way.arrows and way.said.match(_title(button))
        if signed or (way.said.match(bare) and len(bare.split()) <= 2 and not action_of(bare)):
            return True
    return False


def says_page(button: Node) -> bool:
    """Whether a button says that it goes to the next page, back, or to an end."""
    name, bare = _normalized(button.name)
    if len(bare.split()) > 2:
        return False
    return any(
        name in way.arrows or way.said.match(bare) or way.ends.match(bare)
        for way in (NEXT, PREVIOUS)
    )


def _leads_on(node: Node, bare: str, way: Direction, numbers: PageLinks | None) -> bool:
    """Whether it says "more" or "continued", and its address is the page that follows."""
    if way.step < 0 or not lexicon.FURTHER.match(bare):
        return False
    counted = page_number(node.get("href"))
    current = numbers.current if numbers is not None else None
    if counted is None:
        return False
    # Who is on no numbered page is on the first, which is counted from nothing or one.
    return counted[1] in ((1, 2) if current is None else (current + 1,))


def _leads_elsewhere(node: Node, numbers: PageLinks | None) -> bool:
    """Whether it leads to a place of this page, or to all at once; a script may turn pages."""
    href = node.get("href")
    if href == "#":
        return not _is_paged(node, numbers)
    elsewhere = href.startswith("#") and page_number(href) is None
    return elsewhere or _SHOWS_ALL.search(href) is not None


def _is_paged(node: Node, numbers: PageLinks | None) -> bool:
    if _is_in_pagination(node) or (numbers is not None and numbers.holds(node)):
        return True
    return _is_beside_count(node) or _is_beside_pages(node)


def _is_beside_pages(node: Node) -> bool:
    """Whether several in a row say so: first, previous, next, last."""
    beside = node.parent.children if node.parent is not None else ()
    said = sum(is_button(each) and says_page(each) for each in beside)
    return said >= _FEWEST_IN_ROW or (said > 1 and not node.form and any(map(_tells_pages, beside)))


def _tells_pages(node: Node) -> bool:
    """Whether the numbers of pages can be chosen from."""
    labels = [text.strip() for text, _, _ in node.options]
    return len(labels) > 1 and labels == [str(at) for at in range(1, len(labels) + 1)]


def _is_beside_count(node: Node) -> bool:
    """Whether it stands beside what says which of how many are shown: "1-50 of 200"."""
    for around in node.near(2):
        if len(around.usable()) > _MOST_BESIDE_COUNT:
            return False
        if _COUNT_SHOWN.search(landmarks.text_of(around, 80)):
            return True
    return False


def _is_bare(node: Node, rest: str) -> bool:
    """Whether a link outside of a pager says that it turns pages, and nothing else."""
    if not rest.split() or "page" in rest:
        return node.role == "link" or "page" in rest
    return len(rest.split()) <= 2 and page_number(node.get("href")) is not None


def _mark_strength(node: Node, way: Direction, name: str, numbers: PageLinks | None) -> int:
    marks = f"{node.classes} {node.icon}"
    if node.parent is not None and len(node.parent.children) == 1:
        marks += f" {node.parent.classes}"
    if not way.mark.search(marks) or _ENDS.search(marks):
        return 0
    counted = page_number(node.get("href")) is not None
    paged = _is_paged(node, numbers)
    if not words.words(name):
        return 2 if paged else int(counted)
    return 2 if paged and (counted or len(name.split()) == 1) else 0


def _contradicts(node: Node, way: Direction, numbers: PageLinks | None) -> bool:
    """Whether its address counts the other way."""
    if numbers is None or numbers.current is None:
        return False
    target = numbers.place_of(node.get("href"))
    return target is not None and (target - numbers.current) * way.step <= 0


def _loads_more(node: Node) -> bool:
    if node.get("aria-haspopup"):
        return False
    return lexicon.MORE.match(node.name.lower()) and len(words.words(node.name)) <= MOST_WORDS


# A page says the same every time that it is looked at.
@lru_cache(maxsize=8192)
def _normalized(name: str) -> tuple[str, str]:
    """Return a name in lower case, and without its signs."""
    lowered = name.lower().strip()
    return _SIGNS.sub("", lowered).strip() or lowered, re.sub(r"[^\w\s]", "", lowered).strip()


def _is_in_pagination(node: Node) -> bool:
    """Whether what it stands in speaks of pages."""
    return any(
        PAGINATION_CLASSES.search(each.classes) or PAGINATION_CLASSES.search(each.name)
        for each in [node, *node.near(4)]
    )


def _page_button_tool(name: str, says: str, node: Node, rank: float) -> DerivedTool:
    return DerivedTool(
        "pager",
        f"pager|{name}",
        [name],
        says,
        rank,
        submit=node.ref,
        reads=True,
        repeatable=False,
        nodes=[node],
    )


def _page_number_tool(numbers: PageLinks) -> DerivedTool:
    control = ToolControl(
        "page",
        next(iter(numbers.links.values())).ref,
        "choice",
        "Page",
        required=True,
        options=tuple(Option(str(n), str(n), link.ref) for n, link in numbers.links.items()),
        schema={"type": "integer", "minimum": 1},
    )
    return DerivedTool(
        "pager",
        "pager|go",
        ["go_to_page"],
        "Go to a page by its number",
        62,
        controls=[control],
        reads=True,
        repeatable=True,
        nodes=numbers.nodes,
    )
