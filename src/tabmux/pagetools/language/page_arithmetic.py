"""Page arithmetic: which page of something an address leads to, told from its numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import parse_qsl, urljoin

from tabmux.page_text import url_parts
from tabmux.pagetools.language.verbs_and_nouns import action_of, noun_from_path

# Parameters and parts of a path that count pages, or what was left behind.
_PAGE_KEYS = re.compile(
    r"^(?:.*[_\-\[.])?(?:p|pg|page|paged|pagina|pagenum|page_?n(?:o|um|umber)?|page_?index|pn|seite|strona|str|stranka"
    r"|sida|side|start|offset|pos|from|skip|first|begin|st|cursor|startat|start_?index|startrow|pageid|currentpage|cpage)\]?$",
    re.IGNORECASE,
)
_SIZE_KEYS = re.compile(
    r"(?:per_?page|page_?size|limit|size|count|rows|show|display|items|results)(?:\]|$)",
    re.IGNORECASE,
)
_PATH_PAGE = re.compile(
    r"(?:^|[/_.\-?&;])(?:page|pagina|seite|strona|p|pg|start|offset|index|sida|side)[/_.=\-]?(\d{1,6})(?=$|[/_.\-&;?])",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def page_number(href: str) -> tuple[str, int] | None:
    """Return what an address counts, and how far it goes: ("page", 3) for `?page=3`."""
    parts = url_parts(href)
    for key, value in parse_qsl(parts.query):
        if value.isdecimal() and len(value) < 7 and _counts_pages(key):
            return key.lower(), int(value)
    found = _PATH_PAGE.findall(parts.path) or _PATH_PAGE.findall(parts.fragment)
    if found:
        return "path", int(found[-1])
    return None


def _counts_pages(key: str) -> bool:
    return _PAGE_KEYS.match(key) is not None and _SIZE_KEYS.search(key) is None


@lru_cache(maxsize=4096)
def changes_size(href: str) -> bool:
    """Whether an address sets how much is on a page, not which page it is."""
    return any(
        value.isdecimal() and _SIZE_KEYS.search(key)
        for key, value in parse_qsl(url_parts(href).query)
    )


def differing_size(hrefs: Iterable[str]) -> bool:
    """Whether addresses differ in how much they show: those are sizes and no pages."""
    seen: dict[str, set[str]] = {}
    pages: dict[str, set[str]] = {}
    for href in hrefs:
        for key, value in parse_qsl(url_parts(href).query):
            if _counts_pages(key):
                pages.setdefault(key, set()).add(value)
            elif _SIZE_KEYS.search(key):
                seen.setdefault(key, set()).add(value)
    sized = any(len(values) > 1 for values in seen.values())
    return sized and not any(len(values) > 1 for values in pages.values())


def leads_to_neighbour(href: str, here: str) -> bool:
    """Whether an address is that of another thing of the same kind: of ticket 4, for ticket 3.

    Its path differs in the last number alone, which counts no pages, and what stands before the
    number is the name of several things.
    """
    if not href or page_number(href) is not None:
        return False
    there, own = _numbered_thing(url_parts(href).path), _numbered_thing(url_parts(here).path)
    return bool(there) and own.endswith(there) and bool(noun_from_path(own))


def names_one_thing(address: str) -> bool:
    """Whether an address is that of one thing of a kind, by its number."""
    before = _numbered_thing(url_parts(address).path)
    return bool(before) and bool(noun_from_path(before)) and page_number(address) is None


@lru_cache(maxsize=4096)
def acts_on_page(href: str, here: str) -> bool:
    """Whether an address is a page's own, and says something to do with it: `?do=edit`, `/edit`.

    From a page to do one thing, the others are beside it: `/edit` and `/history`.
    """
    there, own = url_parts(urljoin(here, href)), url_parts(here)
    if there.netloc != own.netloc or page_number(href) is not None or changes_size(href):
        return False
    path, base = there.path.rstrip("/"), own.path.rstrip("/")
    if path == base:
        return _pairs(own.query) < _pairs(there.query)
    place, _, said = path.rpartition("/")
    above, _, does = base.rpartition("/")
    if not place or any(map(str.isdecimal, said)):
        return False
    # What else is done to what, as in `/edit-users`, is a page of its own.
    return place == base or (place == above and "_" not in (action_of(does) or "_"))


@lru_cache(maxsize=4096)
def says_by(href: str, here: str) -> frozenset[str]:
    """Return the keys by which an address says what to do with a page; none if its path does."""
    there, own = url_parts(urljoin(here, href)), url_parts(here)
    if there.path.rstrip("/") != own.path.rstrip("/"):
        return frozenset()
    return frozenset(key for key, _ in _pairs(there.query) - _pairs(own.query))


@lru_cache(maxsize=4096)
def kind_of_record(address: str) -> str:
    """Return what kind of thing an address is about, if it has the number of one."""
    path = url_parts(address).path
    while path:
        path, _, last = path.rstrip("/").rpartition("/")
        if last.isdecimal():
            return noun_from_path(path)
    return ""


def _pairs(query: str) -> set[tuple[str, str]]:
    return set(parse_qsl(query, keep_blank_values=True))


def _numbered_thing(path: str) -> str:
    """Return what stands before the number that a path ends with, or nothing."""
    before, _, last = path.rstrip("/").rpartition("/")
    return before if last.isdecimal() else ""


@lru_cache(maxsize=4096)
def address_kind(href: str) -> str:
    """Return the same for addresses of things of one kind: where they stand."""
    parts = url_parts(href)
    if parts.query:
        return f"{parts.path}?{'&'.join(sorted(key for key, _ in parse_qsl(parts.query)))}"
    places = parts.path.strip("/").split("/")
    numbered = ["*" if any(map(str.isdecimal, place)) else place for place in places]
    return "/".join(numbered if "*" in numbered else numbered[:-1]) or parts.netloc


def address_depth(href: str) -> int:
    """Return how many parts the path of an address has."""
    return len([part for part in url_parts(href).path.split("/") if part])
