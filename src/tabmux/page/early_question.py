"""Early question: asks for the quiet after a script before the script has answered."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tabmux.cdp.channel import Channel, Params
from tabmux.page.frame_tree import Frame


class EarlyQuestion:
    """A question that travels right behind a script, which saves a round trip.

    Chrome answers in this order, unless the script waits for something: what is answered before
    the script says nothing about what it does, and does not count.

    Args:
        frame: Where to ask.
        name: The function of the library that is asked.
        args: Its arguments.
    """

    def __init__(self, frame: Frame, name: str, args: Sequence[Any]) -> None:
        self._frame, self._name, self._args = frame, name, args
        self._answer: asyncio.Future[Params] | None = None

    def ask(self, channel: Channel, script: asyncio.Future[Params]) -> None:
        """Ask, now that a script has been sent to a channel."""
        if channel is not self._frame.channel:
            return
        self._answer = answer = self._frame.post(self._name, *self._args)
        if answer is not None:
            # They are called in the order of the answers, however many of them come at once.
            ended: list[bool] = []
            script.add_done_callback(lambda _: ended.append(True))
            answer.add_done_callback(lambda done: self._answered(done, in_time=bool(ended)))

    def _answered(self, done: asyncio.Future[Params], *, in_time: bool) -> None:
        if done.cancelled() or done.exception() is not None or not in_time:
            self._answer = None

    @property
    def counts(self) -> bool:
        """Whether there is, or will be, an answer that comes after the script's."""
        return self._answer is not None

    async def answer(self) -> Any:
        """Return what was answered, once."""
        assert self._answer is not None
        answer, self._answer = self._answer, None
        return await self._frame.posted(answer)
