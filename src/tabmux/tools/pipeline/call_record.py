"""Call record: makes the record's entry of a call from what its steps have noted."""

from __future__ import annotations

import asyncio
import base64
import logging
import random
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Self

from tabmux.content import Reply
from tabmux.errors import TabmuxError
from tabmux.observability import CountedCall
from tabmux.page.console.message import ConsoleMessage
from tabmux.page.handle import PageHandle
from tabmux.page.network.network_request import Request
from tabmux.page.see.screenshots import ImageEncoding
from tabmux.record.call_entry import CallEntry, TouchedElement
from tabmux.record.record import Record
from tabmux.record.recorded_sessions import RecordedSession, RecordedSessions, kept
from tabmux.record.redaction import OPAQUE, STORING, TYPING, WITHOUT_DIFF, ArgumentRedaction
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.call import Call, CallNotes, ToolRun
from tabmux.tools.pipeline.recorded_effects import (
    MOST_MESSAGES,
    MOST_REQUESTS,
    RecordedEffects,
    is_personal,
)
from tabmux.tools.pipeline.touched_elements import given_locators, noted

logger = logging.getLogger(__name__)

PICTURE_SECONDS = 2.0
# Tools that act on no page, after which another one is selected.
_SELECTING = frozenset({"new_page", "select_page"})
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
# A flag of W3C's Trace Context.
_SAMPLED = 0x01


@dataclass(frozen=True)
class CallEnd:
    """What a call came to, as things stood when it ended: the entry is made after its reply.

    Attributes:
        reply: What the agent was told.
        milliseconds: How long it took.
        page: The page that it was about.
        url: Where that was.
        is_personal: Whether a person had worked in the document that it showed.
        requests: What the page asked of the network since the call began.
        messages: What it wrote to the console.
    """

    reply: Reply
    milliseconds: float
    page: PageHandle | None
    url: str
    is_personal: bool = False
    requests: Sequence[Request] = ()
    messages: Sequence[ConsoleMessage] = ()

    @classmethod
    def of(cls, session: Session, notes: CallNotes, name: str, counted: CountedCall) -> Self:
        """Take what may be another's by the time that the entry is made."""
        milliseconds = round((time.monotonic() - counted.began) * 1000, 1)
        handle = notes.handle or _selected_page(session, name)
        url = handle.url if handle is not None else ""
        personal = is_personal(notes)
        if (page := notes.page) is None or personal:
            return cls(counted.reply, milliseconds, handle, url, personal)
        first_request, first_message = notes.before
        requests = page.network.records.newest_since(first_request, MOST_REQUESTS)
        messages = page.console.records.newest_since(first_message, MOST_MESSAGES)
        return cls(counted.reply, milliseconds, handle, url, personal, requests, messages)


class CallRecord:
    """The record as the pipeline uses it."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._effects = RecordedEffects()
        self._sessions = RecordedSessions(record, self._effects.forget)

    @contextmanager
    def keeping(self, call: Call, counted: CountedCall) -> Iterator[None]:
        """Add a call to the record when the block has ended, however it does.

        Its reply goes out first: who waits for that does not wait for the record.
        """
        recorded = self._sessions.of(call.session)
        recorded.begin()
        try:
            yield
        finally:
            if self._record.wants(kept(call.session)):
                end = CallEnd.of(call.session, call.notes, call.name, counted)
                asyncio.get_running_loop().call_soon(self._keep, call, end, recorded)
            else:
                recorded.done()

    @contextmanager
    def keeping_step(
        self,
        session: Session,
        name: str,
        given: Mapping[str, Any],
        notes: CallNotes,
        above: CallNotes,
    ) -> Iterator[CountedCall]:
        """Add a call that another one makes to that one's notes."""
        step = CountedCall(name)
        try:
            yield step
        finally:
            if self._record.wants(kept(session)):
                end = CallEnd.of(session, notes, name, step)
                entry = self._entry(session, name, given, notes, end)
                above.steps.append(replace(entry, session="", client=""))

    def note_elements(self, run: ToolRun) -> None:
        """Note what the elements can be found by that the run acts on, before it changes them."""
        run.notes.handle, run.notes.reads = run.handle or _closed_page(run), run.tool.reads
        if not run.tool.reads and self._record.wants(kept(run.session)):
            run.notes.elements = noted(run)

    async def take_picture(self, run: ToolRun) -> None:
        """Keep a picture of the page after an action, where that is wanted and can be had."""
        page = run.page
        wanted = self._record.wants_pictures(kept(run.session)) and not run.nested
        if not wanted or run.tool.reads or run.tool.name in WITHOUT_DIFF or page is None:
            return
        if page.gone or page.is_personal or page.dialogs.current is not None:
            return
        with suppress(TabmuxError, TimeoutError):
            async with asyncio.timeout(PICTURE_SECONDS):
                picture = await page.screenshots.viewport(ImageEncoding("webp", 60))
            run.notes.picture = self._record.save_picture(base64.b64decode(picture.data))

    def _keep(self, call: Call, end: CallEnd, recorded: RecordedSession) -> None:
        session, notes, run = call.session, call.notes, recorded.run
        try:
            trace, parent, unsampled = _trace(call.client.traceparent)
            name, number = run.place(session.visible_name, session.client, notes.began)
            place = (name, number, parent, unsampled)
            entry = self._entry(
                session, call.name, call.given, notes, end, trace, place,
                opaque=call.toolset.provider_of(call.name) is not None,
            )  # fmt: skip
            run.add(entry)
        except Exception:  # the record is no part of the call, and must not fail it
            logger.exception("A call of %s could not be recorded", call.name)
        finally:
            recorded.done()

    def _entry(
        self,
        session: Session,
        name: str,
        given: Mapping[str, Any],
        notes: CallNotes,
        end: CallEnd,
        trace: str = "",
        place: tuple[str, int, str, bool] = ("", 0, "", False),
        *,
        opaque: bool = False,
    ) -> CallEntry:
        elements = self._effects.elements(_with_given(notes, given), notes)
        reply, page = end.reply, end.page
        said = (notes.said or reply.text) if reply.failed else ""
        redaction = self._redaction(session, name, notes, reply, elements, opaque=opaque)
        arguments, effects = redaction.arguments(given), self._effects
        return CallEntry(
            round(notes.began, 4),
            trace,
            session.visible_name,
            session.client,
            name,
            arguments,
            tuple(redaction.hidden),
            page.id if page is not None else None,
            effects.address(end.url, notes),
            elements,
            reply.code,
            effects.error(said, notes, short=end.is_personal),
            end.milliseconds,
            len(reply.text),
            "" if end.is_personal else effects.diff(name, reply.changes, notes),
            notes.picture,
            notes.reads,
            effects.requests(end.requests, notes),
            effects.console(end.messages, notes),
            tuple(notes.steps) or tuple(effects.taken_steps(notes)),
            *place,
        )

    def _redaction(
        self,
        session: Session,
        name: str,
        notes: CallNotes,
        reply: Reply,
        elements: tuple[TouchedElement, ...],
        *,
        opaque: bool,
    ) -> ArgumentRedaction:
        """Return what takes out of a call's arguments what must not be written down."""
        self._effects.note_typed(notes.hidden.values, self._sessions.of(session).lives)
        return ArgumentRedaction(
            frozenset(notes.hidden.values),
            {each.argument.rpartition(".")[0]: each.name for each in elements if each.name},
            hides_typed=(reply.failed and name in TYPING) or name in STORING,
            hides_all=opaque
            or notes.hidden.all
            or name in OPAQUE
            or (reply.failed and name == "call_page_tool"),
            taken_out=self._effects.taken_out,
        )


def _selected_page(session: Session, tool: str) -> PageHandle | None:
    """Return the page of a tool that acts on none and selects another one."""
    return session.pages.get(session.selected or 0) if tool in _SELECTING else None


def _closed_page(run: ToolRun) -> PageHandle | None:
    """Return the page that a call is about to close; it acts on none, and may name none."""
    if run.tool.name != "close_page":
        return None
    named: int | None = run.arguments.get("page_id")
    return run.session.pages.get((run.session.selected if named is None else named) or 0)


def _trace(traceparent: str) -> tuple[str, str, bool]:
    """Return the trace of a call, the client's span above it, and whether that is not sampled."""
    if found := _TRACEPARENT.fullmatch(traceparent):
        return found[1], found[2], not int(found[3], 16) & _SAMPLED
    # No secret: bytes of the system's would let the writer's thread in before the call ends.
    return f"{random.getrandbits(128):032x}", "", False


def _with_given(notes: CallNotes, given: Mapping[str, Any]) -> tuple[TouchedElement, ...]:
    """Put the caller's own locators in place: who wrote them knew what is meant."""
    elements = [each.described() for each in notes.elements]
    named = dict(given_locators(dict(given)))
    known = tuple(
        replace(each, locator=named.pop(each.argument)) if each.argument in named else each
        for each in elements
    )
    return known + tuple(TouchedElement(path, text) for path, text in named.items())
