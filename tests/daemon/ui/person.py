"""A person at the live view, played by an agent of another server: its browser shows the view."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tabmux.daemon.app import App
from tabmux.daemon.ui.passes import Role
from tabmux.page.handle import PageHandle
from tests.agent import Agent


@dataclass
class Person:
    """Somebody who looks at a server.

    Args:
        browser: Drives the browser in which the person looks.
        app: The server that is looked at.
    """

    browser: Agent
    app: App

    async def enter(self, role: Role = "steer", *, text: str = "Actions") -> None:
        """Open the live view by a link."""
        link = await self.app.ui_server.link(role, 60)
        await self.browser("navigate_page", url=link)
        await self.sees(text)

    async def sees(self, text: str) -> None:
        """Wait until the live view shows a text."""
        await self.browser("wait_for", text=[text], includeSnapshot=False)

    async def until(self, expression: str) -> None:
        """Wait until an expression holds in the live view."""
        await self.browser("wait_for", function=f"() => {expression}", includeSnapshot=False)

    async def press(self, name: str) -> None:
        """Press a button."""
        await self.browser("click", uid=f'button "{name}"')

    async def value(self, expression: str) -> Any:
        """Evaluate an expression in the live view."""
        return json.loads(await self.browser.value(expression))

    async def open_page(self, page: PageHandle) -> None:
        """Show a page large, until its first picture is there."""
        await self.browser(
            "click", uid=f"css=li.thumbnail button[aria-label^='Open page {page.id}:']"
        )
        await self.until("document.querySelector('.stage canvas')?.dataset.frame")

    async def click_in_page(self, x: float, y: float) -> None:
        """Click in the picture, at a place of the page's viewport in parts of it."""
        box = await self.value(
            "(box => [box.x, box.y, box.width, box.height])"
            "(document.querySelector('.surface').getBoundingClientRect())"
        )
        left, top, width, height = box
        await self.browser("click_at", x=left + x * width, y=top + y * height)

    async def colour(self, page: PageHandle) -> list[int]:
        """Return the colour near the top left of the small picture of a page."""
        found: list[int] = await self.value(
            f"(canvas => [...canvas.getContext('2d').getImageData(canvas.width / 10, "
            f"canvas.height / 10, 1, 1).data].slice(0, 3))({thumbnail(page)})"
        )
        return found


def thumbnail(page: PageHandle) -> str:
    """Return the expression for the small picture of a page."""
    return f"document.querySelector(\"li.thumbnail button[aria-label^='Open page {page.id}:'] canvas\")"
