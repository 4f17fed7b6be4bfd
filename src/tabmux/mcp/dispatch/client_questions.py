"""Questions to a client in the middle of its request, in the way of each era."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from msgspec import Struct

from tabmux.mcp import rpc
from tabmux.mcp.rpc import Id, Message, RpcError, RpcResponse
from tabmux.mcp.schema import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    REQUEST_TIMEOUT,
    ElicitResult,
    RootsResult,
    SampleResult,
)
from tabmux.mcp.server_info import validated

# A person may have to think before answering.
ANSWER_SECONDS = 300.0

_ANSWERS: dict[str, tuple[str, type[Struct]]] = {
    "elicitation/create": ("elicitation", ElicitResult),
    "sampling/createMessage": ("sampling", SampleResult),
    "roots/list": ("roots", RootsResult),
}


@dataclass(frozen=True)
class ClientQuestion:
    """Something that only the client can answer."""

    method: str
    params: Message

    @property
    def capability(self) -> str:
        """What a client must have declared to be asked this."""
        return _ANSWERS[self.method][0]

    @property
    def message(self) -> Message:
        """The question as it is put to the client."""
        return {"method": self.method, "params": self.params}

    def checked(self, answer: object) -> Message:
        """Return the answer if it is one to this question."""
        if not isinstance(answer, dict):
            raise RpcError(INVALID_PARAMS, f"The answer to {self.method} must be an object.")
        validated(_ANSWERS[self.method][1], answer)
        return answer


class InputRequired(Exception):
    """A request that cannot be answered before the client has answered these questions."""

    def __init__(self, questions: Mapping[str, ClientQuestion]) -> None:
        super().__init__("The client must answer first.")
        self.questions = questions


class ClientQuestions(Protocol):
    """The way to ask the client of one request."""

    capabilities: Message

    async def ask(self, questions: Mapping[str, ClientQuestion]) -> dict[str, Message]:
        """Return the client's answers by the names of the questions."""


def require(capabilities: Message, questions: Mapping[str, ClientQuestion]) -> None:
    """Refuse to ask a client what it has not said it can answer."""
    wanted = {question.capability for question in questions.values()}
    if missing := wanted - capabilities.keys():
        data: Message = {"requiredCapabilities": {name: {} for name in sorted(missing)}}
        text = f"This needs a client that declares {', '.join(sorted(missing))}."
        raise RpcError(MISSING_REQUIRED_CLIENT_CAPABILITY, text, data)


class Voice(Protocol):
    """Where questions are sent."""

    def send(self, frame: bytes) -> None:
        """Queue a message."""


class PendingQuestions:
    """What a client of the handshake era has been asked and has not yet answered."""

    def __init__(self) -> None:
        self._waiting: dict[Id, asyncio.Future[Message | None]] = {}
        self._numbers = itertools.count(1)

    def answered(self, answer: RpcResponse) -> None:
        """Take an answer; one that nobody waits for is ignored."""
        waiting = self._waiting.get(answer.id) if answer.id is not None else None
        if waiting is not None and not waiting.done():
            waiting.set_result(answer.result)

    async def put(
        self, questions: Mapping[str, ClientQuestion], voice: Voice
    ) -> dict[str, Message]:
        """Send all questions at once, and wait for all answers."""
        sent = {name: self._send(question, voice) for name, question in questions.items()}
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return {name: await self._answer(sent[name], questions[name]) for name in sent}
        except TimeoutError:
            raise RpcError(REQUEST_TIMEOUT, "The client did not answer in time.") from None
        finally:
            for ident in sent.values():
                del self._waiting[ident]

    def _send(self, question: ClientQuestion, voice: Voice) -> Id:
        ident = f"tabmux-{next(self._numbers)}"
        self._waiting[ident] = asyncio.get_running_loop().create_future()
        voice.send(rpc.request(ident, question.method, question.params))
        return ident

    async def _answer(self, ident: Id, question: ClientQuestion) -> Message:
        answer = await self._waiting[ident]
        if answer is None:
            raise RpcError(INTERNAL_ERROR, f"The client refused to answer {question.method}.")
        return question.checked(answer)


class StatefulQuestions:
    """The handshake era: questions go out on the request's own stream."""

    def __init__(self, capabilities: Message, questions: PendingQuestions, voice: Voice) -> None:
        self.capabilities = capabilities
        self._questions, self._voice = questions, voice

    async def ask(self, questions: Mapping[str, ClientQuestion]) -> dict[str, Message]:
        """Ask, and wait for the answers."""
        require(self.capabilities, questions)
        return await self._questions.put(questions, self._voice)


class StatelessQuestions:
    """The stateless era: the client repeats its request, each time with more answers."""

    def __init__(self, capabilities: Message, given: Any, known: Message) -> None:
        self.capabilities = capabilities
        self._given = given if isinstance(given, dict) else {}
        self.known = dict(known)

    async def ask(self, questions: Mapping[str, ClientQuestion]) -> dict[str, Message]:
        """Return the answers if all are there; end the request with the questions otherwise."""
        require(self.capabilities, questions)
        for name in questions.keys() & self._given.keys():
            self.known[name] = questions[name].checked(self._given[name])
        if open_ones := {name: q for name, q in questions.items() if name not in self.known}:
            raise InputRequired(open_ones)
        return {name: self.known[name] for name in questions}
