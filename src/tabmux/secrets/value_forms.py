"""Value forms: every way in which a text may show a value, as one expression."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import re2  # type: ignore[import-untyped]

from tabmux.secrets.encoded_forms import base64_forms, code_forms
from tabmux.secrets.letter_forms import MARK, PLAIN_MARK, letter

# What lists, tables and objects put between two letters: marks and tags, the rest of a line with
# what the next one begins with, quoted keys, numbers that are no codes of letters.
_LINE = rb"\"[^\"\n]*\n[^\"\n]*\""
_KEY = rb"\"%s*\w+\\*\"%s*:" % (PLAIN_MARK, PLAIN_MARK)
_NUMBER = rb"[\x00-\x20\"'(,.:;\[{|-]\d+%s" % PLAIN_MARK
# Numbers stand between digits in every table.
_BETWEEN_DIGITS = rb"(?:%s|<[^<>]*>|%s|%s)*" % (MARK, _LINE, _KEY)
_BETWEEN = rb"(?:%s|<[^<>]*>|%s|%s|%s)*" % (MARK, _LINE, _KEY, _NUMBER)
# Of a long value, a text that was cut may show the beginning or the end alone.
_LEAST_SHOWN = 6
_LEAST_NUMBER = 4
_MEMORY = 16 << 20


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


def _forms(value: str, *, partly: bool) -> Iterator[bytes]:
    letters = [letter(char) for char in value]
    between = _BETWEEN_DIGITS if value.isdigit() else _BETWEEN
    yield _folded(_beginnings(letters, between) if partly else between.join(letters))
    if partly:
        yield _folded(_ends(letters, between))
    yield _folded(between.join(reversed(letters)))
    number = value.lstrip("0")
    if value.isascii() and value.isdigit() and len(number) >= _LEAST_NUMBER:
        yield rb"\b%s(?:\.0)?\b" % number.encode()
    yield from map(_folded, code_forms(value))
    for each in base64_forms(value):
        yield _beginnings(each, b"") if partly else b"".join(each)


def _folded(form: bytes) -> bytes:
    return b"(?i:%s)" % form


def _least(letters: Sequence[bytes]) -> int:
    return min(len(letters), max(_LEAST_SHOWN, -(-len(letters) * 3 // 5)))


def _beginnings(letters: Sequence[bytes], between: bytes) -> bytes:
    least = _least(letters)
    rest = b""
    for each in reversed(letters[least:]):
        rest = b"(?:%s%s%s)?" % (between, each, rest)
    return between.join(letters[:least]) + rest


def _ends(letters: Sequence[bytes], between: bytes) -> bytes:
    least = len(letters) - _least(letters)
    start = b""
    for each in letters[:least]:
        start = b"(?:%s%s%s)?" % (start, each, between)
    return start + between.join(letters[least:])
