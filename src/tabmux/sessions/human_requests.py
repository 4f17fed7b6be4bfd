"""Human requests: what agents want of a person, until one has answered."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tabmux.concurrency import Listeners, Signal, TaskOwner
from tabmux.content import QuestionPending
from tabmux.errors import Busy
from tabmux.sessions.session import Session

if TYPE_CHECKING:
    from tabmux.page.conditions import Condition
    from tabmux.page.page import Page

# "help": do something on a page; "consent": agree to something.
RequestKind = Literal["help", "consent"]
RequestOutcome = Literal["done", "refused", "met", "expired"]
# How long the outcome of a request can still be asked for.
KEPT_SECONDS = 600.0
# More than a person could answer; none is ended to make room for another one.
MOST_OPEN, MOST_OPEN_OF_SESSION = 100, 5
# Of one session, those that have ended included.
MOST_KEPT_OF_SESSION = 20
# A person looks at the question now, or does not look at all.
CONSENT_SECONDS = 25.0


class PageState(NamedTuple):
    """What a page was when a person was asked, in words that can be shown."""

    id: int
    url: str


class HumanRequest:
    """One request, and what became of it.

    Attributes:
        outcome: None while it is open.
        conditions: What of the page shows that it is done, in every call that waits for it.
        is_reported: Whether the agent is told elsewhere what a person has changed.
        asking: Asks the client's own user, too, where the client can.
        pending: Set when that ends the call, because the client answers with another one.
    """

    def __init__(
        self, session: Session, kind: RequestKind, reason: str, page: PageState | None, until: float
    ) -> None:
        self.id = secrets.token_urlsafe(9)
        self.session, self.kind, self.reason = session, kind, reason
        self.page, self.until = page, until
        self.made = time.time()
        self.outcome: RequestOutcome | None = None
        self.conditions: Callable[[Page], Sequence[Condition]] = lambda _: ()
        self.is_reported = False
        self.asking: asyncio.Task[None] | None = None
        self.pending: QuestionPending | None = None
        self.changed = Signal()

    @property
    def seconds_left(self) -> float:
        """How long it is still open."""
        return max(0.0, self.until - time.monotonic())

    @property
    def has_news(self) -> bool:
        """Whether it has ended, or its client must answer first."""
        return self.outcome is not None or self.pending is not None

    async def until_ended(self, seconds: float) -> bool:
        """Wait for its end; tells whether it came."""
        return await self.changed.until(lambda: self.outcome is not None, seconds)


class HumanRequests:
    """All open requests of a server.

    Args:
        tasks: What owns the questions that are put meanwhile.

    Attributes:
        people: How many people look who may answer.
    """

    def __init__(self, tasks: TaskOwner) -> None:
        self._tasks = tasks
        self._known: dict[str, HumanRequest] = {}
        self._made, self._ended = Listeners[[HumanRequest]](), Listeners[[HumanRequest]]()
        self.people = 0

    def on_made(self, listener: Callable[[HumanRequest], None]) -> Callable[[], None]:
        """Call `listener` with every new request; returns how to stop."""
        return self._made.add(listener)

    def on_ended(self, listener: Callable[[HumanRequest], None]) -> Callable[[], None]:
        """Call `listener` with every request that has ended; returns how to stop."""
        return self._ended.add(listener)

    def open_ones(self) -> list[HumanRequest]:
        """Return what nobody has answered yet, the oldest first."""
        self._forget_old()
        return [each for each in self._known.values() if each.outcome is None]

    def find(self, ident: str, session: Session | None = None) -> HumanRequest | None:
        """Return a request by its id; one of another session is not there."""
        self._forget_old()
        found = self._known.get(ident)
        return found if found is not None and session in (None, found.session) else None

    def of_page(self, session: Session, page: int) -> HumanRequest | None:
        """Return the open request for help on a page."""
        return next(
            (
                each
                for each in self.open_ones()
                if each.session is session and each.page is not None and each.page.id == page
            ),
            None,
        )

    def make(
        self,
        session: Session,
        kind: RequestKind,
        reason: str,
        seconds: float,
        page: PageState | None = None,
    ) -> HumanRequest:
        """Ask for a person; fails where too many are asked for already."""
        if self._is_full(session):
            raise Busy(
                "Too many requests wait for a person already.",
                hint="Wait for one of them: call request_human with its handle.",
            )
        self._make_room(session)
        request = HumanRequest(session, kind, reason, page, time.monotonic() + seconds)
        self._known[request.id] = request
        session.asked[request.id] = request.until
        self._made(request)
        return request

    def end(self, request: HumanRequest, outcome: RequestOutcome) -> None:
        """Note what became of a request; the first answer counts."""
        if request.outcome is not None:
            return
        request.outcome = outcome
        request.until = time.monotonic()
        request.session.asked.pop(request.id, None)
        if outcome != "expired":
            request.session.touch()
        if request.asking is not None:
            request.asking.cancel()
        request.changed.notify()
        self._ended(request)

    def ask_beside(self, request: HumanRequest, question: Coroutine[Any, Any, None]) -> None:
        """Put the question to the client's own user as well, for as long as it is open."""
        request.asking = self._tasks.start_quietly(question)

    async def confirmed(self, session: Session, question: str) -> bool | None:
        """Ask the people who look for a yes; None if nobody looks or answers."""
        if not self.people or self._is_full(session):
            return None
        request = self.make(session, "consent", question, CONSENT_SECONDS)
        try:
            await request.until_ended(CONSENT_SECONDS)
        finally:
            self.end(request, "expired")
        return {"done": True, "refused": False}.get(str(request.outcome))

    def _is_full(self, session: Session) -> bool:
        waiting = self.open_ones()
        own = sum(each.session is session for each in waiting)
        return len(waiting) >= MOST_OPEN or own >= MOST_OPEN_OF_SESSION

    def _make_room(self, session: Session) -> None:
        """Drop the oldest outcomes of a session that asks again and again."""
        own = [each for each in self._known.values() if each.session is session]
        ended = [each.id for each in own if each.outcome is not None]
        for ident in ended[: max(0, len(own) + 1 - MOST_KEPT_OF_SESSION)]:
            del self._known[ident]

    def _forget_old(self) -> None:
        now = time.monotonic()
        for request in list(self._known.values()):
            if request.session.ended or (request.outcome is None and request.until < now):
                self.end(request, "expired")
            is_old = request.outcome is not None and request.until + KEPT_SECONDS < now
            if is_old or request.session.ended:
                del self._known[request.id]
