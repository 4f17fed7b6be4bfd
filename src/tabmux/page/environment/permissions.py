"""Permissions: what sites may use without asking the user."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tabmux.cdp.channel import Params

if TYPE_CHECKING:
    from tabmux.page.page import Page


async def grant(page: Page, origin: str, permissions: Sequence[str]) -> None:
    """Let an origin use some things; all others it is refused until they are reset."""
    command = {**_context(page), "origin": origin, "permissions": list(permissions)}
    await page.channel.browser.call("Browser.grantPermissions", command)


async def reset(page: Page) -> None:
    """Ask the user again, in every origin of the page's context."""
    await page.channel.browser.call("Browser.resetPermissions", _context(page))


@asynccontextmanager
async def granted(page: Page, name: str) -> AsyncIterator[None]:
    """Let the page's origin use something for the length of the block."""
    origin = await page.main.run("origin")
    command = {**_context(page), "permission": {"name": name}, "origin": origin}
    browser = page.channel.browser
    await browser.call("Browser.setPermission", {**command, "setting": "granted"})
    try:
        yield
    finally:
        browser.send("Browser.setPermission", {**command, "setting": "prompt"})


def _context(page: Page) -> Params:
    context = page.handle.target.get("browserContextId")
    return {"browserContextId": context} if context else {}
