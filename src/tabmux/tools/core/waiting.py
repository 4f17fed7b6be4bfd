"""The wait_for tool: waits for text to appear."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from tabmux.content import Reply
from tabmux.errors import DeadlineExceeded, TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.page import Page
from tabmux.page.see.snapshots import SnapshotOptions
from tabmux.page_text import in_quotes
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import Milliseconds
from tabmux.tools.pipeline.tool import tool

DEFAULT_MILLISECONDS = 30_000
# How long one look at a frame lasts; frames that come and go are seen at the next one.
LOOK_SECONDS = 1.0


@tool(reads=True)
async def wait_for(
    page: Page,
    session: Session,
    text: Annotated[Sequence[str], Field(min_length=1)],
    timeout: Milliseconds = 0,
    include_snapshot: bool = True,
) -> Reply:
    """Wait until a text is visible, in any frame.

    Args:
        text: Any one of these ends the wait.
        timeout: Milliseconds; 0 for the usual.
        include_snapshot: Show the page then.
    """
    limit = timeout or DEFAULT_MILLISECONDS
    found = await _appears(page, list(text), limit / 1000)
    if found is None:
        shown = ", ".join(in_quotes(each, 80) for each in text[:5])
        raise DeadlineExceeded(
            f"None of {shown} became visible within {limit} ms.",
            hint="Take a snapshot to see what the page shows.",
        )
    reply = Reply(f"Found {in_quotes(found)}.")
    if include_snapshot:
        reply.add("## Latest page snapshot").quote(await session.snapshot(page, SnapshotOptions()))
    return reply


async def _appears(page: Page, texts: list[str], seconds: float) -> str | None:
    end = time.monotonic() + seconds
    while True:
        left = end - time.monotonic()
        found = await _look(page, texts, max(0.0, min(left, LOOK_SECONDS)))
        if found is not None or left <= 0:
            return found
        page.dialogs.refuse_if_open()


async def _look(page: Page, texts: list[str], seconds: float) -> str | None:
    """Watch all frames at once; the first that shows a text wins."""
    async with asyncio.TaskGroup() as group:
        looks = [group.create_task(_see(frame, texts, seconds)) for frame in page.frames]
        for look in asyncio.as_completed(looks):
            if (found := await look) is not None:
                for other in looks:
                    other.cancel()
                return found
    return None


async def _see(frame: Frame, texts: list[str], seconds: float) -> str | None:
    try:
        found: str | None = await frame.call(
            "awaitText", texts, seconds * 1000, timeout=seconds + LOOK_SECONDS
        )
    except TabmuxError:
        # The frame's document is going or not yet there; the next look sees the new one.
        await asyncio.sleep(min(seconds, 0.05))
        return None
    return found
