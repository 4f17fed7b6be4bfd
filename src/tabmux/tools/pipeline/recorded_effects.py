"""Recorded effects: what the record keeps of what pages showed, asked for and wrote meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tabmux.content import CLOSE, OPEN
from tabmux.page.console.message import ConsoleMessage
from tabmux.page.network.network_request import Request
from tabmux.page_text import visible
from tabmux.record.call_entry import CallEntry, RecordedMessage, RecordedRequest, TouchedElement
from tabmux.record.redaction import (
    WITHOUT_DIFF,
    ArgumentRedaction,
    redacted_beginning,
    without,
    without_credentials,
)
from tabmux.secrets.filled_values import FILLED, Alive
from tabmux.tools.pipeline.call import CallNotes
from tabmux.tools.pipeline.typed_values import MOST_PLAIN, TypedValues

# What one call keeps of the page's network and console.
MOST_REQUESTS, MOST_MESSAGES = 50, 20
LONGEST_URL, LONGEST_MESSAGE = 2000, 500
LONGEST_ERROR = 2000
LONGEST_DIFF = 8000
LONGEST_LOCATOR, LONGEST_WORD = 1000, 100


def is_personal(notes: CallNotes) -> bool:
    """Whether a call was about a page that a person works on, or a document they worked in."""
    page = notes.handle.page if notes.handle is not None else None
    if notes.is_personal or any(each.tool in WITHOUT_DIFF for each in notes.steps):
        return True
    return page is not None and page.is_personal


class RecordedEffects:
    """Takes what entries say of pages from the notes of calls, without what must not be read."""

    def __init__(self) -> None:
        # What was typed where nobody is meant to read it, for as long as its session lasts: pages
        # may show it later.
        self._typed = TypedValues()

    def note_typed(self, values: Sequence[str], alive: Alive) -> None:
        """Keep what was typed out of all that is written down from now on."""
        self._typed.note(values, alive)

    def forget(self) -> None:
        """Drop what was typed in sessions that have ended."""
        self._typed.forget()

    def shown(self, text: str, notes: CallNotes) -> str:
        """Return what a page or a reply says, without what was typed."""
        if not text:
            return ""
        plain = text.replace(OPEN, "").replace(CLOSE, "")
        typed = notes.hidden.values[:MOST_PLAIN]
        return self.taken_out(without(without_credentials(visible(plain)), typed))

    def beginning(self, text: str, longest: int, notes: CallNotes) -> str:
        """Return as much of what a page or a reply says, without what was typed."""
        return redacted_beginning(text, longest, lambda read: self.shown(read, notes))

    def address(self, url: str, notes: CallNotes) -> str:
        """Return an address without credentials and without what was typed."""
        redact = ArgumentRedaction().url
        return redacted_beginning(url, LONGEST_URL, lambda read: self.shown(redact(read), notes))

    def elements(
        self, found: Iterable[TouchedElement], notes: CallNotes
    ) -> tuple[TouchedElement, ...]:
        """Return elements without what pages have put into their names."""
        return tuple(self._element(each, notes) for each in found)

    def _element(self, element: TouchedElement, notes: CallNotes) -> TouchedElement:
        locator = self.beginning(element.locator, LONGEST_LOCATOR, notes)
        return replace(
            element,
            # What is not whole finds nothing again.
            locator=element.locator if locator == visible(element.locator) else "",
            role=self.beginning(element.role, LONGEST_WORD, notes),
            name=self.beginning(element.name, LONGEST_LOCATOR, notes),
            test_id=self.beginning(element.test_id, LONGEST_LOCATOR, notes),
            frame=self.address(element.frame, notes),
        )

    def diff(self, name: str, text: str, notes: CallNotes) -> str:
        """Return what changed, unless a person may have typed it."""
        return "" if name in WITHOUT_DIFF else self.beginning(text, LONGEST_DIFF, notes)

    def error(self, text: str, notes: CallNotes, *, short: bool) -> str:
        """Return what went wrong, or the first line of it."""
        said = text.split("\n", 1)[0] if short else text
        return self.beginning(said, LONGEST_ERROR, notes)

    def taken_out(self, text: str) -> str:
        """Return a text without what was typed in this session or another."""
        return self._typed.text(FILLED.text(text))

    def taken_steps(self, notes: CallNotes) -> Iterator[CallEntry]:
        """Yield what a tool of the page did to its elements, as calls that would do the same."""
        for each in notes.taken:
            element = self._element(each.element.described(), notes)
            names = {"": element.name}
            redaction = ArgumentRedaction(
                frozenset(notes.hidden.values), names, taken_out=self.taken_out
            )
            given = {"uid": element.locator}
            if each.value is not None:
                given["value"] = each.value
            arguments = redaction.arguments(given)
            yield CallEntry(
                round(each.began, 4), "", "", "", each.tool, arguments, tuple(redaction.hidden),
                notes.handle.id if notes.handle is not None else None, "", (element,),
            )  # fmt: skip

    def requests(self, found: Sequence[Request], notes: CallNotes) -> tuple[RecordedRequest, ...]:
        """Return what the page asked of the network, as it is written down."""
        # Pages choose methods and servers kinds: words of any length, of anything.
        return tuple(
            RecordedRequest(
                self.beginning(each.method, LONGEST_WORD, notes),
                self.address(each.url, notes),
                each.status or 0,
                each.type,
                round(each.wall, 4),
                -1 if each.milliseconds is None else round(each.milliseconds, 1),
                -1 if each.size is None else each.size,
                self.beginning(each.mime, LONGEST_WORD, notes),
                self.beginning(each.failure, LONGEST_MESSAGE, notes),
            )
            for each in found
        )

    def console(
        self, found: Sequence[ConsoleMessage], notes: CallNotes
    ) -> tuple[RecordedMessage, ...]:
        """Return what it wrote to the console, as it is written down."""
        return tuple(
            RecordedMessage(
                each.type,
                self.beginning(each.text, LONGEST_MESSAGE, notes),
                self.address(each.source, notes),
            )
            for each in found
        )
