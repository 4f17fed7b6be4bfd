"""The handle_dialog tool: answers the dialog that blocks a page."""

from __future__ import annotations

from typing import Literal

from tabmux.content import Reply
from tabmux.page.page import Page
from tabmux.sessions.session import Session
from tabmux.tools.core.outcome import acting, outcome
from tabmux.tools.pipeline.results import ActionResult
from tabmux.tools.pipeline.tool import tool


@tool(turn=False, over_dialog=True, result=ActionResult)
async def handle_dialog(
    page: Page,
    session: Session,
    action: Literal["accept", "dismiss"],
    prompt_text: str | None = None,
) -> Reply:
    """Answer the open alert, confirm or prompt.

    Args:
        action: What to answer.
        prompt_text: Text for a prompt; its default when absent.
    """
    async with acting(session, page) as effects:
        dialog = await page.dialogs.answer(action == "accept", prompt_text)
    verb = "accepted" if action == "accept" else "dismissed"
    return await outcome(session, page, f"Successfully {verb} the {dialog.kind}.", effects)
