"""Human control: calls wait for a person who has the page, and end when one says so."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from tabmux.content import Reply
from tabmux.errors import HumanInControl
from tabmux.sessions import handover
from tabmux.sessions.steering import StoppableCall
from tabmux.tools.pipeline.call import Call, ToolRun

# For tools that are no functions of tabmux's, and have deadlines of their own.
PAUSE_SECONDS = 30.0


async def wait_for_people(run: ToolRun) -> None:
    """Wait until no person has paused the session or has the page, once that is known."""
    if run.tool.beside_person:
        return
    # Whoever hands the page back may have paused the session meanwhile.
    while text := handover.held(run.session, run.handle):
        run.waits_for = text
        await handover.until_let_go(run.session, run.handle)
    run.waits_for = ""


def refusal(run: ToolRun, running: StoppableCall) -> HumanInControl | None:
    """Say that a person is why a run has ended, if so."""
    if running.is_stopped:
        return _stopped(run.tool.name)
    why = run.waits_for or _blocked(run)
    return handover.not_run(run.tool.name, why) if why else None


def _blocked(run: ToolRun) -> str:
    """Say whom the calls wait for that a run waits for itself."""
    return "" if run.acting or run.tool.beside_person else handover.held(run.session, run.handle)


async def provided(call: Call, work: Coroutine[Any, Any, Reply]) -> Reply:
    """Await the call of a tool that is no function of tabmux's, as a person lets it."""
    steering = call.session.steering
    try:
        async with asyncio.timeout(PAUSE_SECONDS if steering.is_paused else None) as limit:
            with steering.running(limit) as running:
                await steering.until_resumed()
                limit.reschedule(None)
                return await work
    except TimeoutError as error:
        if not limit.expired():
            raise
        if running.is_stopped:
            raise _stopped(call.name) from error
        raise handover.not_run(call.name, "A person has paused this session.") from error
    finally:
        work.close()


def _stopped(name: str) -> HumanInControl:
    return HumanInControl(
        f"A person has stopped {name}.",
        hint="Do not repeat it; ask the user what to do.",
        code="stopped_by_human",
    )
