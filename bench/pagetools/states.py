"""How the pages of the gold set are brought into the state that was labelled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bench.trouble import BenchError
from tabmux.page.page import Page

UNDECLARE = """document.querySelectorAll("*").forEach((each) => {
  for (const name of each.getAttributeNames()) {
    if (name.startsWith("tool")) each.removeAttribute(name);
  }
})"""
OPEN_DIALOG = """[...document.querySelectorAll("button")]
  .find((each) => each.textContent.includes("Add Delivery Address")).click()"""
TODOS = ("buy milk", "walk dog", "write report")
PARTS = Path(__file__).with_name("todos.js")


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


async def _part(page: Page, what: str) -> Any:
    return await evaluate(page, f"{PARTS.read_text().rstrip()}.{what}")


async def add_todos(page: Page) -> None:
    """Type three todos, as a user would; an application that loads late misses the first."""
    async with asyncio.timeout(10):
        while not await _part(page, "isReady()"):  # noqa: ASYNC110 (a page rings no bell)
            await asyncio.sleep(0.1)
        while not await _part(page, f"has({TODOS[0]!r})"):
            await add_todo(page, TODOS[0])
    for text in TODOS[1:]:
        await add_todo(page, text)


async def add_todo(page: Page, text: str) -> None:
    """Type one todo."""
    await _part(page, "enter()")
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
    await asyncio.sleep(0.2)


async def tick_todo(page: Page) -> None:
    """Tick the first todo that is not done."""
    place = await _part(page, "box()")
    if place is None:
        raise BenchError("There is no todo to tick.")
    for kind in ("mousePressed", "mouseReleased"):
        where = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
        await page.channel.call("Input.dispatchMouseEvent", {"type": kind, **where})
    await asyncio.sleep(0.2)


STATES: dict[str, Callable[[Page], Awaitable[None]]] = {
    "aria_modal_dialog": open_dialog,
    "todomvc_react": add_todos,
    "webmcp_french_bistro": undeclared,
}
