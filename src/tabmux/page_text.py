"""Page text: what strangers wrote, without what no reader sees, and inside our own sentences.

Dropped are control characters, marks of writing direction, soft hyphens, fillers, tags,
variation selectors and everything else that takes no room on a screen. What changes how its
neighbour looks stays, once each: a variation selector after an emoji, a joiner between two
emoji, and a joiner after a letter of the scripts that are written with it.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import SplitResult, quote, urlsplit

LONGEST_QUOTATION = 200
LONGEST_ADDRESS = 150
LONGEST_DATA_ADDRESS = 60

_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# Arabic and its neighbours, the scripts of India, Khmer, Mongolian.
_JOINED_LETTERS = "\u0610-\u08ff\u0900-\u0dff\u1780-\u17b3\u17b6-\u17ff\u1820-\u18af"
# Would end a line in a reader's eyes.
_BREAKS = re.compile("[\x0b\x0c\x85\u2028\u2029]+")
# Control, format and default-ignorable characters of Unicode 16, and its noncharacters; without
# the joiners and the two selectors below, and without the format characters of Arabic numbers
# (U+0600 and its like), which are drawn.
_DROPPED = re.compile(
    "[\x00-\x08\x0d-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0"
    "\ufff0-\ufffb\ufffe\uffff\U00013430-\U0001343f\U0001bca0-\U0001bcaf\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]+"
)
_JOINERS_AND_SELECTORS = ("\u200c", "\u200d", "\ufe0e", "\ufe0f")
# Each begins with the character itself, which makes the search three times as fast.
_STRAY = re.compile(
    "[\u200c\u200d\ufe0e\ufe0f]{3,}"
    f"|\ufe0e(?<![{_EMOJI}].)"
    f"|\ufe0f(?<![{_EMOJI}].)(?:(?<![#*0-9].)|(?!\u20e3))"
    f"|\u200c(?<![{_JOINED_LETTERS}].)"
    f"|\u200d(?<![{_JOINED_LETTERS}].)"
    f"(?:(?<![{_EMOJI}].)(?<![{_EMOJI}]\ufe0f.)|(?![{_EMOJI}]))"
)
_CODES = bytes({*range(0x20), 0x7F} - {*b"\t\n"})
_SPACES = re.compile(r"\s+")
_NOT_IN_ADDRESSES = re.compile(r"[\s\"<>`\\]")


def visible(text: str) -> str:
    """Return a text without what pages can write but no reader is meant to see."""
    if text.isascii():
        # Nearly every text has none of it, which is found out faster than a pattern could.
        data = text.encode()
        if len(data.translate(None, _CODES)) == len(data):
            return text
    plain = _DROPPED.sub("", _BREAKS.sub(" ", text))
    if any(each in plain for each in _JOINERS_AND_SELECTORS):
        plain = _STRAY.sub("", plain)
    return plain


def visible_values(value: Any) -> Any:
    """Return a JSON value with all its texts, and the names of its members, made visible."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(str(key)): visible_values(each) for key, each in value.items()}
    return [visible_values(each) for each in value] if isinstance(value, list | tuple) else value


def in_quotes(text: str, most: int = LONGEST_QUOTATION) -> str:
    """Return a stranger's text as a quotation of one line that it cannot end by itself."""
    line = visible_line(text, most)
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'


def visible_line(text: str, most: int = LONGEST_QUOTATION) -> str:
    """Return a text as one line of at most so many characters."""
    # What is invisible may be most of it; a text that is far too long is not read to its end.
    line = _SPACES.sub(" ", visible(text[: most * 10])).strip()
    return f"{line[:most]}…" if len(line) > most or len(text) > most * 10 else line


def address(url: str, most: int = LONGEST_ADDRESS) -> str:
    """Return a URL as one word, without blanks and quotation marks, not too long for a line."""
    if url[:5].lower() == "data:":
        most = min(most, LONGEST_DATA_ADDRESS)  # it says nothing after its type
    line = _NOT_IN_ADDRESSES.sub(_escaped, visible(url[: most * 10]))
    return f"{line[:most]}…" if len(line) > most or len(url) > most * 10 else line


def _escaped(found: re.Match[str]) -> str:
    return quote(found[0], errors="replace")


def url_parts(url: str) -> SplitResult:
    """Return the parts of an address from outside; what is none, such as http://[, has none."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")
