"""Value forms: every way in which a text may show a value, as one expression."""

from __future__ import annotations

import base64
import html.entities
from collections.abc import Iterable, Sequence

import re2  # type: ignore[import-untyped]

# What may stand between two characters: what JSON and shells escape with, or marks as in a list.
_BETWEEN = rb"\\*[ \t\r\n,.\"'|-]{0,4}\\*"
# Of a long value, a text that was cut may show the beginning or the end alone.
_LEAST_SHOWN = 6
_MEMORY = 16 << 20
# How many characters of base64 depend on 0, 1 or 2 bytes that stand before a value.
_BASE64_EDGES = (0, 2, 3)
_LEAST_BASE64 = 5
# Characters that URLs write in another way.
_BASE64 = {ord("+"): b"(?:[+-]|%2[Bb])", ord("/"): b"(?:[/_]|%2[Ff])"}


def expression(value: str, *, partly: bool) -> re2._Regexp:
    """Return what matches any form of a value, in bytes.

    Args:
        value: The value.
        partly: Whether a part of it is a secret as well.
    """
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.case_sensitive, options.longest_match = True, True
    options.never_capture, options.max_mem = True, _MEMORY
    options.log_errors = False
    return re2.compile(b"|".join(_forms(value, partly=partly)), options=options)


def _forms(value: str, *, partly: bool) -> Iterable[bytes]:
    letters = [_letter(char) for char in value]
    yield _folded(_beginnings(letters) if partly else _BETWEEN.join(letters))
    if partly:
        yield _folded(_ends(letters))
    yield _folded(_BETWEEN.join(reversed(letters)))
    data = value.encode(errors="surrogatepass")
    yield _folded(rb"[\s:]?".join(b"%02x" % byte for byte in data))
    yield rb"\D{1,3}".join(b"%d" % ord(char) for char in value)
    yield from _base64_forms(data, partly=partly)


def _letter(char: str) -> bytes:
    """Return what matches a character in either case, which RE2 knows of ASCII alone."""
    cases = dict.fromkeys(
        (char, *(each for each in (char.upper(), char.lower()) if len(each) == 1))
    )
    return b"(?:%s)" % b"|".join(_ways(each) for each in (cases if not char.isascii() else char))


def _ways(char: str) -> bytes:
    """Return what matches a character as it is, or as URLs, JSON, scripts and HTML write it."""
    data, code = char.encode(errors="surrogatepass"), ord(char)
    units = [int.from_bytes(unit, "big") for unit in _units(char)]
    ways = [
        _literal(data),
        b"".join(b"%%(?:25)*%02x" % byte for byte in data),
        b"".join(rb"\\+u%04x" % unit for unit in units),
        rb"\\+u\{0*%x\}" % code,
        rb"&(?:amp;)*#(?:0*%d|x0*%x);?" % (code, code),
    ]
    if code < 256:
        ways.append(rb"\\+x%02x" % code)
    if name := {39: "apos", **html.entities.codepoint2name}.get(code):
        ways.append(b"&(?:amp;)*%s;?" % name.encode())
    if char == " ":
        ways += [rb"\+", rb"\xc2\xa0"]
    return b"|".join(ways)


def _units(char: str) -> list[bytes]:
    data = char.encode("utf-16-be", errors="surrogatepass")
    return [data[place : place + 2] for place in range(0, len(data), 2)]


def _literal(data: bytes) -> bytes:
    return b"".join(rb"\x%02x" % byte for byte in data)


def _folded(form: bytes) -> bytes:
    return b"(?i:%s)" % form


def _least(letters: Sequence[bytes]) -> int:
    return min(len(letters), max(_LEAST_SHOWN, -(-len(letters) * 3 // 5)))


def _beginnings(letters: Sequence[bytes], between: bytes = _BETWEEN) -> bytes:
    least = _least(letters)
    rest = b""
    for letter in reversed(letters[least:]):
        rest = b"(?:%s%s%s)?" % (between, letter, rest)
    return between.join(letters[:least]) + rest


def _ends(letters: Sequence[bytes]) -> bytes:
    least = len(letters) - _least(letters)
    start = b""
    for letter in letters[:least]:
        start = b"(?:%s%s%s)?" % (start, letter, _BETWEEN)
    return start + _BETWEEN.join(letters[least:])


def _base64_forms(data: bytes, *, partly: bool) -> Iterable[bytes]:
    """Return the middle of what base64 makes of a value, wherever it stands in other data."""
    for before, skipped in enumerate(_BASE64_EDGES):
        whole = base64.b64encode(b"\0" * before + data)
        # The last character with bits of the value alone.
        end = (8 * (before + len(data))) // 6
        letters = [_BASE64.get(char, b"%c" % char) for char in whole[skipped:end]]
        if len(letters) >= _LEAST_BASE64:
            yield _beginnings(letters, b"") if partly else b"".join(letters)
