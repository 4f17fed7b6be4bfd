"""Person actions: what somebody who steers may do with sessions and pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from tabmux.daemon.ui import person_input, view_state
from tabmux.daemon.ui.outbox import Outbox
from tabmux.errors import Misuse
from tabmux.page.handle import PageHandle
from tabmux.page.page import Page
from tabmux.sessions import handover, pointing
from tabmux.sessions.session import Session

if TYPE_CHECKING:
    from tabmux.daemon.app import App

Message = Mapping[str, Any]
Handler = Callable[[Message], Coroutine[Any, Any, None] | None]

LONGEST_LINE = 300
LONGEST_ANSWER = 1_000


class PersonActions:
    """Does what messages of one person ask for; those who only view have none of these.

    Args:
        app: The server.
        person: Who it is.
        outbox: Where answers go.
    """

    def __init__(self, app: App, person: str, outbox: Outbox) -> None:
        self._app, self._person, self._outbox = app, person, outbox
        # The newest place that the person points at; the mouse moves on while one is looked at.
        self._place: Message = {}
        self._moved = asyncio.Event()
        self.handlers: dict[str, Handler] = {
            "take": self._take,
            "give": self._give,
            "mouse": lambda message: self._input(message, person_input.send_mouse),
            "key": lambda message: self._input(message, person_input.send_key),
            "text": lambda message: self._input(message, person_input.send_text),
            "dialog": self._dialog,
            "pause": lambda message: self._session(message).steering.pause(),
            "resume": lambda message: self._session(message).steering.resume(),
            "stop": self._stop,
            "pick": self._pick,
            "point": self._point,
            "answer": self._answer,
        }

    async def _take(self, message: Message) -> None:
        session, handle = find_page(self._app, number(message, "page"))
        await handover.take_over(session, handle, self._person)

    async def _give(self, message: Message) -> None:
        session, handle = find_page(self._app, number(message, "page"))
        await handover.hand_back(session, handle, self._person, self._app.services.people)

    def _input(self, message: Message, send: Callable[[Page, Message], None]) -> None:
        if page := self._held(message):
            send(page, message)

    async def _dialog(self, message: Message) -> None:
        if page := self._held(message):
            text = message.get("text")
            answer = text[:LONGEST_ANSWER] if isinstance(text, str) else None
            await page.dialogs.answer(message.get("accept") is True, answer)

    def _stop(self, message: Message) -> None:
        self._session(message).steering.stop()

    def _pick(self, message: Message) -> None:
        self._place = message
        self._moved.set()

    async def next_place(self) -> Message:
        """Return the newest place that the person points at, once there is another one."""
        await self._moved.wait()
        self._moved.clear()
        return self._place

    async def show_element(self, message: Message) -> None:
        """Show which element is at a place, before the agent is told of it."""
        _, found, (width, height) = await self._element(message)
        box = found.box
        self._outbox.tell(
            {
                "type": "picked",
                "page": number(message, "page"),
                "line": view_state.shown(found.line, LONGEST_LINE),
                "box": {
                    "x": box["x"] / width,
                    "y": box["y"] / height,
                    "width": box["width"] / width,
                    "height": box["height"] / height,
                },
            }
        )

    async def _point(self, message: Message) -> None:
        session, found, _ = await self._element(message)
        page = number(message, "page")
        session.steering.tell(found.note(page, str(message.get("sentence", ""))))
        people = self._app.services.people
        if request := people.of_page(session, page):
            await handover.answer(request, people, done=True)
        self._outbox.tell({"type": "pointed", "page": page})

    async def _answer(self, message: Message) -> None:
        people = self._app.services.people
        if request := people.find(str(message.get("request", ""))):
            await handover.answer(request, people, done=message.get("yes") is True)

    async def _element(
        self, message: Message
    ) -> tuple[Session, pointing.PointedElement, tuple[float, float]]:
        """Return the element at a place of the picture, and the size of the viewport."""
        session, handle = find_page(self._app, number(message, "page"))
        page = await handle.attach()
        frame = page.live_frames.newest
        if frame is None:
            raise Misuse("There is no picture of the page yet.")
        x = person_input.part(message.get("x")) * frame.width
        y = person_input.part(message.get("y")) * frame.height
        found = await pointing.element_at(session, page, x, y)
        return session, found, (frame.width, frame.height)

    def _session(self, message: Message) -> Session:
        wanted = message.get("session")
        for session in self._app.sessions.all():
            if session.name == wanted:
                return session
        raise Misuse("The session has ended.", code="no_such_session")

    def _held(self, message: Message) -> Page | None:
        """Return the page of a message, if the person has taken it over."""
        handle = self._app.browsers.find_page(number(message, "page"))
        if handle is None or handle.control.person != self._person:
            return None
        return handle.page


def find_page(app: App, ident: int) -> tuple[Session, PageHandle]:
    """Return a page that belongs to a session, and the session."""
    handle = app.browsers.find_page(ident)
    session = app.sessions.owner_of(handle) if handle is not None else None
    if handle is None or session is None:
        raise Misuse("The page is no session's any more.", code="no_such_page")
    return session, handle


def number(message: Message, key: str) -> int:
    """Return a number of a message; 0 where there is none."""
    value = message.get(key)
    return value if isinstance(value, int) else 0
