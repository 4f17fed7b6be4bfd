"""Typed values: what was typed where nobody is meant to read it, taken out of what is recorded."""

from __future__ import annotations

from collections.abc import Sequence

from tabmux.record.redaction import CUT, without
from tabmux.secrets.filled_values import Alive, FilledValues
from tabmux.secrets.form_safety import SHORTEST_HIDDEN

# Every form of a value is looked for in every text of every entry: what that costs grows with
# their number and length. Others are found as they are, and as URLs write them.
MOST_FORMS, LONGEST_FORM = 40, 64
# To make an expression of a value takes some milliseconds, too.
MOST_AT_ONCE = 5
MOST_PLAIN = 200
# In one text; pages may write as many of these marks as they like.
MOST_CUTS = 5


class TypedValues:
    """Values that were typed in any session, each kept for as long as a session that typed it."""

    def __init__(self) -> None:
        self._forms = FilledValues()
        # Both from the oldest to the newest.
        self._with_forms: dict[str, None] = {}
        self._plain: dict[str, set[Alive]] = {}

    def note(self, values: Sequence[str], alive: Alive) -> None:
        """Keep what one call has typed out of all texts for as long as `alive` says."""
        for number, each in enumerate(values[:MOST_PLAIN]):
            self._note(each, alive, forms=number < MOST_AT_ONCE and len(each) <= LONGEST_FORM)

    def _note(self, value: str, alive: Alive, *, forms: bool) -> None:
        if forms:
            self._forms.note(value, alive, partly=False)
            self._with_forms.pop(value, None)
            self._with_forms[value] = None
        self._plain[value] = {*self._plain.pop(value, ()), alive}
        if len(self._with_forms) > MOST_FORMS:
            oldest = next(iter(self._with_forms))
            del self._with_forms[oldest]
            self._forms.remove(oldest)
        if len(self._plain) > MOST_PLAIN:
            del self._plain[next(iter(self._plain))]

    def _without_cut_ends(self, text: str) -> str:
        """Return a text without the beginnings of values where it was cut before it came here."""
        *cut, last = text.split(CUT, MOST_CUTS)
        return CUT.join([*(self._without_beginning(each) for each in cut), last])

    def _without_beginning(self, text: str) -> str:
        for value in self._plain:
            longest = min(len(value), LONGEST_FORM)
            for length in range(longest, SHORTEST_HIDDEN - 1, -1):
                if text.endswith(value[:length]):
                    return text[:-length]
        return text

    def forget(self) -> None:
        """Drop the values of sessions that have ended."""
        self._forms.forget()
        living = {
            value: {alive for alive in lives if alive()} for value, lives in self._plain.items()
        }
        self._plain = {value: lives for value, lives in living.items() if lives}
        self._with_forms = {each: None for each in self._with_forms if each in self._plain}

    def text(self, text: str) -> str:
        """Return a text without the values."""
        found = self._forms.text(self._without_cut_ends(text) if CUT in text else text)
        rest = [each for each in self._plain if each not in self._with_forms]
        return without(found, rest) if rest else found
