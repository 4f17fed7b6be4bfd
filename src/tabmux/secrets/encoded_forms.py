"""Encoded forms: what a value becomes as the numbers of its letters and in base64."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from tabmux.secrets.letter_forms import PLAIN_MARK

# What stands between the numbers of letters, by their base; zeros before one count as well.
_SEPARATORS = {
    "x": rb"%s*(?:0?x|u)?%s*0*" % (PLAIN_MARK, PLAIN_MARK),
    "d": rb"(?:\D{1,3}|%s+(?:\d{1,3}%s+)?)" % (PLAIN_MARK, PLAIN_MARK),
    "o": rb"%s+0*" % PLAIN_MARK,
    "b": rb"%s*0*" % PLAIN_MARK,
}
# How many characters of base64 depend on 0, 1 or 2 bytes that stand before a value.
_EDGES = (0, 2, 3)
_LEAST_BASE64 = 5
# Characters that URLs write in another way.
_BASE64 = {ord("+"): b"(?:[+-]|%2[Bb])", ord("/"): b"(?:[/_]|%2[Ff])"}


def code_forms(value: str) -> Iterator[bytes]:
    """Return a value as the numbers of its letters, or of their bytes, in both directions."""
    for base, separator in _SEPARATORS.items():
        codes = [_codes(char, base, separator) for char in value]
        yield separator.join(codes)
        yield separator.join(reversed(codes))


def _codes(char: str, base: str, separator: bytes) -> bytes:
    data = char.encode(errors="surrogatepass")
    numbers = [format(byte, base).encode() for byte in data]
    if len(data) == 1:
        return numbers[0]
    backwards = separator.join(reversed(numbers))
    whole = format(ord(char), base).encode()
    return b"(?:%s|%s|%s)" % (whole, separator.join(numbers), backwards)


def base64_forms(value: str) -> Iterator[Sequence[bytes]]:
    """Return the middle of what base64 makes of a value, wherever it stands in other data."""
    for data in dict.fromkeys(_packed(value)):
        for before, skipped in enumerate(_EDGES):
            whole = base64.b64encode(b"\0" * before + data)
            # The last character with bits of the value alone.
            end = (8 * (before + len(data))) // 6
            letters = [_BASE64.get(char, b"%c" % char) for char in whole[skipped:end]]
            if len(letters) >= _LEAST_BASE64:
                # Mails break it into lines.
                yield [letters[0], *(rb"[\r\n]*" + each for each in letters[1:])]
                if data == value.encode(errors="surrogatepass"):
                    yield letters[::-1]


def _packed(value: str) -> Iterator[bytes]:
    """Return what of a value is put into base64: itself, turned round, or in another form."""
    data = value.encode(errors="surrogatepass")
    yield data
    yield value[::-1].encode(errors="surrogatepass")
    yield value.encode("latin-1", errors="replace")
    yield value.encode("utf-16-le", errors="surrogatepass")
    yield quote(data, safe="!'()*~").encode()
    yield html.escape(value).encode(errors="surrogatepass")
    yield json.dumps(value)[1:-1].encode()
    yield json.dumps(value, ensure_ascii=False)[1:-1].encode(errors="surrogatepass")
    yield base64.b64encode(data)
