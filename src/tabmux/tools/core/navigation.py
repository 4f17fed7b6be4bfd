"""The navigate_page tool: go, back, forward, reload."""

from __future__ import annotations

from typing import Literal

from tabmux.content import Reply
from tabmux.errors import BadArguments
from tabmux.page.dialogs import DialogAnswer
from tabmux.page.navigation import DEFAULT_SECONDS
from tabmux.page.page import Page
from tabmux.page_text import address, in_quotes
from tabmux.tools.core.pages import TITLE_LIMIT
from tabmux.tools.pipeline.argument_types import Milliseconds, Script, Url
from tabmux.tools.pipeline.results import ActionResult
from tabmux.tools.pipeline.tool import tool

Kind = Literal["url", "back", "forward", "reload"]


@tool(over_dialog=True, anywhere=True, seconds=60, read_only=True, result=ActionResult)
async def navigate_page(
    page: Page,
    type: Kind | None = None,  # the argument's name is part of the contract
    url: Url | None = None,
    ignore_cache: bool = False,
    handle_before_unload: Literal["accept", "dismiss"] = "accept",
    init_script: Script | None = None,
    timeout: Milliseconds = 0,
) -> Reply:
    """Load a URL, or go back, forward or reload.

    Args:
        type: What to do; url when a URL is given.
        url: Address to load.
        ignore_cache: Reload without the cache.
        handle_before_unload: Leave (accept) or stay if the page asks.
        init_script: JavaScript to run once before the page's own.
        timeout: Milliseconds; 0 for the usual.
    """
    kind = type or ("url" if url else None)
    if kind is None or (kind == "url" and url is None):
        raise BadArguments("Say where to go.", hint="Give a url, or type back, forward or reload.")
    await _close_dialog(page)
    leave = DialogAnswer(accept=handle_before_unload == "accept")
    seconds = timeout / 1000 or DEFAULT_SECONDS
    with page.dialogs.answering(leave, "beforeunload") as answered:
        async with page.navigation.init_script(init_script):
            remark = await _travel(page, kind, url or "", seconds, ignore_cache)
    data = ActionResult(navigated_to=page.url).data
    done = remark or f"{_done(kind, page)} {page.navigation.server_error}".rstrip()
    reply = Reply(done, data=data)
    return reply.add("\n".join(answered))


async def _travel(page: Page, kind: Kind, url: str, seconds: float, ignore_cache: bool) -> str:
    if kind == "url":
        return await page.navigation.go(url, seconds)
    if kind == "reload":
        return await page.navigation.reload(seconds, ignore_cache=ignore_cache)
    return await page.navigation.step(-1 if kind == "back" else 1, seconds)


def _done(kind: Kind, page: Page) -> str:
    title = f" ({in_quotes(page.title, TITLE_LIMIT)})" if page.title else ""
    if kind == "reload":
        return f"Successfully reloaded the page{title}."
    where = address(page.url)
    return f"Successfully navigated {'' if kind == 'url' else f'{kind} '}to {where}{title}."


async def _close_dialog(page: Page) -> None:
    """A dialog would keep the page from leaving."""
    if page.dialogs.current is not None:
        await page.dialogs.answer(accept=False)
