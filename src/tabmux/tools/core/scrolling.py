"""The scroll tool: moves a page or a list, as far as wanted."""

from __future__ import annotations

import time

from tabmux.content import Progress, Reply
from tabmux.errors import BadArguments, Misuse
from tabmux.page.act.scrolling import Direction, Scrolling, ScrollPosition, reveal, reveal_text
from tabmux.page.page import Page
from tabmux.page_text import in_quotes
from tabmux.sessions.session import Session
from tabmux.tools.core.outcome import Report, acting, outcome
from tabmux.tools.pipeline.argument_types import Positive, Target
from tabmux.tools.pipeline.results import ActionResult
from tabmux.tools.pipeline.tool import tool

MOST_STEPS = 50
MOST_SECONDS = 45.0


@tool(seconds=MOST_SECONDS + 30, read_only=True, result=ActionResult)
async def scroll(
    page: Page,
    session: Session,
    progress: Progress,
    uid: Target | None = None,
    direction: Direction | None = None,
    amount: Positive | None = None,
    until_text: str = "",
    to_end: bool = False,
    report: Report = "diff",
) -> Reply:
    """Scroll an element into view, or the page or a list.

    Args:
        uid: Element; with a direction, turn the wheel over it.
        direction: Where to.
        amount: Pixels; a screenful by default.
        until_text: Repeat until it appears.
        to_end: Repeat until no more loads.
        report: What to show afterwards.
    """
    if uid is None and direction is None and not (until_text or to_end):
        raise BadArguments("Say where to scroll.", hint="Give a uid, a direction or untilText.")
    frame = uid.frame if uid is not None else None
    async with acting(session, page, frame, first=0, report=report) as effects:
        scrolling = Scrolling(page, direction or "down", uid)
        before = await scrolling.position()
        if until_text:
            done = await _until_text(page, scrolling, direction or "down", until_text, progress)
        elif to_end:
            done = await _to_end(scrolling, direction or "down", progress)
        elif uid is not None and direction is None:
            await reveal(uid)
            done = "Scrolled the element into view."
        else:
            after = await scrolling.step(amount)
            done = f"Scrolled {direction}." if after.at != before.at else "Nothing moved."
    if page.gone:
        return await outcome(session, page, done, effects, report=report)
    place = _place(before, await scrolling.position(), direction or "down")
    return await outcome(session, page, f"{done} {place}", effects, report=report)


async def _until_text(
    page: Page, scrolling: Scrolling, direction: Direction, text: str, progress: Progress
) -> str:
    limit, last = time.monotonic() + MOST_SECONDS, await scrolling.position()
    for number in range(1, MOST_STEPS + 1):
        if await reveal_text(page, text):
            return f"Found {in_quotes(text)}."
        if time.monotonic() > limit:
            break
        await progress(number, MOST_STEPS, last.line)
        step = scrolling.to_end if last.is_at_end(direction) else scrolling.step
        now = await step()
        if (now.at, now.full) == (last.at, last.full) and not await reveal_text(page, text):
            raise _missing(text, "the end", now)
        last = now
    raise _missing(text, f"{number} steps", last)


def _missing(text: str, where: str, place: ScrollPosition) -> Misuse:
    return Misuse(f"{in_quotes(text)} did not appear up to {where}. {place.line}", code="not_found")


async def _to_end(scrolling: Scrolling, direction: Direction, progress: Progress) -> str:
    limit, last = time.monotonic() + MOST_SECONDS, await scrolling.position()
    for number in range(1, MOST_STEPS + 1):
        await progress(number, MOST_STEPS, last.line)
        now = await scrolling.to_end()
        if now.full == last.full and now.is_at_end(direction):
            return f"Scrolled to the end in {number} step{'' if number == 1 else 's'}."
        last = now
        if time.monotonic() > limit:
            break
    return f"Stopped after {number} steps; call again for more."


def _place(before: ScrollPosition, now: ScrollPosition, direction: Direction) -> str:
    words = [now.line]
    if now.full > before.full:
        words.append(f"More was loaded: there were {before.full} px before.")
    if not now.is_at_end(direction):
        words.append("There is more.")
    return " ".join(words)
