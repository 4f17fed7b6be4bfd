"""The select_text tool: selects text as a user would with the mouse."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabmux.content import Reply, quoted
from tabmux.errors import Misuse, TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.page import Page
from tabmux.page_text import in_quotes
from tabmux.sessions.session import Session
from tabmux.tools.core.outcome import Report, acting, outcome
from tabmux.tools.pipeline.argument_types import Target
from tabmux.tools.pipeline.results import ActionResult
from tabmux.tools.pipeline.tool import tool

SHOWN = 200


@tool(repeatable=True, result=ActionResult)
async def select_text(
    page: Page,
    session: Session,
    uid: Target | None = None,
    text: str = "",
    start: Annotated[int, Field(ge=0)] | None = None,
    end: Annotated[int, Field(ge=0)] | None = None,
    report: Report = "diff",
) -> Reply:
    """Select text of an element or the page: all of it, a part, or a range of characters.

    Args:
        uid: An element or a field; otherwise the page.
        text: The part.
        start: Where the range begins.
        end: Where it ends.
        report: What to show afterwards.
    """
    what: dict[str, Any] = {"text": text, "start": start, "end": end}
    what |= {"epoch": uid.epoch if uid else 0, "label": uid.label if uid else 0}
    frames = [uid.frame] if uid is not None else list(page.frames)
    async with acting(session, page, uid.frame if uid else None, first=0, report=report) as effects:
        found = await _select(page, frames, what)
        if uid is not None:
            found = uid.checked(found) or None
    if found is None:
        wanted = in_quotes(text) if text else "text in that range"
        raise Misuse(f"There is no {wanted} to select.", code="not_found")
    done = f"Selected {len(found['selected'])} characters: {quoted(found['selected'][:SHOWN])}"
    if found["matches"] > 1:
        done += f"\nIt is the first of {found['matches']} places."
    return await outcome(session, page, done, effects, report=report)


async def _select(page: Page, frames: list[Frame], what: dict[str, Any]) -> dict[str, Any] | None:
    """Select in the first frame that has it."""
    for frame in frames:
        try:
            found: dict[str, Any] | None = await frame.run("select_text", what)
        except TabmuxError:
            if len(frames) == 1 or frame is page.frames.main:
                raise
            continue
        if found is not None:
            return found
    return None
