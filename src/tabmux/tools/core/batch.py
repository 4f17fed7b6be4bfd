"""The batch tool: several calls on one page, as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tabmux.content import Progress, Reply
from tabmux.errors import BadArguments
from tabmux.page.page import Page
from tabmux.page_text import visible_line
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import JsonObject
from tabmux.tools.pipeline.call import Caller
from tabmux.tools.pipeline.tool import tool

MOST_STEPS = 50


class BatchStep(BaseModel):
    """One call of a batch."""

    model_config = ConfigDict(extra="forbid")

    tool: str = Field(description="Name of a tool.")
    arguments: JsonObject = Field(
        default_factory=dict, description='Its arguments as JSON: {"uid": "a1_2"}.'
    )


@tool(destroys=True, seconds=120, read_only=True)
async def batch(
    page: Page,
    session: Session,
    caller: Caller,
    progress: Progress,
    steps: Annotated[Sequence[BatchStep], Field(min_length=1, max_length=MOST_STEPS)],
    go_on: bool = False,
) -> Reply:
    """Call several tools on one page in order; shows what changed in the end.

    Args:
        steps: Calls to make.
        go_on: Continue after a failure.
    """
    first = await session.shown.look(page)
    reply = Reply()
    for number, step in enumerate(steps, 1):
        await progress(number, len(steps) + 1, step.tool)
        answer = await _take(page, caller, step)
        mark = "failed" if answer.failed else "ok"
        reply.add(f"{number}. {visible_line(step.tool, 100)}: {mark}. {answer.text}".rstrip())
        reply.images += answer.images
        reply.code = reply.code or answer.code
        if answer.failed and not go_on:
            left = len(steps) - number
            reply.add(f"Stopped; {left} step{'' if left == 1 else 's'} not taken.")
            break
    if page.gone or page.dialogs.current is not None:
        return reply
    reply.changes = await session.shown.changes_since(page, first) or ""
    return reply.quote(reply.changes)


async def _take(page: Page, caller: Caller, step: BatchStep) -> Reply:
    if step.tool in ("batch", "new_page", "close_page", "select_page", "handle_dialog"):
        return Reply.failure(BadArguments(f"{step.tool} cannot be part of a batch."))
    quiet = {"report": "none"} if caller.takes(step.tool, "report") else {}
    return await caller.call(page, step.tool, {**quiet, **step.arguments})
