"""Letter forms: every way in which a text may write one character, as expressions of bytes."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import lru_cache
from html.entities import html5

# What is neither a letter nor a digit: in ASCII, and the marks, signs, blanks and emoji beyond it.
PLAIN_MARK = rb"[\x00-/:-@\[-`{-\x7f]"
MARK = rb"%s|[\xc2\xcc\xcd].|\xe2[\x80-\xaf].|\xe3\x80.|\xf0\x9f.." % PLAIN_MARK
# Letters and digits in another style: wide, bold, in circles, raised.
_STYLED = (
    "\xaa-\xba\u02b0-\u02e4\u1d2c-\u1dbf\u2070-\u209c\u2100-\u214f\u2460-\u24ff\uff01-\uff5e"
    "\U0001d400-\U0001d7ff\U0001f100-\U0001f18f"
)
_IS_STYLED = re.compile(f"[{_STYLED}]")
# How UTF-8 begins them.
_MAY_BE_STYLED = re.compile(rb"\xc2[\xaa-\xba]|[\xca\xcb\xe1\xe2\xef].|\xf0\x9d|\xf0\x9f\x84")


def letter(char: str) -> bytes:
    """Return what matches a character in either case, which RE2 knows of ASCII alone."""
    cases = (each for each in (char.upper(), char.lower()) if len(each) == 1)
    found = [char] if char.isascii() else [char, *cases]
    # Without its accents, which are marks.
    plain = unicodedata.normalize("NFD", char)[0]
    ways = {way: None for each in found for way in _ways(each)}
    if plain != char:
        ways[_literal(plain.encode(errors="surrogatepass"))] = None
    return b"(?:%s)" % b"|".join(ways)


def _ways(char: str) -> list[bytes]:
    """Return what matches a character as it is, or as URLs, JSON, scripts and HTML write it."""
    data, code = char.encode(errors="surrogatepass"), ord(char)
    units = [int.from_bytes(unit, "big") for unit in _units(char)]
    ways = [
        _literal(data),
        b"".join(b"%%(?:25)*%02x" % byte for byte in data),
        b"".join(b"=%02x" % byte for byte in data),
        b"".join(rb"(?:\\+|%%)u%04x" % unit for unit in units),
        b"".join(rb"\\+%03o" % byte for byte in data),
        rb"\\+(?:u\{)?0*%x(?:\}| )?" % code,
        rb"&(?:amp;)*#(?:0*%d|x0*%x);?" % (code, code),
    ]
    if code < 256:
        ways.append(rb"\\+x%02x" % code)
    ways += [b"&(?:amp;)*%s;?" % name.encode() for name in _names().get(char, ())]
    if char == " ":
        ways += [rb"\+", rb"\xc2\xa0"]
    return ways


def _units(char: str) -> list[bytes]:
    data = char.encode("utf-16-be", errors="surrogatepass")
    return [data[place : place + 2] for place in range(0, len(data), 2)]


def _literal(data: bytes) -> bytes:
    return b"".join(rb"\x%02x" % byte for byte in data)


@lru_cache(1)
def _names() -> dict[str, list[str]]:
    """Return what HTML calls characters."""
    found = defaultdict(list)
    for name, chars in html5.items():
        if name.endswith(";"):
            found[chars].append(name[:-1])
    return found


def plainly(data: bytes) -> bytes:
    """Return text with letters and digits of another style as plain ones; others as they are."""
    if data.isascii() or not _MAY_BE_STYLED.search(data):
        return data
    text = data.decode(errors="surrogateescape")
    return _IS_STYLED.sub(_plain, text).encode(errors="surrogateescape")


def _plain(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", found[0]).strip("()., ")
