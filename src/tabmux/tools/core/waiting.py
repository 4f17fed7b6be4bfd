"""The wait_for tool: waits until a page is as wished."""

from __future__ import annotations

from collections.abc import Sequence

from tabmux.content import Reply
from tabmux.errors import BadArguments, DeadlineExceeded
from tabmux.page.conditions import (
    Condition,
    ElementReached,
    ElementState,
    FunctionTrue,
    NetworkIdle,
    TextShown,
    UrlReached,
    first_met,
)
from tabmux.page.element import Element
from tabmux.page.page import Page
from tabmux.page.see.snapshots import SnapshotOptions
from tabmux.page_text import visible_line
from tabmux.sessions.element_search import locate_if_there
from tabmux.sessions.locators import Locator
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import LateTarget, Milliseconds, Script
from tabmux.tools.pipeline.text_patterns import url_matcher
from tabmux.tools.pipeline.tool import tool

DEFAULT_MILLISECONDS = 30_000


@tool(reads=True, seconds=DEFAULT_MILLISECONDS / 1000 + 5)
async def wait_for(
    page: Page,
    session: Session,
    text: Sequence[str] = (),
    text_gone: Sequence[str] = (),
    url: str = "",
    uid: LateTarget | None = None,
    state: ElementState = "visible",
    network_idle: bool = False,
    function: Script | None = None,
    timeout: Milliseconds = 0,
    include_snapshot: bool = True,
) -> Reply:
    """Wait until any one of these holds.

    Args:
        text: A text is visible, in any frame.
        text_gone: A text is not, in no frame.
        url: Part of the URL, pattern with *, or /regex/.
        uid: Element that has the state.
        state: Of uid.
        network_idle: No requests for 500 ms.
        function: It returns true; may only read.
        timeout: Milliseconds; 0 for the usual.
        include_snapshot: Show the page then.
    """
    conditions: list[Condition] = []
    if text:
        conditions.append(TextShown(page, text))
    if text_gone:
        conditions.append(TextShown(page, text_gone, gone=True))
    if url:
        conditions.append(UrlReached(page, url, url_matcher(url)))
    if uid is not None:
        conditions.append(element_reached(page, session, uid, state))
    if network_idle:
        conditions.append(NetworkIdle(page))
    if function is not None:
        conditions.append(FunctionTrue(page, function))
    if not conditions:
        raise BadArguments("Say what to wait for.", hint="Give text, uid, url or another.")
    return await _outcome(page, session, conditions, timeout, include_snapshot)


async def _outcome(
    page: Page, session: Session, conditions: Sequence[Condition], timeout: int, snapshot: bool
) -> Reply:
    limit = timeout or DEFAULT_MILLISECONDS
    found = await first_met(page, conditions, limit / 1000)
    if found is None:
        wishes = "; ".join(each.wish for each in conditions)
        raise DeadlineExceeded(
            f"Not within {limit} ms: {wishes}.",
            hint="Take a snapshot to see what the page shows.",
        )
    reply = Reply(found)
    if snapshot:
        reply.add("## Latest page snapshot").quote(
            await session.shown.snapshot(page, SnapshotOptions())
        )
    return reply


def element_reached(
    page: Page, session: Session, target: Element | Locator, state: ElementState
) -> Condition:
    """Return the condition that an element is in a state; it may be named before it is there."""

    async def find() -> Element | None:
        if isinstance(target, Locator):
            return await locate_if_there(session, page, target)
        if state != "gone":
            # What has gone does not come back under its uid.
            await target.object_id()
        return target

    name = visible_line(target.text) if isinstance(target, Locator) else f"The element {target.uid}"
    return ElementReached(name, find, state)
