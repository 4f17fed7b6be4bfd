"""Client questions: what a client is asked in the middle of its request, in the way of each era."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from msgspec import Struct

from tabmux.content import QuestionPending
from tabmux.mcp import rpc
from tabmux.mcp.rpc import Id, Message, RpcError, RpcResponse
from tabmux.mcp.schema import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    REQUEST_TIMEOUT,
    ElicitResult,
    RootsResult,
)
from tabmux.mcp.server_info import validated

# A person may have to think before answering.
ANSWER_SECONDS = 300.0
# A program answers this, not a person.
ROOTS_SECONDS = 3.0

# To accept is the answer: there is nothing to fill in.
_NOTHING: Message = {"type": "object", "properties": {}}


@dataclass(frozen=True)
class ClientQuestion:
    """Something that only the client can answer.

    Args:
        method: The request to the client.
        params: Its parameters.
        capability: What a client must have declared to be asked this.
        result: What the answer must be.
    """

    method: str
    params: Message
    capability: str
    result: type[Struct]

    @property
    def message(self) -> Message:
        """The question as it is put to the client."""
        return {"method": self.method, "params": self.params}

    def checked(self, answer: object) -> Message:
        """Return the answer if it is one to this question."""
        if not isinstance(answer, dict):
            raise RpcError(INVALID_PARAMS, f"The answer to {self.method} must be an object.")
        validated(self.result, answer)
        return answer


def elicitation(params: Message) -> ClientQuestion:
    """Return a question to the user."""
    return ClientQuestion("elicitation/create", params, "elicitation", ElicitResult)


class InputRequired(QuestionPending):
    """A request that cannot be answered before the client has answered these questions."""

    def __init__(self, questions: Mapping[str, ClientQuestion]) -> None:
        super().__init__("The client must answer first.")
        self.questions = questions


class ClientQuestions(Protocol):
    """The way to ask the client of one request."""

    capabilities: Message

    async def ask(self, questions: Mapping[str, ClientQuestion]) -> dict[str, Message]:
        """Return the client's answers by the names of the questions."""


async def confirm(client: ClientQuestions, question: str, about: str = "confirm") -> bool | None:
    """Ask the user for a yes; None if the client cannot ask. `about` names the question."""
    if not _has_forms(client.capabilities.get("elicitation")):
        return None
    asked = elicitation({"message": question, "requestedSchema": _NOTHING})
    try:
        answers = await client.ask({about: asked})
    except RpcError:
        return None
    return bool(answers[about]["action"] == "accept")


async def list_roots(client: ClientQuestions) -> Sequence[str]:
    """Ask for the client's roots; one that has none to offer has none."""
    if "roots" not in client.capabilities:
        return ()
    asked = ClientQuestion("roots/list", {}, "roots", RootsResult)
    try:
        async with asyncio.timeout(ROOTS_SECONDS):
            answers = await client.ask({"roots": asked})
    except (RpcError, TimeoutError):
        return ()
    return [str(root.get("uri", "")) for root in answers["roots"].get("roots", ())]


def _has_forms(capability: Any) -> bool:
    """Whether a client shows forms: it says so, or says nothing of what it shows."""
    return isinstance(capability, dict) and (not capability or "form" in capability)


def _require(capabilities: Message, questions: Mapping[str, ClientQuestion]) -> None:
    """Refuse to ask a client what it has not said it can answer."""
    wanted = {question.capability for question in questions.values()}
    if missing := wanted - capabilities.keys():
        data: Message = {"requiredCapabilities": {name: {} for name in sorted(missing)}}
        text = f"This needs a client that declares {', '.join(sorted(missing))}."
        raise RpcError(MISSING_REQUIRED_CLIENT_CAPABILITY, text, data)


class QuestionWriter(Protocol):
    """Where questions are sent."""

    def send(self, frame: bytes) -> None:
        """Queue a message."""


class PendingQuestions:
    """What a client of the stateful era has been asked and has not yet answered."""

    def __init__(self, seconds: float = ANSWER_SECONDS) -> None:
        self._seconds = seconds
        self._waiting: dict[Id, asyncio.Future[Message | None]] = {}
        self._numbers = itertools.count(1)

    def answered(self, answer: RpcResponse) -> None:
        """Take an answer; one that nobody waits for is ignored."""
        waiting = self._waiting.get(answer.id) if answer.id is not None else None
        if waiting is not None and not waiting.done():
            waiting.set_result(answer.result)

    async def put(
        self, questions: Mapping[str, ClientQuestion], writer: QuestionWriter
    ) -> dict[str, Message]:
        """Send all questions at once, and wait for all answers."""
        sent = {name: self._send(question, writer) for name, question in questions.items()}
        try:
            async with asyncio.timeout(self._seconds):
                return {name: await self._answer(sent[name], questions[name]) for name in sent}
        except TimeoutError:
            raise RpcError(REQUEST_TIMEOUT, "The client did not answer in time.") from None
        except asyncio.CancelledError:
            for ident in sent.values():
                writer.send(rpc.notification("notifications/cancelled", {"requestId": ident}))
            raise
        finally:
            for ident in sent.values():
                del self._waiting[ident]

    def _send(self, question: ClientQuestion, writer: QuestionWriter) -> Id:
        ident = f"tabmux-{next(self._numbers)}"
        self._waiting[ident] = asyncio.get_running_loop().create_future()
        writer.send(rpc.request(ident, question.method, question.params))
        return ident

    async def _answer(self, ident: Id, question: ClientQuestion) -> Message:
        answer = await self._waiting[ident]
        if answer is None:
            raise RpcError(INTERNAL_ERROR, f"The client refused to answer {question.method}.")
        return question.checked(answer)


class StatefulQuestions:
    """The stateful era: questions go out on the request's own stream."""

    def __init__(
        self, capabilities: Message, pending: PendingQuestions, writer: QuestionWriter
    ) -> None:
        self.capabilities = capabilities
        self._pending, self._writer = pending, writer

    async def ask(self, questions: Mapping[str, ClientQuestion]) -> dict[str, Message]:
        """Ask, and wait for the answers."""
        _require(self.capabilities, questions)
        return await self._pending.put(questions, self._writer)


class StatelessQuestions:
    """The stateless era: the client repeats its request, each time with more answers."""

    def __init__(self, capabilities: Message, given: Any, known: Message) -> None:
        self.capabilities = capabilities
        self._given = given if isinstance(given, dict) else {}
        self.known = dict(known)

    async def ask(self, questions: Mapping[str, ClientQuestion]) -> dict[str, Message]:
        """Return the answers if all are there; end the request with the questions otherwise."""
        _require(self.capabilities, questions)
        for name in questions.keys() & self._given.keys():
            self.known[name] = questions[name].checked(self._given[name])
        if open_ones := {name: q for name, q in questions.items() if name not in self.known}:
            raise InputRequired(open_ones)
        return {name: self.known[name] for name in questions}
