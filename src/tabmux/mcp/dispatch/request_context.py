"""Request context: one request on its way to an answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from tabmux.errors import TabmuxError
from tabmux.mcp import rpc
from tabmux.mcp.dispatch.client_questions import ClientQuestions
from tabmux.mcp.rpc import Id, Message, RpcError, RpcRequest
from tabmux.mcp.schema import INTERNAL_ERROR

logger = logging.getLogger(__name__)

# The request that the running task works for, so that what happens inside a call
# can be told on that call's own stream.
current: ContextVar[RequestContext | None] = ContextVar("current_request", default=None)


def request_key(connection: str, ident: Id) -> str:
    """Return what no other request has, in this server or the next."""
    return f"{connection} {ident!r}"


class MessageWriter(Protocol):
    """Where messages to a client go."""

    def send(self, frame: bytes) -> None:
        """Queue a message; never waits."""

    def finish(self, frame: bytes) -> None:
        """Queue the answer, after which nothing follows for its request."""

    def abandon(self, ident: Id) -> None:
        """Settle a request that its client has cancelled."""

    async def drained(self) -> None:
        """Wait until the client has taken enough to send more."""


class RequestContext:
    """A request and the way back to whoever asked.

    Args:
        request: What is asked.
        writer: Where the answer goes.
        owner: Who works on it.
        origin: From which address it came, if that is known.
        session_name: The session that the client names with every request, if it does.
        questions: The way to ask the client something meanwhile.
        connection: A name of the client's connection that no other has, also not later; requests
            of one without it cannot be told from those of others.

    Attributes:
        key: What no other request has, in this server or the next; empty where that is unknown.
    """

    def __init__(
        self,
        request: RpcRequest,
        writer: MessageWriter,
        owner: object,
        origin: str = "",
        questions: ClientQuestions | None = None,
        session_name: str = "",
        connection: str = "",
    ) -> None:
        self.request, self.writer, self.owner, self.origin = request, writer, owner, origin
        self.session_name = session_name
        self.questions = questions
        self.key = request_key(connection, request.id) if connection else ""
        self.is_open = True
        # Whether nobody's patience limits it, because the request was answered already.
        self.outlasts = False
        self.error: RpcError | None = None

    def apart(self, questions: ClientQuestions) -> RequestContext:
        """Return the context of work that goes on after the request was answered."""
        context = RequestContext(self.request, self.writer, self.owner, self.origin, questions)
        context.session_name, context.is_open, context.outlasts = self.session_name, False, True
        return context

    def notify(self, method: str, params: Message | None = None) -> None:
        """Tell the client something about this request, while it waits."""
        if self.is_open:
            self.writer.send(rpc.notification(method, params))

    def answer(self, result: Message) -> None:
        """Answer the request."""
        self._finish(rpc.result(self.request.id, result))

    def refuse(self, error: RpcError) -> None:
        """Answer the request with an error."""
        self.error = error
        self._finish(rpc.error(self.request.id, error))

    def abandon(self) -> None:
        """Settle the request without an answer, unless it has one."""
        if self.is_open:
            self.is_open = False
            self.writer.abandon(self.request.id)

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Answer with an error whatever the block raises; nothing of our inside gets out."""
        try:
            yield
        except RpcError as error:
            self.refuse(error)
        except TabmuxError as error:
            self.refuse(RpcError(INTERNAL_ERROR, error.text))
        except Exception:  # the rim: a handler's mistake must not end the connection
            logger.exception("%s failed", self.request.method)
            self.refuse(RpcError(INTERNAL_ERROR, "Internal error; tabmux's log has the details."))

    async def settle(self, work: Awaitable[Message]) -> None:
        """Do the work and answer with what comes of it."""
        current.set(self)
        try:
            with self.guarded():
                self.answer(await work)
        except asyncio.CancelledError:
            self.abandon()
            raise
        with self.guarded():
            await self.writer.drained()

    def _finish(self, frame: bytes) -> None:
        if self.is_open:
            self.is_open = False
            self.writer.finish(frame)
