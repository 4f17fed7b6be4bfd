"""Touch: clicks, judged by the events that the page received and by what it shows afterwards."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from hashlib import sha256
from time import time
from typing import Any

from bench.trouble import BenchError
from bench.truth.browser_tab import Answer, BrowserTab
from bench.truth.lines import Line
from bench.truth.tally import Tally

LATE_SECONDS = 0.3
_STATE = "[location.href, truthLog().mutations, scrollX, document.activeElement?.localName]"
OUT_OF_TIME = re.compile(r"\[(deadline|busy|browser_\w+|page_\w+)\]")
_PLAIN = "Clicked the element."


class Pages:
    """Gives every action a page on which nothing was done yet; loads it anew only if needed."""

    def __init__(self, tab: BrowserTab, url: str) -> None:
        self.tab, self.url = tab, url
        self._lines: dict[tuple[str, str, int], Line] = {}
        self._state: Any = None

    async def fresh(self, line: Line) -> Line | None:
        """The same element on an untouched page, if it is there again."""
        if self._state is None or await self._look() != self._state:
            await self.tab.load(self.url)
            self._lines = {each.key: each for each in await self.tab.lines()}
            self._state = await self._look()
        return self._lines.get(line.key)

    async def watched(self, line: Line) -> Line | None:
        """The same element on an untouched page, which the witness now knows; None without it."""
        for _ in range(2):
            again = await self.fresh(line)
            try:
                return again if again is not None and await self.tab.aim_at(again) else None
            except BenchError as error:
                # What was clicked before may have led away only now.
                if "stale_uid" not in str(error):
                    raise
                self._state = None
        return None

    async def _look(self) -> Any:
        try:
            return await self.tab.witness.ask(_STATE)
        except BenchError:
            return None


def chosen(lines: Sequence[Line], page: str, most: int) -> list[Line]:
    """Some of the controls that can be used: of every role, the same ones in every run."""
    usable = [line for line in lines if line.is_control and "disabled" not in line.details]
    # Options of native lists are chosen, not clicked.
    usable = [line for line in usable if line.role != "option"]
    by_role: dict[str, list[Line]] = {}
    for line in sorted(usable, key=lambda each: _mark(page, each)):
        by_role.setdefault(line.role, []).append(line)
    turns = max(map(len, by_role.values()), default=0)
    return [same[at] for at in range(turns) for same in by_role.values() if at < len(same)][:most]


def _mark(page: str, line: Line) -> str:
    return sha256(f"{page} {line.key}".encode()).hexdigest()


async def click_all(tab: BrowserTab, url: str, page: str, most: int, tally: Tally) -> None:
    """Click controls of a page, each on a fresh load."""
    pages = Pages(tab, url)
    await tab.load(url)
    for line in chosen(await tab.lines(), page, most):
        again = await pages.watched(line)
        if again is None:
            tally.count("controls that could not be watched")
            continue
        began = time()
        answer = await tab.call("click", uid=again.uid)
        tally.count("clicks")
        await _judge(tab, answer, again, page, tally)
        if not answer.failed:
            await _late(tab, answer, began, again, page, tally)
        await _clean_up(tab, answer)


async def _judge(tab: BrowserTab, answer: Answer, line: Line, page: str, tally: Tally) -> None:
    received = list(tab.witness.received)
    said = f"{line.text[:120]}: {answer.text[:160]!r}"
    if answer.failed and OUT_OF_TIME.search(answer.text):
        tally.miss("out of time", page, said)
    elif answer.failed:
        reach = await _reach(tab)
        refused = "element_" in answer.text and reach != "reachable"
        gone = "stale_uid" in answer.text and reach == "gone"
        right = (refused or gone) and not received
        if right:
            tally.count("right refusals")
        else:
            tally.miss("wrong refusals", page, f"{said} ({reach}, {received})")
    elif any(event.hit for event in received):
        tally.count("hits")
    elif answer.first != _PLAIN:
        tally.miss("clicks told to be otherwise", page, said)
    else:
        tally.miss("wrong Clicked", page, f"{said} received: {received or 'nothing'}")


async def _reach(tab: BrowserTab) -> str:
    try:
        return str(await tab.witness.ask("truthReach()"))
    except BenchError as error:
        return str(error)


async def _late(
    tab: BrowserTab, answer: Answer, began: float, line: Line, page: str, tally: Tally
) -> None:
    """Whether the page changed within 300 ms of the click, but after the reply."""
    pressed = min((event.time / 1000 for event in tab.witness.received), default=began)
    await asyncio.sleep(max(0.0, pressed + LATE_SECONDS + 0.02 - time()))
    try:
        log = await tab.witness.ask("truthLog()")
    except BenchError:
        return
    states = [(when / 1000, state) for when, state in log["states"]]
    if (
        not states or log["began"] / 1000 < began - 0.01
    ):  # nothing was pressed, or it is another page
        return
    tally.count("actions watched")
    before = [state for when, state in states if when <= answer.time]
    after = [
        (when, state) for when, state in states if answer.time < when <= pressed + LATE_SECONDS
    ]
    if before and after and after[-1][1] != before[-1] and not _is_unfinished(answer):
        delays = ", ".join(f"{(when - pressed) * 1000:.0f}" for when, _ in after)
        asked = f"reply after {(answer.time - pressed) * 1000:.0f} ms, changes after {delays} ms"
        tally.miss("changes missed", page, f"{line.text[:120]}: {asked}")
    elif len(set(before)) > 1 and before[0] != before[-1] and not _tells(answer):
        tally.miss("changes untold", page, f"{line.text[:120]}: {answer.text[:120]!r}")


def _is_unfinished(answer: Answer) -> bool:
    return bool(re.search(r"still (changing|loading|running)", answer.text, re.IGNORECASE))


def _tells(answer: Answer) -> bool:
    return bool(re.search(r"Changes|navigated|snapshot|dialog|Opened|closed", answer.text))


async def _clean_up(tab: BrowserTab, answer: Answer) -> None:
    """Leave no dialog and no other tab behind."""
    if "dialog" in answer.text.lower():
        await tab.call("handle_dialog", action="dismiss")
    await tab.witness.close_others()
