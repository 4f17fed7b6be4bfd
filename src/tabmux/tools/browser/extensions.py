"""Extension tools: install, reload and trigger extensions of a launched browser."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_view import BrowserView
from tabmux.browsers.extension_workers import worker_started
from tabmux.browsers.window_tabs import tab_of
from tabmux.cdp.channel import Params
from tabmux.content import Reply
from tabmux.errors import Misuse, PageGone, ProtocolFault
from tabmux.json_text import decoded
from tabmux.page.page import Page
from tabmux.page_text import in_quotes
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import ExtensionFolder
from tabmux.tools.pipeline.tool import tool

INSTALL_SECONDS = 30.0


@tool(exclusive=True, scripts=True, seconds=INSTALL_SECONDS)
async def install_extension(session: Session, browser: Browser, path: ExtensionFolder) -> Reply:
    """Install an unpacked extension.

    Args:
        path: The folder that has its manifest.json.
    """
    session.urls_in(browser).refuse_if_restricted("Extensions")
    return Reply(f"Extension installed. Id: {await _install(browser, str(path))}")


@tool(destroys=True, exclusive=True, seconds=INSTALL_SECONDS)
async def uninstall_extension(browser: Browser, id: str) -> Reply:
    """Uninstall an extension.

    Args:
        id: Id from list_extensions.
    """
    await _found(browser, id)
    await _ask(browser, "Extensions.uninstall", {"id": id})
    return Reply(f"Extension uninstalled. Id: {id}")


@tool(reads=True)
async def list_extensions(browser: Browser) -> Reply:
    """List the extensions that are installed."""
    reply = Reply("## Extensions")
    for each in await _installed(browser):
        state = "Enabled" if each["enabled"] else "Disabled"
        reply.add(f"id={each['id']} {in_quotes(each['name'])} v{each['version']} {state}")
    return reply if "\n" in reply.text else reply.add("No extensions installed.")


@tool(exclusive=True, scripts=True, seconds=INSTALL_SECONDS)
async def reload_extension(browser: Browser, id: str) -> Reply:
    """Load an unpacked extension anew from its folder.

    Args:
        id: Id from list_extensions.
    """
    found = await _found(browser, id)
    await _install(browser, found["path"])
    return Reply("Extension reloaded.")


@tool(exclusive=True)
async def trigger_extension_action(page: Page, browsers: BrowserView, id: str) -> Reply:
    """Bring the page to the front, and do what a click on an extension's button does.

    Args:
        id: Id from list_extensions.
    """
    browser = browsers.browser_of(page.handle)
    if browser is None:
        raise PageGone(f"Page {page.id} is gone.")
    await _found(browser, id)
    tab = await tab_of(browser, page.handle)
    # Whichever tab is named, Chromium 156 acts on the one in front.
    await browser.activate(page.handle)
    await _ask(browser, "Extensions.triggerAction", {"id": id, "targetId": tab})
    return Reply("Extension action triggered.")


async def _install(browser: Browser, path: str) -> str:
    ident = str((await _ask(browser, "Extensions.loadUnpacked", {"path": path}))["id"])
    if await asyncio.to_thread(_has_worker, Path(path)):
        await worker_started(browser, ident)
    return ident


def _has_worker(folder: Path) -> bool:
    try:
        manifest = decoded((folder / "manifest.json").read_bytes())
        return bool(manifest.get("background", {}).get("service_worker"))
    except (OSError, ValueError, AttributeError):
        return False


async def _installed(browser: Browser) -> list[Params]:
    found: list[Params] = (await _ask(browser, "Extensions.getExtensions", {}))["extensions"]
    return found


async def _found(browser: Browser, ident: str) -> Params:
    for each in await _installed(browser):
        if each["id"] == ident:
            return each
    raise Misuse(f"Extension with ID {ident} not found.", hint="Call list_extensions.")


async def _ask(browser: Browser, method: str, params: dict[str, Any]) -> Params:
    if not browser.manages_extensions:
        raise Misuse(
            f"tabmux cannot manage extensions of the browser {browser.spec.label}.",
            hint="It can of one that it starts itself, when started with --tools +extensions.",
            code="not_in_this_browser",
        )
    try:
        return await browser.channel.call(method, params, timeout=INSTALL_SECONDS)
    except ProtocolFault as error:
        raise Misuse(error.message.partition(": ")[2] or error.message) from error
