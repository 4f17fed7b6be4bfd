"""Patterns: regular expressions that agents, pages and settings write, searched in linear time.

Python's own engine can be kept busy for ever by one expression and a short text, and with it
everything that the server does. RE2 cannot; it has no lookaround and no back-references.
"""

from __future__ import annotations

import re

import re2  # type: ignore[import-untyped]

from tabmux.errors import BadArguments
from tabmux.page_text import in_quotes

LONGEST_EXPRESSION = 1_000
# The time of a search grows with the text and with what the expression was compiled to. So many
# steps take about 40 ms in the worst case; of a text that would need more, the beginning counts.
MOST_STEPS = 8_000_000
_LARGEST_PROGRAM = 4_000
_MEMORY = 1 << 18

_SYNTAX = frozenset("\\.^$*+?{}[]|()")
_UNSUPPORTED = re.compile(r"\(\?(?:<?[=!]|P=|\()|\\[1-9]|\\k<")
_HUGE_REPETITION = re.compile(r"\{\d*,?\d{5}")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|(Z)|.)", re.DOTALL)


class TextPattern:
    """A regular expression that was checked, or a plain text.

    Args:
        expression: The expression.
        ignore_case: Whether upper and lower case are alike.
        plain: Whether it is a text, in which no character has a meaning of its own.
    """

    def __init__(self, expression: str, *, ignore_case: bool = False, plain: bool = False) -> None:
        self._text = expression.lower() if ignore_case else expression
        self._ignore_case = ignore_case
        # Most expressions are plain words, which are found ten times as fast without an engine.
        plain = plain or _SYNTAX.isdisjoint(expression)
        self._compiled = None if plain else _compiled(expression, ignore_case)

    def is_in(self, text: str) -> bool:
        """Whether it matches somewhere in a text."""
        if self._compiled is None:
            return self._text in (text.lower() if self._ignore_case else text)
        most = MOST_STEPS // self._compiled.programsize
        data = text[:most].encode(errors="replace")
        return self._compiled.search(data) is not None


def is_unsupported(expression: str) -> bool:
    """Whether an expression needs what no engine can do in linear time."""
    return _UNSUPPORTED.search(expression.replace(r"\\", "")) is not None


def _compiled(expression: str, ignore_case: bool) -> re2._Regexp:
    shown = in_quotes(expression, 100)
    if is_unsupported(expression):
        raise BadArguments(
            f"{shown} uses lookaround or a back-reference, which are not supported.",
            hint="Write it without them; the syntax is that of RE2.",
        )
    if len(expression) > LONGEST_EXPRESSION or _HUGE_REPETITION.search(expression):
        raise BadArguments(f"{shown} is too large for a regular expression.")
    try:
        compiled = re2.compile(_ESCAPE.sub(_translated, expression), _options(ignore_case))
    except (re2.error, UnicodeEncodeError) as error:
        raise BadArguments(f"{shown} is not a regular expression: {_reason(error)}.") from error
    if compiled.programsize > _LARGEST_PROGRAM:
        raise BadArguments(f"{shown} is too large for a regular expression.")
    return compiled


def _options(ignore_case: bool) -> re2.Options:
    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.log_errors = False
    # Whether it matches is all that is asked, which is faster to find out.
    options.never_capture = True
    options.max_mem = _MEMORY
    return options


def _translated(found: re.Match[str]) -> str:
    """Say in RE2's words what others write in escapes of their own."""
    if code := found[1] or found[2]:
        return rf"\x{{{code}}}"
    return r"\z" if found[3] else found[0]


def _reason(error: Exception) -> str:
    told = error.args[0] if error.args else ""
    return told.decode(errors="replace") if isinstance(told, bytes) else str(error)
