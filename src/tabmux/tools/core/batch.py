"""The batch tool: several calls on one page, as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from tabmux.content import Progress, Reply
from tabmux.errors import TabmuxError
from tabmux.page.page import Page
from tabmux.page_text import visible_line
from tabmux.sessions.locators import is_locator, locate
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import JsonObject
from tabmux.tools.pipeline.tool import Caller, tool

MOST_STEPS = 50
_UIDS = ("uid", "from_uid", "to_uid")


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

    Uids may be given as role and name, such as button "Save", so no snapshot is needed before.

    Args:
        steps: Calls to make.
        go_on: Continue after a failure.
    """
    first = await session.look(page)
    reply = Reply()
    for number, step in enumerate(steps, 1):
        await progress(number, len(steps) + 1, step.tool)
        answer = await _take(page, session, caller, step)
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
    return reply.quote(await session.changes_since(page, first) or "")


async def _take(page: Page, session: Session, caller: Caller, step: BatchStep) -> Reply:
    arguments = dict(step.arguments)
    if step.tool in ("batch", "new_page", "close_page", "select_page", "handle_dialog"):
        return Reply(f"{step.tool} cannot be part of a batch.", code="bad_arguments")
    try:
        arguments = await _located(page, session, arguments)
    except TabmuxError as error:
        return Reply(error.text, code=error.code)
    quiet = {"report": "none"} if caller.takes(step.tool, "report") else {}
    return await caller.call(page, step.tool, {**quiet, **arguments})


async def _located(page: Page, session: Session, arguments: dict[str, Any]) -> dict[str, Any]:
    """Put uids in the place of roles and names."""
    text = ""

    async def uid_of(value: Any) -> Any:
        nonlocal text
        if not isinstance(value, str) or not is_locator(value):
            return value
        text = text or await session.look(page)
        return locate(text, value)

    for key in _UIDS:
        if key in arguments:
            arguments[key] = await uid_of(arguments[key])
    if isinstance(arguments.get("elements"), list):
        arguments["elements"] = [
            {**each, "uid": await uid_of(each.get("uid"))} if isinstance(each, dict) else each
            for each in arguments["elements"]
        ]
    return arguments
