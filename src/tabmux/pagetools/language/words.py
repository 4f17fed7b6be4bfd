"""Words: makes the texts of pages fit for names, keys and descriptions."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from tabmux.page_text import visible


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


ELLIPSIS = "…"
_NOT_WORD = re.compile(r"[^a-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# A key by which something is reached, as some pages write it behind names.
_ACCESS_KEY = re.compile(
    r"\s*(?:\[(?:.|(?:alt|ctrl|control|shift|cmd|⌘|⌥|esc)\b[^\]]*)\]"
    r"|\((?:alt|ctrl|control|shift|cmd|⌘|⌥)\b[^)]*\))\s*$",
    re.IGNORECASE,
)
_LABEL_MARK = re.compile(r"\s*(?:\*+|[:：]|\((?:required|optional)\))\s*$", re.IGNORECASE)
_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Cn"})

# Letters that are not an ASCII one with an accent, which is taken off before; signs give nothing.
_CYRILLIC = """а=a б=b в=v г=g д=d е=e ж=zh з=z и=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh
    ц=ts ч=ch ш=sh щ=shch ъ= ы=y ь= э=e ю=yu я=ya і=i є=ye ґ=g ј=j љ=lj њ=nj ћ=c ђ=dj џ=dz"""
_GREEK = """α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f
    χ=ch ψ=ps ω=o"""
_LATIN = "ß=ss æ=ae œ=oe ø=o ł=l đ=d ð=d þ=th ı=i"
_LETTERS = str.maketrans(dict(pair.split("=") for pair in f"{_CYRILLIC} {_GREEK} {_LATIN}".split()))

_NOT_PLURAL = word_set(
    """news series species address access business process progress success status canvas bus gas
    css js https this is us was has address always analysis basis previous press class glass
    pass boss cross less plus focus campus virus bonus lens"""
)


def clean(text: str, limit: int = 200) -> str:
    """Return page text on one line, without characters that hide or turn other text, cut."""
    if not text.isascii() or not text.isprintable():
        text = visible(text)
        text = "".join(
            " " if char.isspace() else char
            for char in text
            if char.isspace() or unicodedata.category(char) not in _INVISIBLE
        )
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + ELLIPSIS


def strip_label_marks(text: str) -> tuple[str, bool]:
    """Return a label without its marks, and whether one of them says that it is required."""
    required = False
    text = clean(text, 120)
    while match := _LABEL_MARK.search(text):
        required = required or "*" in match[0] or "required" in match[0].lower()
        text = text[: match.start()]
    if text.startswith("*"):
        text, required = text.lstrip("* "), True
    return text, required


@lru_cache(maxsize=4096)
def slug(text: str) -> str:
    """Return the words in lower-case ASCII, joined by underscores; nothing for other scripts."""
    text = (
        _CAMEL.sub(" ", _ACCESS_KEY.sub("", text))
        .lower()
        .replace("&", " and ")
        .replace("'", "")
        .replace("’", "")
    )
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in text if not unicodedata.combining(char))
        text = text.translate(_LETTERS)
    return _NOT_WORD.sub("_", text).strip("_")


def words(text: str) -> list[str]:
    """Return the words of a text, in lower-case ASCII."""
    return [word for word in slug(text).split("_") if word]


def singular(noun: str) -> str:
    """Return an English noun for one thing."""
    head, _, last = noun.rpartition("_")
    if len(last) > 3 and last not in _NOT_PLURAL:
        last = _singular_word(last)
    return f"{head}_{last}" if head else last


def _singular_word(word: str) -> str:
    if word == "people":
        return "person"
    if word.endswith("ciones"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-3] + ("ie" if word in ("movies", "cookies") else "y")
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plural(noun: str) -> str:
    """Return an English noun for several things."""
    if singular(noun) != noun or noun.endswith("people"):
        return noun
    if noun.endswith("person"):
        return noun[:-6] + "people"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


_SAID_TWICE = re.compile(r"^([a-z]+)_\1(?=_|$)")


@lru_cache(maxsize=4096)
def name_of(*parts: str, limit: int = 40) -> str:
    """Return a tool's name of some parts, cut between words; it says its verb once."""
    found = "_".join(part for part in parts if part).strip("_")
    found = _SAID_TWICE.sub(r"\1", re.sub(r"_+", "_", found))
    if found and not found[0].isalpha():
        found = f"n{found}" if found[0].isdigit() else found
    if len(found) <= limit:
        return found
    cut = found[: limit + 1]
    return cut[: cut.rfind("_")] if "_" in cut[8:] else found[:limit]
