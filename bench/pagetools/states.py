"""How the pages of the gold set are brought into the state that was labelled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tabmux.page.page import Page

UNDECLARE = """document.querySelectorAll("*").forEach((each) => {
  for (const name of each.getAttributeNames()) {
    if (name.startsWith("tool")) each.removeAttribute(name);
  }
})"""
OPEN_DIALOG = """[...document.querySelectorAll("button")]
  .find((each) => each.textContent.includes("Add Delivery Address")).click()"""
TODOS = ("buy milk", "walk dog", "write report")
FIELD = ".new-todo, #new-todo, input[placeholder*='needs to be done' i]"


async def evaluate(page: Page, expression: str) -> object:
    """Evaluate something in the page."""
    answer = await page.channel.call(
        "Runtime.evaluate", {"expression": expression, "returnByValue": True}
    )
    return answer["result"].get("value")


async def undeclared(page: Page) -> None:
    """Take away what the author declared."""
    await evaluate(page, UNDECLARE)


async def open_dialog(page: Page) -> None:
    """Open the first dialog of the example."""
    await evaluate(page, OPEN_DIALOG)


async def add_todos(page: Page) -> None:
    """Type three todos, as a user would."""
    async with asyncio.timeout(10):
        while not await evaluate(page, f"!!document.querySelector({FIELD!r})"):  # noqa: ASYNC110 (a page rings no bell)
            await asyncio.sleep(0.1)
    for text in TODOS:
        await add_todo(page, text)


async def add_todo(page: Page, text: str) -> None:
    """Type one todo."""
    await evaluate(page, f"document.querySelector({FIELD!r}).focus()")
    await page.channel.call("Input.insertText", {"text": text})
    for kind in ("rawKeyDown", "char", "keyUp"):
        key = {
            "type": kind,
            "key": "Enter",
            "code": "Enter",
            "windowsVirtualKeyCode": 13,
            "text": "\r",
        }
        await page.channel.call(
            "Input.dispatchKeyEvent", key if kind == "char" else {**key, "text": ""}
        )
    await asyncio.sleep(0.1)


STATES: dict[str, Callable[[Page], Awaitable[None]]] = {
    "aria_modal_dialog": open_dialog,
    "todomvc_react": add_todos,
    "webmcp_french_bistro": undeclared,
}
