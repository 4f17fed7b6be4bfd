"""The read_page tool: the content of a page as Markdown."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tabmux.content import Reply
from tabmux.errors import BadArguments
from tabmux.page.page import Page
from tabmux.page.see.markdown import Reading, portion
from tabmux.page_text import address
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import Target
from tabmux.tools.pipeline.tool import tool

DEFAULT_BUDGET = 10_000


@tool(reads=True)
async def read_page(
    page: Page,
    session: Session,
    uid: Target | None = None,
    offset: Annotated[int, Field(ge=0)] = 0,
    budget: Annotated[int, Field(ge=100)] = DEFAULT_BUDGET,
) -> Reply:
    """Read the page's main content as Markdown, without uids.

    Args:
        uid: All of this element instead.
        offset: Characters to leave out, to read on.
        budget: Most characters.
    """
    reading = Reading(page, lambda: session.shown.glance(page))
    text = await reading.text(uid)
    if offset and offset >= len(text):
        raise BadArguments(f"There are only {len(text)} characters.", hint="Give a lower offset.")
    if not text:
        return Reply("There is no text to read; take_snapshot shows what is there.", is_ours=True)
    shown = portion(text, offset, budget)
    end = offset + len(shown)
    reply = Reply(f"Links are relative to {address(reading.origin)}." if reading.origin else "")
    reply.quote(shown.strip("\n"))
    if end < len(text):
        reply.add(f"Characters {offset} to {end} of {len(text)}; read on with offset: {end}.")
    return reply
