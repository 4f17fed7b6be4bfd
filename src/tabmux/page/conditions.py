"""Conditions: what can be waited for in a page, and the wait itself."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Literal

from tabmux.concurrency import TaskOwner
from tabmux.errors import ScriptFailed, TabmuxError
from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame, FrameGone
from tabmux.page_text import address, in_quotes, visible_line

if TYPE_CHECKING:
    from tabmux.page.page import Page

ElementState = Literal["visible", "enabled", "checked", "gone"]
# How long a document is asked to watch for changes before it is asked again.
WATCH_SECONDS = 1.0
# A page that changes all the time is not looked at all the time.
PAUSE_SECONDS = 0.01
# How many times as long as a look took.
REST = 3
# Without a request until the network counts as idle.
IDLE_SECONDS = 0.5
REQUESTS_NAMED = 3
TEXTS_NAMED = 5
ERROR_LIMIT = 300


class Condition(ABC):
    """Something that may become so.

    Attributes:
        recheck: After how many seconds to look without a sign of change, for not all give one.
        texts: What documents are to watch for by themselves.
    """

    recheck = 1.0
    texts: Sequence[str] = ()

    @abstractmethod
    async def met(self) -> str | None:
        """Say what has become so, or None while it has not."""

    @property
    @abstractmethod
    def wish(self) -> str:
        """What is waited for, and what is in the way, if that is known."""


async def first_met(page: Page, conditions: Sequence[Condition], seconds: float) -> str | None:
    """Wait until one of the conditions holds, and say which; None when none does in time.

    It goes on over navigations, and ends at once when the page closes, crashes or is blocked by
    a dialog.
    """
    async with TaskOwner() as owner:
        texts = [text for each in conditions for text in each.texts]
        looking = owner.start(_looked(page, conditions, _Changes(page, texts, owner)))
        end = time.monotonic() + seconds
        while not (looking.done() or _stopped(page)) and (left := end - time.monotonic()) > 0:
            await page.signal.or_done(looking, timeout=left)
        looking.cancel()
    page.refuse_if_gone()
    page.dialogs.refuse_if_open()
    if looking.cancelled():
        if refusal := page.channel.refusal(""):
            raise refusal  # the page has crashed
        return None
    found: str | TabmuxError = looking.result()
    if isinstance(found, TabmuxError):
        raise found
    return found


async def _looked(
    page: Page, conditions: Sequence[Condition], changes: _Changes
) -> str | TabmuxError:
    """Hand over an error as it is; a group of tasks would wrap it."""
    try:
        return await _look_on(page, conditions, changes)
    except TabmuxError as error:
        return error


async def _look_on(page: Page, conditions: Sequence[Condition], changes: _Changes) -> str:
    due = dict.fromkeys(conditions, 0.0)
    began = time.monotonic()
    if (found := await _look(conditions, due, changed=True)) is not None:
        return found  # it was there already: no frame is waited for, however busy the machine is
    with page.drawing.keep_if_slow():
        while found is None:
            spent = time.monotonic() - began
            changed = await changes.next(max(0.0, min(due.values()) - time.monotonic()))
            await asyncio.sleep(PAUSE_SECONDS + REST * spent)
            began = time.monotonic()
            found = await _look(conditions, due, changed=changed)
    return found


async def _look(
    conditions: Sequence[Condition], due: dict[Condition, float], *, changed: bool
) -> str | None:
    """Look at those that may have become so, and note when to look again."""
    began = time.monotonic()
    for each in conditions:
        if changed or began >= due[each]:
            if (found := await each.met()) is not None:
                return found
            due[each] = began + each.recheck
    return None


def _stopped(page: Page) -> bool:
    return page.gone or page.activity.crashed or page.dialogs.current is not None


class _Changes:
    """Signs that a page changed: those of its documents, and those that Chrome gives."""

    def __init__(self, page: Page, texts: Sequence[str], owner: TaskOwner) -> None:
        self._page, self._texts, self._owner = page, list(texts), owner
        # How much each document has changed, by frame and script world.
        self._counts: dict[tuple[str, int], int] = {}
        self._asked: dict[tuple[str, int], asyncio.Task[bool]] = {}

    async def next(self, timeout: float) -> bool:
        """Wait for a sign, but not for ever; tells whether one came."""
        for frame in self._page.frames:
            if frame.world is not None and (frame.id, frame.world) not in self._asked:
                key = (frame.id, frame.world)
                self._asked[key] = self._owner.start(self._ask(frame, key))
        end = time.monotonic() + timeout
        await self._page.signal.or_done(*self._asked.values(), timeout=timeout)
        answers = [each.result() for each in self._asked.values() if each.done()]
        self._asked = {key: each for key, each in self._asked.items() if not each.done()}
        # What is neither an answer nor the end of the time is news of the page itself.
        return any(answers) or (not answers and time.monotonic() < end)

    async def _ask(self, frame: Frame, key: tuple[str, int]) -> bool:
        known = self._counts.get(key, -1)
        try:
            count = await frame.call("nextChange", known, self._texts, WATCH_SECONDS * 1000)
        except TabmuxError:
            return True  # the document has gone
        self._counts[key] = count
        return bool(count > known)


class TextShown(Condition):
    """One of some texts is visible, in any frame; or one of them no longer is, in all."""

    recheck = 2.0

    def __init__(self, page: Page, texts: Sequence[str], *, gone: bool = False) -> None:
        self._page, self.texts, self._gone = page, list(texts), gone

    @property
    def wish(self) -> str:
        names = ", ".join(in_quotes(text, 80) for text in self.texts[:TEXTS_NAMED])
        return f"{names} {'gone' if self._gone else 'visible'}"

    async def met(self) -> str | None:
        shown = await asyncio.gather(*(self._shown(frame) for frame in self._page.frames))
        for text in self.texts:
            here = any(text in each for each in shown if each is not None)
            if here and not self._gone:
                return f"Found {in_quotes(text)}."
            if self._gone and not here and None not in shown:
                return f"{in_quotes(text)} is gone."
        return None

    async def _shown(self, frame: Frame) -> list[str] | None:
        try:
            return list(await frame.call("shownTexts", self.texts))
        except TabmuxError as error:
            # The frame's document is going or not yet there; the next look sees the new one.
            if frame is self._page.frames.main and not isinstance(error, FrameGone):
                raise
            return None


class UrlReached(Condition):
    """The page is at an address."""

    def __init__(self, page: Page, pattern: str, matches: Callable[[str], bool]) -> None:
        self._page, self._pattern, self._matches = page, pattern, matches

    @property
    def wish(self) -> str:
        return f"URL {visible_line(self._pattern)} (it is {address(self._page.url)})"

    async def met(self) -> str | None:
        # The address changes before the document can be used.
        there = self._page.document.ready and not self._page.activity.navigating
        if not (there and self._matches(self._page.url)):
            return None
        return f"The URL is {address(self._page.url)}."


class NetworkIdle(Condition):
    """No request has been under way for half a second."""

    recheck = 0.1

    def __init__(self, page: Page) -> None:
        self._page, self._began = page, time.monotonic()

    @property
    def wish(self) -> str:
        pending = [address(request.url) for request in self._page.network.pending]
        names = ", ".join(pending[:REQUESTS_NAMED])
        more = f" and {len(pending) - REQUESTS_NAMED} more" if len(pending) > REQUESTS_NAMED else ""
        return f"network idle (under way: {names}{more})" if pending else "network idle"

    async def met(self) -> str | None:
        network = self._page.network
        quiet = time.monotonic() - max(network.last_activity, self._began)
        idle = not network.pending and quiet >= IDLE_SECONDS and self._page.document.ready
        return "The network is idle." if idle else None


class FunctionTrue(Condition):
    """A function of the agent's returns something true; it can read, and change nothing."""

    recheck = 0.25

    def __init__(self, page: Page, function: str) -> None:
        self._page, self._function = page, function
        self._checked, self._error = False, ""

    @property
    def wish(self) -> str:
        return f"function true ({self._error})" if self._error else "function true"

    async def met(self) -> str | None:
        if not self._checked:
            await self._page.evaluation.check_function(self._function)
            self._checked = True
        self._error = ""
        try:
            found = await self._page.evaluation.holds(self._function)
        except ScriptFailed as error:
            self._error = visible_line(error.message, ERROR_LIMIT)
            return None
        except FrameGone:
            return None
        return "The function returned true." if found else None


class ElementReached(Condition):
    """An element is as wished.

    Args:
        name: What the agent calls it.
        find: Looks for it; None while it is not there.
        state: How it is to be.
    """

    def __init__(
        self, name: str, find: Callable[[], Awaitable[Element | None]], state: ElementState
    ) -> None:
        self._name, self._find, self._state = name, find, state

    @property
    def wish(self) -> str:
        return f"{self._name} {self._state}"

    async def met(self) -> str | None:
        try:
            state = await self._look()
        except FrameGone:
            return None
        if self._state == "gone":
            reached = not state.get("visible")
        else:
            reached = bool(state.get(self._state))
        return f"{self._name} is {self._state}." if reached else None

    async def _look(self) -> dict[str, bool]:
        element = await self._find()
        if element is None:
            return {}
        return await element.frame.run("element_state", element.epoch, element.label) or {}
