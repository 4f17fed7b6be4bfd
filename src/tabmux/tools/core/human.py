"""The request_human tool: asks a person for help, and waits for it in slices."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tabmux.concurrency import TaskOwner
from tabmux.content import CallingClient, QuestionPending, Reply
from tabmux.errors import (
    BadArguments,
    DeadlineExceeded,
    DialogOpen,
    Misuse,
    Refused,
    TabmuxError,
)
from tabmux.page.conditions import Condition, TextShown, UrlReached, first_met
from tabmux.page.page import Page
from tabmux.sessions import handover
from tabmux.sessions.human_requests import HumanRequest, HumanRequests, PageState
from tabmux.sessions.session import Session
from tabmux.tools.core.waiting import element_reached
from tabmux.tools.pipeline.argument_types import UNLISTED, LateTarget, Milliseconds
from tabmux.tools.pipeline.results import HumanResult
from tabmux.tools.pipeline.text_patterns import url_matcher
from tabmux.tools.pipeline.tool import tool

DEFAULT_MILLISECONDS = 600_000
# Clients give a call up after 60 s, some of them.
SLICE_MILLISECONDS = 45_000
LONGEST_REASON = 1_000

SliceMilliseconds = Annotated[int, Field(ge=0, le=SLICE_MILLISECONDS), UNLISTED]


class DoneWhen(BaseModel):
    """What a page is like when a person has done what was asked."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    text: str = Field("", description="This is visible.")
    url: str = Field("", description="Part of the URL, or pattern with *.")
    element: LateTarget | None = Field(None, description="Its locator; it is visible.")


@tool(
    turn=False,
    over_dialog=True,
    beside_person=True,
    read_only=True,
    seconds=SLICE_MILLISECONDS / 1000 + 10,
    lasts=True,
    result=HumanResult,
)
async def request_human(
    page: Page,
    session: Session,
    client: CallingClient,
    requests: HumanRequests,
    reason: str = "",
    done_when: DoneWhen | None = None,
    handle: str = "",
    timeout: Milliseconds = DEFAULT_MILLISECONDS,
    slice_milliseconds: SliceMilliseconds = SLICE_MILLISECONDS,
) -> Reply:
    """Ask the user to do on the page what only a person can: captcha, payment, second factor.

    If it answers "waiting", call it again with the handle.

    Args:
        reason: What to do, for the user.
        done_when: Ends the wait; else the user says so.
        handle: Of a request that waits.
        timeout: Milliseconds in all.
        slice_milliseconds: How long one call waits.
    """
    request = await _request(page, session, requests, reason, handle, timeout)
    if done_when is not None:
        request.conditions = lambda page: _conditions(page, session, done_when)
    if request.outcome is None and (request.asking is None or request.asking.done()):
        requests.ask_beside(request, _ask(client, requests, request))
    try:
        seconds = request.seconds_left if client.is_patient else slice_milliseconds / 1000
        await _until_ended(page, requests, request, seconds)
    except asyncio.CancelledError:
        requests.end(request, "expired")
        raise
    return await _reply(page, session, request)


async def _request(
    page: Page,
    session: Session,
    requests: HumanRequests,
    reason: str,
    handle: str,
    timeout: int,
) -> HumanRequest:
    """Return the request that is meant, or make it."""
    if handle:
        if request := requests.find(handle, session):
            return request
        raise Misuse(f"No request has the handle {handle!r}.", hint="Ask anew, with a reason.")
    if not reason.strip():
        raise BadArguments("Say what the user is to do.", hint="Give a reason.")
    reason = reason[:LONGEST_REASON]
    if (request := requests.of_page(session, page.id)) and request.reason == reason:
        return request  # a client that asks its user repeats the call with the answer
    await handover.show_before(session, page)
    about = PageState(page.id, page.url)
    return requests.make(session, "help", reason, timeout / 1000, about)


async def _ask(client: CallingClient, requests: HumanRequests, request: HumanRequest) -> None:
    """Ask the client's own user, who may be somebody else than whoever looks at the live view."""
    question = f"The agent asks you to do something in the browser: {request.reason}"
    try:
        done = await client.confirm(f"{question}\nAccept when it is done.", about="human")
    except QuestionPending as error:
        request.pending = error
        request.changed.notify()
        return
    if done is not None:
        await handover.answer(request, requests, done=done)


def _conditions(page: Page, session: Session, wanted: DoneWhen) -> list[Condition]:
    found: list[Condition] = []
    if wanted.text:
        found.append(TextShown(page, [wanted.text]))
    if wanted.url:
        found.append(UrlReached(page, wanted.url, url_matcher(wanted.url)))
    if wanted.element is not None:
        found.append(element_reached(page, session, wanted.element, "visible"))
    return found


async def _until_ended(
    page: Page, requests: HumanRequests, request: HumanRequest, seconds: float
) -> None:
    """Wait for a slice of the time that a request has, or until it has ended."""
    stop = page.on_closed(request.changed.notify)
    try:
        async with TaskOwner() as owner:
            conditions = request.conditions(page)
            if conditions and request.outcome is None:
                owner.start(_look(page, requests, request, conditions))
            limit = min(seconds, request.seconds_left)
            await request.changed.until(lambda: page.gone or request.has_news, limit)
    finally:
        stop()
    if request.pending is not None:
        pending, request.pending = request.pending, None
        raise pending
    if page.gone or not request.seconds_left:
        requests.end(request, "expired")
    page.refuse_if_gone()


async def _look(
    page: Page, requests: HumanRequests, request: HumanRequest, conditions: Sequence[Condition]
) -> None:
    """End a request when the page is as the agent wants it; the person's work is done then."""
    while request.outcome is None and not page.gone:
        try:
            if await first_met(page, conditions, request.seconds_left) is None:
                return
        except DialogOpen:
            await page.signal.until(lambda: page.dialogs.current is None or page.gone, 60)
            continue
        except TabmuxError:
            return  # the page has gone or crashed; the person may still bring it back
        page.handle.give_back(page.handle.control.person)
        requests.end(request, "met")


async def _reply(page: Page, session: Session, request: HumanRequest) -> Reply:
    match request.outcome:
        case None:
            result = HumanResult(state="waiting", handle=request.id)
            text = f'waiting: not done yet. Call request_human with handle "{request.id}".'
            return Reply(text, data=result.data)
        case "refused":
            raise Refused("The user was asked and will not do it.", code="refused_by_user")
        case "expired":
            raise DeadlineExceeded(
                "No person has done it in time.", hint="Tell the user, or ask again."
            )
    reply = Reply("A person has done it.", data=HumanResult(state="done").data)
    return reply if request.is_reported else reply.add(await handover.changes(session, page.handle))
