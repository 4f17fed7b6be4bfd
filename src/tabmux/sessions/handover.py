"""Handover: a page goes from its agent to a person and back, and the agent learns what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabmux.content import quoted
from tabmux.errors import HumanInControl, TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.page_text import address
from tabmux.sessions.human_requests import HumanRequest, HumanRequests
from tabmux.sessions.session import Session

if TYPE_CHECKING:
    from tabmux.page.page import Page


def held(session: Session, handle: PageHandle | None) -> str:
    """Say why an agent's call must wait for a person; empty where it need not."""
    if session.steering.is_paused:
        return "A person has paused this session."
    if handle is not None and handle.control.person:
        return f"A person works on page {handle.id} now."
    return ""


async def until_let_go(session: Session, handle: PageHandle | None) -> None:
    """Wait for the end of one reason to wait; there may be another one by then."""
    if session.steering.is_paused:
        await session.steering.until_resumed()
    elif handle is not None:
        await handle.control.until_free()


async def until_free(session: Session, handle: PageHandle | None) -> None:
    """Wait until no person has paused the session or has the page."""
    while held(session, handle):
        await until_let_go(session, handle)


def not_run(name: str, why: str) -> HumanInControl:
    """Return the error of a call that has waited for a person all its time."""
    return HumanInControl(
        f"{why} {name} was not run.",
        hint="Wait, then call again; tell the user, if it takes long.",
    )


async def take_over(session: Session, handle: PageHandle, person: str) -> None:
    """Give a page to a person; its agent's calls wait from now on."""
    if not handle.control.take(person):
        raise HumanInControl(f"Somebody else works on page {handle.id}.")
    session.record()
    page = await handle.attach()
    await show_before(session, page)
    page.note_person()


async def hand_back(
    session: Session, handle: PageHandle, person: str, requests: HumanRequests
) -> None:
    """Give a page back to its agent, whose next reply says what has changed."""
    if not person or handle.control.person != person:
        return
    try:
        if not handle.gone:
            changed = await changes(session, handle)
            session.steering.tell(f"A person worked on page {handle.id}. {changed}")
    finally:
        handle.give_back(person)
        session.touch()
        session.record()
    if request := requests.of_page(session, handle.id):
        request.is_reported = True
        requests.end(request, "done")


async def answer(request: HumanRequest, requests: HumanRequests, *, done: bool) -> None:
    """End a request; a page on which all is done is its agent's again, whoever has it."""
    session, page = request.session, request.page
    handle = session.pages.get(page.id) if page is not None else None
    if done and handle is not None:
        await hand_back(session, handle, handle.control.person, requests)
    requests.end(request, "done" if done else "refused")


async def show_before(session: Session, page: Page) -> None:
    """Note what a page shows, if the session was never shown it, so that changes can be told."""
    try:
        if session.shown.labels(page) is None:
            await session.shown.look(page)
    except TabmuxError:
        return  # a page that cannot be shown now has changed from nothing


async def changes(session: Session, handle: PageHandle) -> str:
    """Say what is different on a page since its agent last saw it; the page's words are marked."""
    try:
        found = await session.shown.changes(await handle.attach())
    except TabmuxError as error:
        return f"It could not be shown: {error.message}"
    if found is None:
        return f"It is at {address(handle.url)} now; take a snapshot."
    return f"Since you last saw it:\n{quoted(found)}" if found else "It shows the same as before."
