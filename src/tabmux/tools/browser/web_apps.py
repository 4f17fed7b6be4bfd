"""Web app tools (PWA): install, launch, remove."""

from __future__ import annotations

from typing import Any, Literal

from tabmux.browsers.browser import Browser
from tabmux.browsers.window_tabs import page_in
from tabmux.cdp.channel import Params
from tabmux.content import Reply
from tabmux.errors import Misuse, ProtocolFault
from tabmux.page_text import address, in_quotes
from tabmux.sessions.session import Session
from tabmux.tools.core.pages import page_line
from tabmux.tools.pipeline.argument_types import Url
from tabmux.tools.pipeline.tool import tool

INSTALL_SECONDS = 60.0
_INSTALLABLE = "The page must link to a manifest that has an icon and this id, a whole URL."
_INSTALLED = "Is it installed, and is this the id, a whole URL, that install_pwa was given?"


@tool(exclusive=True, seconds=INSTALL_SECONDS)
async def install_pwa(
    session: Session,
    browser: Browser,
    manifest_id: str,
    install_url_or_bundle_url: Url,
    display_mode: Literal["standalone", "browser"] | None = None,
) -> Reply:
    """Install a web app.

    Args:
        manifest_id: The id in its manifest, as a whole URL; its start URL if it has none.
        install_url_or_bundle_url: A page that links to the manifest, or a signed bundle.
        display_mode: In a window of its own, or in a tab.
    """
    session.urls_in(browser).refuse_if_restricted("Web apps")
    app = {"manifestId": manifest_id}
    await _ask(browser, "PWA.install", {**app, "installUrlOrBundleUrl": install_url_or_bundle_url})
    reply = Reply(f"Installed PWA with manifest ID: {manifest_id}")
    if display_mode is not None:
        await _ask(browser, "PWA.changeAppUserSettings", {**app, "displayMode": display_mode})
        reply.add(f"Display mode: {display_mode}")
    return reply


@tool(seconds=INSTALL_SECONDS)
async def launch_pwa(
    session: Session, browser: Browser, manifest_id: str, url: Url | None = None
) -> Reply:
    """Open an installed web app, and select its page.

    Args:
        manifest_id: Id that install_pwa was given.
        url: Where to start it, within its scope.
    """
    session.urls_in(browser).refuse_if_restricted("Web apps")
    command = {"manifestId": manifest_id, **({"url": url} if url else {})}
    launched = await _ask(browser, "PWA.launch", command)
    page = await page_in(browser, launched["targetId"])
    session.adopt(page, created=True)
    session.select(page)
    await page.attach()
    return Reply(f"Launched PWA with manifest ID: {manifest_id}").quote(page_line(page, session))


@tool(destroys=True, exclusive=True, seconds=INSTALL_SECONDS)
async def uninstall_pwa(browser: Browser, manifest_id: str) -> Reply:
    """Uninstall a web app.

    Args:
        manifest_id: Id that install_pwa was given.
    """
    # Chrome uninstalls what is not there without a word.
    await _ask(browser, "PWA.getOsAppState", {"manifestId": manifest_id})
    await _ask(browser, "PWA.uninstall", {"manifestId": manifest_id})
    return Reply(f"Uninstalled PWA with manifest ID: {manifest_id}")


@tool(reads=True)
async def get_os_app_state(browser: Browser, manifest_id: str) -> Reply:
    """Show an installed web app's badge count and the kinds of files that it opens.

    Args:
        manifest_id: Id that install_pwa was given.
    """
    state = await _ask(browser, "PWA.getOsAppState", {"manifestId": manifest_id})
    reply = Reply(f"Badge count: {state['badgeCount']}")
    for handler in state["fileHandlers"]:
        kinds = ", ".join(
            f"{accept['mediaType']} ({', '.join(accept['fileExtensions'])})"
            for accept in handler["accepts"]
        )
        reply.add(
            f"Opens {in_quotes(handler['displayName'])}: {in_quotes(kinds)} "
            f"with {address(handler['action'])}"
        )
    return reply


async def _ask(browser: Browser, method: str, params: dict[str, Any]) -> Params:
    if not browser.manages_web_apps:
        raise Misuse(
            f"tabmux cannot manage web apps of the browser {browser.spec.label}.",
            hint="Chrome allows it only to the program that started it: use a browser that "
            "tabmux starts.",
            code="not_in_this_browser",
        )
    try:
        return await browser.channel.call(method, params, timeout=INSTALL_SECONDS)
    except ProtocolFault as error:
        hint = _INSTALLABLE if method == "PWA.install" else _INSTALLED
        raise Misuse(f"{error.message.partition(': ')[2] or error.message}.", hint=hint) from error
