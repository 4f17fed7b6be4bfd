"""Measuring: workers that take pages one by one and look at each from every side."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from bench.client import Client
from bench.trouble import BenchError
from bench.truth import fills, opened, peer, sight, touch
from bench.truth.browser_tab import BrowserTab, open_browser_tab
from bench.truth.material import TruthPage
from bench.truth.tally import Tally

# On a busy machine a browser may not start, and a page may not load, in its time.
ATTEMPTS = 5
PAGE_ATTEMPTS = 2


@dataclass(frozen=True)
class Work:
    """What every worker has to know."""

    origin: str
    chromium: str
    measures: tuple[str, ...]
    actions: int
    peer: bool


Measure = Callable[[BrowserTab, str, TruthPage, Work, Tally], Awaitable[None]]


async def _sight(tab: BrowserTab, url: str, page: TruthPage, work: Work, tally: Tally) -> None:
    await tab.load(url)
    await sight.look(tab, page.name, tally)


async def _clicks(tab: BrowserTab, url: str, page: TruthPage, work: Work, tally: Tally) -> None:
    await touch.click_all(tab, url, page.name, work.actions, tally)


async def _fills(tab: BrowserTab, url: str, page: TruthPage, work: Work, tally: Tally) -> None:
    await fills.fill_all(tab, url, page.name, work.actions, tally)


async def _opened_parts(
    tab: BrowserTab, url: str, page: TruthPage, work: Work, tally: Tally
) -> None:
    await opened.look_into(tab, url, page.name, work.actions, tally)


# Each takes a tab, an address and what is known about both; one more is one more line.
MEASURES: Mapping[str, Measure] = {
    "sight": _sight,
    "clicks": _clicks,
    "fills": _fills,
    "opened": _opened_parts,
}


async def measure(waiting: list[TruthPage], work: Work, tallies: dict[str, Tally]) -> None:
    """Take pages from the end of the list until there are none.

    A page that breaks something gets a new browser after it, and is named.
    """
    attempts = ATTEMPTS
    while waiting:
        try:
            async with _opened(work) as (tab, other):
                attempts = ATTEMPTS
                await _measure(tab, other, waiting, work, tallies)
        except BenchError:
            # A busy machine; without any browser there is nothing to measure.
            attempts -= 1
            if not attempts:
                raise


@asynccontextmanager
async def _opened(work: Work) -> AsyncIterator[tuple[BrowserTab, Client | None]]:
    async with AsyncExitStack() as stack:
        blank = f"{work.origin}/blank.html"
        tab = await stack.enter_async_context(open_browser_tab(work.chromium, blank))
        if work.peer:
            yield tab, await stack.enter_async_context(peer.open_peer(work.chromium))
        else:
            yield tab, None


async def _measure(
    tab: BrowserTab,
    other: Client | None,
    waiting: list[TruthPage],
    work: Work,
    tallies: dict[str, Tally],
) -> None:
    done = True
    while waiting and done:
        page = waiting.pop()
        own = Tally()
        done = await _measured(tab, other, page, work, own)
        if done or page.attempt == PAGE_ATTEMPTS:
            tallies[page.kind].add(own)
            sys.stderr.write(f"{len(waiting)} to go, done: {page.kind} {page.name}\n")
        else:
            waiting.insert(0, replace(page, attempt=page.attempt + 1))


async def _measured(
    tab: BrowserTab, other: Client | None, page: TruthPage, work: Work, tally: Tally
) -> bool:
    url = f"{work.origin}{page.address}"
    for name in work.measures:
        try:
            await MEASURES[name](tab, url, page, work, tally)
        except BenchError as error:
            tally.miss("pages broken off", page.name, f"{name}: {error}")
            return False
    if other is not None:
        await peer.compare(tab, other, url, tally)
    return True
