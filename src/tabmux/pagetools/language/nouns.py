"""Nouns: what the entries of a list are called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from tabmux.pagetools.language import words
from tabmux.pagetools.language.words import word_set

KNOWN_NOUNS = word_set(
    """account activity address alert album answer app application appointment article artist
    asset attachment author bill blog board book bookmark branch brand bread build campaign
    card case category change channel chapter chat city client collection comment commit
    company contact conversation country course customer dashboard database deal deployment
    device discussion document domain download email employee entry episode event exercise
    expense file film flight folder form forum friend game group guest guide hotel house image
    ingredient invoice issue job key label language lead lesson license line link list listing
    location log mail meeting member menu merchant message milestone model movie news note
    notification offer order organization package page participant partner patient payment
    person photo picture place plan player playlist podcast poll post printer product profile
    project promotion property query question quote recipe record release rental report
    repository request reservation resource restaurant result review role room row rule sale
    schedule section seller server service session shift shop site song source staff step
    stock store story student subscription supplier survey table tag talk task team template
    test theme thread ticket todo token tool topic track transaction translation trip tutorial
    user vehicle vendor version video visitor warehouse website wiki workflow workspace"""
)
_ALIASES = {
    "pod": "",
    "repo": "repository",
    "msg": "message",
    "img": "",
    "tr": "",
    "people": "person",
}
_LAYOUT_WORDS = word_set(
    """list menu card table line section form page row site label change key link tool test"""
)
_IGNORED = word_set(
    """all latest recent popular new our your my the top best featured current related more most
    list of in for and by search results result"""
)


def from_words(text: str) -> str:
    """Return the last known noun of a text, singular; words of layouts do not count."""
    for word in reversed(words.words(text)):
        one = words.singular(_ALIASES.get(word, word))
        if one in KNOWN_NOUNS and one not in _LAYOUT_WORDS:
            return one
    return ""


def from_heading(text: str) -> str:
    """Return the noun of a short heading, singular."""
    if known := from_words(text):
        return known
    found = [word for word in words.words(text) if word not in _IGNORED and not word.isdigit()]
    if not found or len(found) > 2 or words.singular(found[-1]) == found[-1]:
        return ""
    return words.singular("_".join(found))


def from_path(url: str) -> str:
    """Return the noun of the last part of an address that is plural, singular."""
    for part in reversed(urlsplit(url).path.split("/")):
        slug = words.slug(re.sub(r"\.\w+$", "", part))
        if not slug or re.search(r"\d", slug):
            continue
        one = words.singular(slug)
        if (one in KNOWN_NOUNS and one not in _LAYOUT_WORDS) or (
            one != slug and "_" not in slug and len(slug) < 20
        ):
            return one
    return ""


def most_frequent(found: Iterable[str]) -> str:
    """Return the noun that is found most often, the first of equals."""
    counts: dict[str, int] = {}
    for noun in found:
        if noun:
            counts[noun] = counts.get(noun, 0) + 1
    return max(counts, key=lambda noun: counts[noun]) if counts else ""
