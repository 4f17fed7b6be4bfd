"""Settling: waits until a page has answered an action, and no longer.

The rule: an action is done when its first sign was seen and the document has been quiet for a
moment. A sign is what somebody who looks at the page would take for the effect: content, a value,
something that appears, a navigation, a dialog, a request; also the focus of a field that takes
input, but no mark on the element itself that it was pressed. Where only values and focus have
changed, and nothing in the document, a moment is shorter, and there is none if no script listens
on the way to the element; but to a field that suggests, finds or takes files an answer is awaited.
Where no sign is seen at once, and no script listens there nor does Chrome do something, nothing is
waited for; otherwise the first sign may take a while (`Timings.first_effect`). So it may where what
was taken for a sign shows nothing to whoever reads the page, or only that something is to follow.
What changed by itself before the action, as clocks do, is no sign of it, nor is its quiet awaited.
What still goes on at the end is said: requests, animations that the action started, content that
changes without a pause or is still being loaded.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from tabmux.content import count
from tabmux.errors import PageCrashed, PageGone, TabmuxError
from tabmux.page import reactions
from tabmux.page.activity import ActionEffects
from tabmux.page.early_question import EarlyQuestion
from tabmux.page.frame_tree import Frame, FrameGone
from tabmux.page.reactions import Reactions
from tabmux.page.see.drawing import FRAMELESS_SECONDS, SLOW_ACTION_SECONDS, SLOW_SECONDS
from tabmux.page.see.labels import Labels
from tabmux.page.see.promises import is_busy, is_promised, without_focus
from tabmux.page.see.snapshots import SnapshotOptions

if TYPE_CHECKING:
    from tabmux.page.page import Page

# A value that no script has answered by then is all there is to see.
VALUE_QUIET_SECONDS = 0.002
# How often a page that changes without an answer is looked at for one.
MOST_LOOKS = 5


@asynccontextmanager
async def settled(
    page: Page,
    frame: Frame | None = None,
    first: float | None = None,
    *,
    patient: bool = True,
    labels: Labels | None = None,
) -> AsyncIterator[ActionEffects]:
    """Run an action, then wait for what it set in motion.

    Args:
        page: The page that is acted upon.
        frame: The frame whose document is expected to change; the main frame when absent.
        first: How long to wait for a first sign when nothing is seen at once, if not as usual.
        patient: Whether to wait at all.
        labels: By which the page is shown afterwards, if it is.
    """
    acting = frame or page.main
    slow = SLOW_ACTION_SECONDS if patient else SLOW_SECONDS
    with page.drawing.keep_if_slow(slow), page.activity.observe() as effects:
        settling = _Settling(page, acting, effects)
        if patient and first == 0 and labels is None:
            effects.sent = settling.early.ask
        yield effects
        if not patient:
            return
        with suppress(PageGone, PageCrashed, FrameGone):
            shown = labels if acting is page.frames.main else None
            usual = page.timings.first_effect if first is None else first
            await settling.run(usual, shown)


class _Settling:
    def __init__(self, page: Page, frame: Frame, effects: ActionEffects) -> None:
        self._page, self._frame, self._effects = page, frame, effects
        self._timings = page.timings
        self._began = 0.0
        waits = (0, 1000 * self._timings.quiet, 0, 1000 * self._timings.longest_change)
        self.early = EarlyQuestion(frame, "settle", (*waits, None, False))
        self._changed = self._effective = self._restless = False
        # Whether values and focus are all that has changed, and how long that was waited upon.
        self._only_values, self._value_quiet = False, 0.0
        # Whether what is acted upon is a field that takes input now.
        self._entered = False
        # Whether something was put into a field that the page is expected to answer.
        self._answered = False
        # Whether the page says that something is under way.
        self._busy = False
        self._animations = 0
        self._at: dict[str, float] | None = None

    async def run(self, first: float, labels: Labels | None) -> None:
        """Wait as long as the rule says that the head of this module states."""
        self._began = time.monotonic()
        with self._page.drawing.keep_if_held():
            settled = await self._settle_in_page(0, labels)
        if self._answered:
            first = max(first, self._timings.first_effect)
        if settled and first > 0 and await self._may_answer_late():
            # What comes late may come with a frame; most of it does not.
            with self._page.drawing.keep_if_slow(FRAMELESS_SECONDS):
                settled = await self._settle_in_page(0 if self._effective else first, labels)
        if settled and first > 0 and self._is_unanswered(labels):
            settled = await self._see_answer(first, labels)
        self._page.input.hovering.forget()
        if not settled:
            await self._outlast(first)
            await self._look_at_filled()
        self._note_unfinished()
        if self._effects.unfinished:
            self._page.drawing.keep()

    def _is_unanswered(self, labels: Labels | None) -> bool:
        """Whether scripts have done something, and it is no answer to who reads the page."""
        shot, acted = self._effects.shot, self._effective and not self._only_values
        if labels is None or shot is None:
            return False
        if self._page.input.hovering.is_left_behind(shot["text"]):
            return True
        if not acted:
            return False
        if without_focus(shot["text"]) == without_focus(labels.text):
            return not self._entered
        self._busy = is_busy(labels.text, shot["text"])
        return self._busy or is_promised(labels.text, shot["text"])

    async def _see_answer(self, first: float, labels: Labels | None) -> bool:
        """Wait for another sign, as long as for a first one; tells whether there is no more."""
        settled, looks = True, 0
        with self._page.drawing.keep_if_slow(FRAMELESS_SECONDS):
            while settled and self._is_unanswered(labels) and looks < MOST_LOOKS:
                looks += 1
                left = self._began + first - time.monotonic()
                if left <= 0:
                    break
                settled = await self._settle_in_page(left, labels, anew=True)
        return settled

    async def _outlast(self, first: float) -> None:
        """Wait for what goes on beside the document."""
        if self._idle and first > 0:
            self._page.drawing.keep()
            await self._first_sign(first)
        while not (self._idle or self._stopped):
            if self._navigated:
                await self._arrive()
                return
            if self._waits_for_requests:
                await self._hear_of_requests()
                continue
            await self._quiet()
            if not self._navigated and not self._waits_for_requests:
                return

    async def _look_at_filled(self) -> None:
        """Look again whether the page has put back what was filled, as with a late answer."""
        effects = self._effects
        if effects.fills and not (self._navigated or self._stopped):
            found = await unless_blocked(self._page, lambda: self._frame.call("putBack"))
            effects.put_back = effects.put_back if found is None else dict(found)

    async def _hear_of_requests(self) -> None:
        activity = self._page.activity
        with activity.hearing_bodies():
            pending = activity.seconds_pending(self._effects)
            await self._page.signal.wait(min(self._request_seconds_left, pending))

    async def _settle_in_page(
        self, first: float, labels: Labels | None, *, anew: bool = False
    ) -> bool:
        """Let the document wait for its own quiet, and show itself, in a single round trip.

        Tells whether that was all there was to wait for. The acknowledgement of an input event may
        overtake the events that its handler caused; the answer to this does not.
        """
        options = SnapshotOptions().request(labels) if labels is not None else None
        self._effects.shot = None
        known, timings = self._effects.reactions, self._timings
        self._value_quiet = VALUE_QUIET_SECONDS if known is not None and known.scripted else 0
        waits = (first, timings.quiet, self._value_quiet, timings.longest_change)
        answer = None
        if self.early.counts:
            answer = await self._unless_interrupted(self.early.answer)
            # What the script has begun beside the document, Chrome may tell of a little later.
            answer = None if self._effects.asked_to_leave else answer
        if answer is None:
            answer = await self._asked_to_settle(waits, options, anew)
        if answer is None:
            if self._interrupted:
                self._note(await self._ask("changes"))
            return False
        self._note(answer["changes"])
        self._effective = self._effective or answer["signs"] > 0
        self._only_values = self._effective and not answer["mutations"]
        self._entered, self._answered = answer["entered"], answer["answered"]
        self._restless, self._animations = answer["restless"], answer["animations"]
        self._at = answer["at"]
        self._effects.put_back = dict(answer["putBack"])
        self._effects.offers = answer["offers"]
        if self._navigated or self._waits_for_requests or self._stopped:
            return False
        self._effects.shot = None if self._effects.opened else answer["shot"]
        return True

    async def _asked_to_settle(
        self, waits: Sequence[float], options: Mapping[str, Any] | None, anew: bool
    ) -> Any:
        asked = time.monotonic()
        milliseconds = [1000 * each for each in waits]
        answer = await self._unless_interrupted(
            lambda: self._frame.call("settle", *milliseconds, options, anew)
        )
        if answer is not None:
            page, took = answer["late"] / 1000, answer["took"] / 1000
            self._page.drawing.note_lateness(page, time.monotonic() - asked - took)
        return answer

    async def _unless_interrupted(self, question: Callable[[], Awaitable[Any]]) -> Any:
        return await _answer_unless(self._page, lambda: self._interrupted, question)

    @property
    def _interrupted(self) -> bool:
        """Whether something happens beside the document, which knows nothing of it."""
        happens = self._navigated or self._waits_for_requests or bool(self._effects.opened)
        return happens or self._stopped

    @property
    def _idle(self) -> bool:
        return not (self._changed or self._navigated or self._waits_for_requests)

    @property
    def _stopped(self) -> bool:
        """Whether there is nothing to wait for: the page is blocked, gone, or opened another."""
        page = self._page
        return bool(page.dialogs.current) or page.gone or page.activity.crashed

    @property
    def _navigated(self) -> bool:
        return self._page.activity.navigating or self._moved

    @property
    def _waits_for_requests(self) -> bool:
        return self._request_seconds_left > 0 and self._page.activity.pending(self._effects)

    @property
    def _request_seconds_left(self) -> float:
        timings = self._timings
        limit = timings.requests_after_effect if self._changed else timings.requests
        return self._began + limit - time.monotonic()

    def _note(self, changes: int | None) -> None:
        self._changed = self._changed or bool(changes)

    async def _may_answer_late(self) -> bool:
        """Whether something is to follow that is not seen yet."""
        if self._effective and not (self._only_values and self._value_quiet == 0):
            return False
        known = self._effects.reactions
        if self._answered and not self._effective:
            return known is None or known.scripted
        if self._changed and not self._effective:
            return True  # what is marked as pressed has a script
        found = self._effects.reactions or await self._reactions()
        return found.scripted or (found.native and not self._effective)

    async def _reactions(self) -> Reactions:
        """Find out who reacts to the action, and remember it."""
        await self._frame.ready()
        answer = await _answer_unless(
            self._page,
            lambda: self._interrupted,
            lambda: reactions.asked(self._frame, self._at),
        )
        self._effects.reactions = reactions.told(answer)
        return self._effects.reactions

    def _note_unfinished(self) -> None:
        page, effects = self._page, self._effects
        if self._navigated or self._stopped:
            return
        requests = page.activity.unfinished(effects)
        effects.unfinished = [
            *([count(requests, "request")] if requests else ()),
            *([count(self._animations, "animation")] if self._animations else ()),
            *(["its content"] if self._restless else ()),
            *(["what it is loading"] if self._busy else ()),
        ]

    async def _first_sign(self, limit: float) -> None:
        """Wait for a change in the document or an event of the page, whichever is first."""
        async with asyncio.TaskGroup() as group:
            change = group.create_task(self._ask("firstSign", limit * 1000))
            end = time.monotonic() + limit
            while self._idle and not (self._stopped or self._effects.opened or change.done()):
                left = end - time.monotonic()
                await self._page.signal.or_done(change, timeout=max(0, left))
                if time.monotonic() >= end:
                    break
            if not change.done():
                change.cancel()
        self._note(None if change.cancelled() else change.result())

    async def _quiet(self) -> None:
        timings = self._timings
        await self._ask("quiet", timings.quiet * 1000, timings.longest_change * 1000)

    async def _ask(self, name: str, *args: Any) -> int | None:
        """Ask the document, unless a dialog or a navigation keeps it from answering."""
        answer: int | None = await unless_blocked(self._page, lambda: self._frame.call(name, *args))
        return answer

    async def _arrive(self) -> None:
        page = self._page
        await page.signal.until(
            lambda: self._moved or not page.activity.navigating, self._timings.navigation
        )
        if not self._moved:
            return
        await page.signal.until(lambda: page.gone or page.document.ready, self._timings.navigation)
        await page.signal.until(
            lambda: page.gone or page.document.loaded or page.activity.navigating,
            self._timings.load,
        )

    @property
    def _moved(self) -> bool:
        return self._page.gone or self._page.document.loader != self._effects.loader


async def unless_blocked(page: Page, question: Callable[[], Awaitable[Any]]) -> Any:
    """Await an answer of the page; None when a dialog or a navigation comes first."""
    loader = page.document.loader

    def blocked() -> bool:
        replaced = page.document.loader != loader
        return bool(page.dialogs.current) or page.activity.leaving or replaced

    return await _answer_unless(page, blocked, question)


async def _answer_unless(
    page: Page, interrupted: Callable[[], bool], question: Callable[[], Awaitable[Any]]
) -> Any:
    async with asyncio.TaskGroup() as group:
        asking = group.create_task(_answer_if_any(question))
        while not asking.done() and not interrupted():
            await page.signal.or_done(asking)
        if not asking.done():
            asking.cancel()
    return None if asking.cancelled() else asking.result()


async def _answer_if_any(question: Callable[[], Awaitable[Any]]) -> Any:
    with suppress(TabmuxError):
        return await question()
    return None
