"""Page links: numbered links to the pages of something, and which of them one is on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.language.page_arithmetic import changes_size, differing_size, page_number
from tabmux.pagetools.language.words import word_set, words

# Boxes that speak of pages, by their classes or names.
PAGINATION_CLASSES = re.compile(
    r"pagin|pager|page-?nav|page-?numbers?|page-?links|wp-pagenavi|pages\b|nav-links|paging|seiten",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^\W*(?:\D{2,12}\s)?(\d{1,4}|\d[.,]\d{3})\W*$")
_BARE_NUMBER = re.compile(r"\W*(\d{1,4})\W*")
_CURRENT = re.compile(r"(?:^|[\s_-])(?:active|current|selected)(?:$|[\s_-])")
_SIZES = re.compile(
    r"per page|pro seite|par page|por página|per pagina|page size|show\b|anzeigen|display|items"
    r"|zeilen|rows",
    re.IGNORECASE,
)
_PAGE_WORDS = word_set(
    """page seite pagina pagine sida side strona strana stranka stranitsa storinka sivu oldal sayfa
    selida trang halaman go to"""
)
# How far up the links of one pager may have their place in common.
_LEVELS = 4
_MOST_OTHERS = 14
_FEWEST = 2


@dataclass
class PageLinks:
    """The numbered links of one pager.

    Attributes:
        place: What holds them.
        links: By the number of the page.
        current: The number of the page that is shown, where that is known.
        nodes: All of them, also those that lead to the same page.
    """

    place: Node
    links: dict[int, Node]
    current: int | None = None
    nodes: list[Node] = field(default_factory=list)

    def holds(self, node: Node) -> bool:
        """Whether something stands among the links or right beside them."""
        around = self.place.parent if self.place.parent is not None else self.place
        return node.within(self.place) or (
            node.within(around) and len(around.links()) <= len(self.links) + _MOST_OTHERS
        )

    def place_of(self, href: str) -> int | None:
        """Return the page that an address leads to, by those that the links lead to."""
        counted = page_number(href)
        if counted is None:
            return None
        by_target = {page_number(link.get("href")): number for number, link in self.links.items()}
        if counted in by_target:
            return by_target[counted]
        return counted[1] if self._counts_pages else None

    @property
    def _counts_pages(self) -> bool:
        """Whether the number in an address is the number of the page itself."""
        counted = {number: page_number(link.get("href")) for number, link in self.links.items()}
        return all(found is not None and found[1] == number for number, found in counted.items())


def page_links(document: DocumentTree, usable: list[Node]) -> PageLinks | None:
    """Return the numbered links of the clearest pager of a document."""
    groups: dict[int, tuple[Node, list[tuple[Node, int]]]] = {}
    for node in usable:
        number = _number_of(node)
        if number is None:
            continue
        for around in node.near(_LEVELS):
            groups.setdefault(around.ref, (around, []))[1].append((node, number))
    found = [made for place, nodes in groups.values() if (made := _pager(place, nodes))]
    if not found:
        return None
    # The innermost place that holds the most of them.
    best = max(found, key=lambda each: (len(each.links), each.place.place))
    best.current = _current(best, document)
    return best


def _number_of(node: Node) -> int | None:
    """Return the number on a link to a page."""
    match = _NUMBER.match(node.name.lower().strip()) if node.name else None
    if match is None or _is_date(node):
        return None
    rest = [word for word in words(node.name) if not word.isdecimal()]
    if rest and rest[0] not in _PAGE_WORDS:
        return None
    return int(re.sub(r"\D", "", match[1]))


def _is_date(node: Node) -> bool:
    """Days are numbers too."""
    around = " ".join(each.classes for each in [node, *node.near(3)]).lower()
    return "calendar" in around or "datepick" in around


def _pager(place: Node, nodes: list[tuple[Node, int]]) -> PageLinks | None:
    links: dict[int, Node] = {}
    for node, number in nodes:
        links.setdefault(number, node)
    hrefs = [node.get("href") for node in links.values()]
    others = len([n for n in place.usable() if not n.hidden]) - len(nodes)
    if others > _MOST_OTHERS or _are_sizes(place, hrefs, sorted(links)):
        return None
    near = [nodes[0][0], place, *place.near(2)]
    marked = any(PAGINATION_CLASSES.search(f"{each.classes} {each.name}") for each in near)
    counted = {found for href in hrefs if (found := page_number(href))}
    enough = len(links) >= _FEWEST or (marked and others >= 1 and bool(counted))
    told = marked or len(counted) >= max(_FEWEST, len(links) - 1)
    if not enough or not told or not _follows(sorted(links)):
        return None
    return PageLinks(place, links, nodes=[node for node, _ in nodes])


def _follows(numbers: list[int]) -> bool:
    """Whether numbers are of pages: some of them follow each other, or they begin low."""
    steps = [after - before for before, after in pairwise(numbers)]
    return not steps or min(steps) <= 2 or numbers[0] <= 3


def _are_sizes(place: Node, hrefs: list[str], numbers: list[int]) -> bool:
    """Whether the numbers say how much is shown at once."""
    if differing_size(hrefs):
        return True
    if len(numbers) < _FEWEST or any(number % 5 for number in numbers):
        return False
    if not any(map(page_number, hrefs)):
        return True
    said = f"{place.classes} {' '.join(part for part in place.parts if isinstance(part, str))}"
    return bool(_SIZES.search(said)) and any(map(changes_size, hrefs))


def _current(pager: PageLinks, document: DocumentTree) -> int | None:
    """Return the page that is shown: it is marked, its number is no link, or its address says."""
    for number, node in pager.links.items():
        near = [node, *node.near(1)]
        if any(each.get("aria-current") in ("page", "true") for each in near):
            return number
        if any(_CURRENT.search(each.classes) for each in near):
            return number
    alone = next((number for number in _unlinked(pager.place) if number not in pager.links), None)
    return alone if alone is not None else pager.place_of(document.url)


def _unlinked(place: Node) -> Iterator[int]:
    """Yield the numbers that stand alone in a place and are no links."""
    for each in place.walk():
        for part in each.parts:
            if not isinstance(part, str) or each.role == "link":
                continue
            if match := _BARE_NUMBER.fullmatch(part):
                yield int(match[1])
