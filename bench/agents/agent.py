"""One agent at its task: it calls tools, and looks whether what comes back is its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bench.agents.form import TOKEN, Step, who
from bench.client import Client, Reply
from bench.dialects import Dialect
from bench.trouble import BenchError
from bench.verbs import Element, elements, located

WHOLE = "RootWebArea"


@dataclass
class Diary:
    """What one agent went through.

    Args:
        seconds: Of every call that was answered.
        strays: Replies that lacked the agent's own text or named another agent.
        error: Why the agent gave up.
    """

    seconds: list[float] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    error: str = ""


class Agent:
    """An agent with a client, which it may share, and a tab, which it does not."""

    def __init__(
        self,
        number: int,
        client: Client,
        dialect: Dialect,
        page: int | None,
        locate: Callable[[str], str],
    ) -> None:
        self.number = number
        self._client, self._dialect = client, dialect
        self._page, self._locate = page, locate
        self._snapshot = ""

    async def work(self, steps: Sequence[Step]) -> Diary:
        """Take all steps in order; the first that fails ends the work."""
        diary = Diary()
        for position, step in enumerate(steps, 1):
            try:
                reply = await self._take(step)
            except BenchError as error:
                diary.error = f"{who(self.number)}, step {position}: {error}"
                return diary
            diary.seconds.append(reply.seconds)
            if stray := self._stray(step, reply):
                diary.strays.append(f"{who(self.number)}, step {position}: {stray}")
        return diary

    async def _take(self, step: Step) -> Reply:
        verb = located(step.verb, self._locate)
        references = {element: self._reference(element) for element in elements(verb)}
        call = self._dialect.call(verb, references, self._page)
        reply = await self._client.call(call.tool, call.arguments)
        # Only a whole snapshot replaces the last one: what an action changed keeps its uids.
        if WHOLE in reply.text:
            self._snapshot = reply.text
        return reply

    def _reference(self, element: Element) -> str:
        found = self._dialect.references(self._snapshot, element.role)
        if element.name not in found:
            raise BenchError(f"the last snapshot has no {element.role} {element.name!r}")
        return found[element.name]

    def _stray(self, step: Step, reply: Reply) -> str:
        if others := set(re.findall(TOKEN, reply.text)) - {who(self.number)}:
            return f"the reply is about {', '.join(sorted(others))}"
        if step.shows not in reply.text:
            return f"no {step.shows!r} in {reply.text[:200]!r}"
        return ""
