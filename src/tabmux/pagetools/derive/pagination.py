"""Pagination: finds next, previous and numbered pages, and buttons that load more."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive.forms import is_button
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.model import DerivedTool, Option, ToolControl

_PAGINATION_CLASSES = re.compile(
    r"pagin|pager|page-?nav|page-numbers|pagelinks|wp-pagenavi|pages\b", re.IGNORECASE
)
_CAROUSEL_CLASSES = re.compile(
    r"carousel|slider|slick|swiper|calendar|datepicker|gallery|lightbox|owl-", re.IGNORECASE
)
_NEXT_MARK = re.compile(
    r"(?:^|[\s_#-])(?:next|older|pagination-next|i-next)(?:$|[\s_-])", re.IGNORECASE
)
_PREVIOUS_MARK = re.compile(r"(?:^|[\s_#-])(?:prev|previous|newer)(?:$|[\s_-])", re.IGNORECASE)
_ARROWS_ON = frozenset({"›", "»", ">", ">>", "→", "▶", "⟩", "❯"})
_ARROWS_BACK = frozenset({"‹", "«", "<", "<<", "←", "◀", "⟨", "❮"})
_PUNCTUATION = re.compile(r"[^\w\s]")
MOST_WORDS = 4


def pagination_tools(document: DocumentTree, claimed: set[int]) -> list[DerivedTool]:
    """Return the tools that turn pages."""
    usable = [n for n in document.nodes.usable.all if _is_usable(n, claimed)]
    on = next(
        (n for n in usable if _turns_page(n, "next", lexicon.NEXT, _NEXT_MARK, _ARROWS_ON)), None
    )
    back = next(
        (
            n
            for n in usable
            if _turns_page(n, "prev", lexicon.PREVIOUS, _PREVIOUS_MARK, _ARROWS_BACK)
        ),
        None,
    )
    more = next(
        (
            n
            for n in usable
            if lexicon.MORE.match(n.name.lower()) and len(words.words(n.name)) <= MOST_WORDS
        ),
        None,
    )
    found = []
    if on:
        found.append(_page_button_tool("next_page", "Go to the next page", on, 66))
    if back:
        found.append(_page_button_tool("previous_page", "Go to the previous page", back, 64))
    if more:
        found.append(_page_button_tool("load_more", "Show more of the list", more, 66))
    if numbers := _page_numbers(usable):
        found.append(_page_number_tool(numbers, 62 if not on else -5))
    return found


def _is_usable(node: Node, claimed: set[int]) -> bool:
    if node.hidden or node.has("d") or node.ref in claimed:
        return False
    if not (node.role == "link" or is_button(node)):
        return False
    around = [node, *islice(node.ancestors(), 6)]
    return (
        not any(_CAROUSEL_CLASSES.search(each.classes) for each in around)
        and "disabled" not in around[0].classes + around[1].classes
    )


def _turns_page(
    node: Node, relation: str, said: lexicon.Lexicon, mark: re.Pattern[str], arrows: frozenset[str]
) -> bool:
    if relation in node.get("rel").lower().split():
        return True
    name, bare = _normalized(node.name)
    if len(name.split()) > MOST_WORDS:
        return False
    if name in arrows:
        return _is_in_pagination(node)
    if said.match(bare):
        rest = said.pattern.sub("", bare, count=1)
        short = len(words.words(rest) or rest.split()) <= 1
        return (short and node.role == "link") or "page" in bare or _is_in_pagination(node)
    marks = node.classes if node.parent is None else f"{node.classes} {node.parent.classes}"
    return bool(mark.search(marks)) and (not name or _is_in_pagination(node))


# A page says the same every time that it is looked at.
@lru_cache(maxsize=8192)
def _normalized(name: str) -> tuple[str, str]:
    """Return a name in lower case, and without its signs."""
    lowered = name.lower().strip()
    return lowered, _PUNCTUATION.sub("", lowered).strip()


def _is_in_pagination(node: Node) -> bool:
    """Whether what it stands in speaks of pages."""
    return any(
        _PAGINATION_CLASSES.search(each.classes) or _PAGINATION_CLASSES.search(each.name)
        for each in [node, *islice(node.ancestors(), 4)]
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


def _page_numbers(usable: list[Node]) -> list[Node]:
    numbered = [n for n in usable if re.fullmatch(r"(?:page )?\d{1,4}", n.name.lower().strip())]
    groups: dict[int, list[Node]] = {}
    for node in numbered:
        for around in islice(node.ancestors(), 3):
            if _PAGINATION_CLASSES.search(around.classes) or around.role in ("navigation", "list"):
                groups.setdefault(around.ref, []).append(node)
                break
    best = max(groups.values(), key=len, default=[])
    return best if len(best) >= 2 else []


def _page_number_tool(nodes: list[Node], rank: float) -> DerivedTool:
    options = {re.sub(r"\D", "", n.name): n.ref for n in nodes}
    control = ToolControl(
        "page",
        nodes[0].ref,
        "choice",
        "Page",
        required=True,
        options=tuple(Option(text, text, ref) for text, ref in options.items()),
        schema={"type": "integer", "minimum": 1},
    )
    return DerivedTool(
        "pager",
        "pager|go",
        ["go_to_page"],
        "Go to a page by its number",
        rank,
        controls=[control],
        reads=True,
        repeatable=True,
        nodes=nodes,
    )
