"""One request on its way to an answer."""

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

# The exchange that the running task works for, so that what happens inside a call
# can be told on that call's own stream.
current: ContextVar[RequestContext | None] = ContextVar("current_exchange", default=None)


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
        outlet: Where the answer goes.
        owner: Who works on it.
        origin: From which address it came, if that is known.
    """

    def __init__(
        self, request: RpcRequest, outlet: MessageWriter, owner: object, origin: str = ""
    ) -> None:
        self.request, self.outlet, self.owner, self.origin = request, outlet, owner, origin
        self.is_open = True
        self.fault: RpcError | None = None
        self.dialogue: ClientQuestions | None = None

    def notify(self, method: str, params: Message | None = None) -> None:
        """Tell the client something about this request, while it waits."""
        if self.is_open:
            self.outlet.send(rpc.notification(method, params))

    def answer(self, result: Message) -> None:
        """Answer the request."""
        self._finish(rpc.result(self.request.id, result))

    def refuse(self, fault: RpcError) -> None:
        """Answer the request with an error."""
        self.fault = fault
        self._finish(rpc.error(self.request.id, fault))

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Answer with an error whatever the block raises; nothing of our inside gets out."""
        try:
            yield
        except RpcError as fault:
            self.refuse(fault)
        except TabmuxError as error:
            self.refuse(RpcError(INTERNAL_ERROR, f"{error.message} {error.hint}".strip()))
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
            self.is_open = False
            self.outlet.abandon(self.request.id)
            raise
        await self.outlet.drained()

    def _finish(self, frame: bytes) -> None:
        if self.is_open:
            self.is_open = False
            self.outlet.finish(frame)
