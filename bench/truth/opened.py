"""Opened: snapshots of what a click brings up, judged by Chrome's accessibility tree."""

from __future__ import annotations

import asyncio
import re

from bench.truth import sight
from bench.truth.browser_tab import BrowserTab
from bench.truth.lines import Line
from bench.truth.tally import Tally
from bench.truth.touch import Pages, chosen

# Lists and menus may slide into sight.
OPENING_SECONDS = 0.5
ROLES = frozenset({"combobox", "tab", "textbox", "searchbox", "DisclosureTriangle", "menuitem"})
STATES = frozenset({"haspopup", "collapsed"})
_WORDS = re.compile(r"more|open|show|menu|choose|pick|toggle|calendar", re.IGNORECASE)
_UID = re.compile(r"uid=\S+")


def opens(line: Line) -> bool:
    """Whether a click on it may bring something up."""
    is_named = line.role == "button" and _WORDS.search(line.name) is not None
    return line.role in ROLES or is_named or not STATES.isdisjoint(line.details)


async def look_into(tab: BrowserTab, url: str, page: str, most: int, tally: Tally) -> None:
    """Click what may open something, each on a fresh load, and compare what is there then."""
    pages = Pages(tab, url)
    await tab.load(url)
    told: set[str] = set()
    for line in chosen([each for each in await tab.lines() if opens(each)], page, most):
        again = await pages.fresh(line)
        if again is None or (await tab.call("click", uid=again.uid)).failed:
            continue
        await asyncio.sleep(OPENING_SECONDS)
        own = Tally()
        await sight.look(tab, page, own)
        _add(own, line, told, tally)


def _add(own: Tally, line: Line, told: set[str], tally: Tally) -> None:
    """Count apart from what is seen of pages on which nothing was done, and tell a miss once."""
    for name in ("elements", "elements that differ", "controls lost"):
        tally.count(f"opened: {name}", own.counts[name])
    for miss in own.misses:
        what = _UID.sub("", miss.what)
        if (miss.row in ("elements that differ", "controls lost")) and what not in told:
            told.add(what)
            tally.tell(f"opened: {miss.row}", miss.page, f"after {line.text[:60]}: {miss.what}")
