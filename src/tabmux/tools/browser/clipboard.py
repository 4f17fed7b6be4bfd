"""Clipboard tools: read and write the text of the clipboard, where the user allows it."""

from __future__ import annotations

from tabmux.content import Reply
from tabmux.errors import PageTrouble
from tabmux.page.environment.permissions import granted
from tabmux.page.page import Page
from tabmux.tools.pipeline.tool import tool


@tool(clipboard=True)
async def read_clipboard(page: Page) -> Reply:
    """Return the text in the browser's clipboard; the page must be on https or localhost."""
    text = await _ask(page, None)
    return Reply("The clipboard holds:").quote(text) if text else Reply("The clipboard is empty.")


@tool(clipboard=True, repeatable=True)
async def write_clipboard(page: Page, text: str) -> Reply:
    """Put a text into the browser's clipboard; the page must be on https or localhost.

    Args:
        text: What to put there.
    """
    await _ask(page, text)
    return Reply(f"Put {len(text)} characters into the clipboard.")


async def _ask(page: Page, text: str | None) -> str:
    # To write where nobody has just clicked takes the permission to read.
    async with granted(page, "clipboard-read"):
        answer = await page.main.run("clipboard", text)
    if error := answer.get("error"):
        if error == "insecure":
            raise PageTrouble("Only pages on https or localhost can reach the clipboard.")
        raise PageTrouble(f"The page cannot reach the clipboard: {error}")
    return str(answer["text"])
