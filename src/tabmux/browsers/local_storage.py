"""Local storage: written for sites that no tab has open, without asking their servers."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from tabmux.browsers.browser import Browser
from tabmux.cdp.channel import Channel, Params
from tabmux.errors import BrowserTrouble

NAVIGATE_SECONDS = 10.0
_EMPTY_PAGE = base64.b64encode(b"<!doctype html>").decode()

Items = Mapping[str, str]


async def write_local_storage(
    browser: Browser, context: str | None, origins: Mapping[str, Items]
) -> None:
    """Store items by origin, in a tab in the background that is closed again.

    Args:
        browser: Where.
        context: The name of an isolated context, or None for the profile itself.
        origins: What to store for each.
    """
    page = await browser.new_page(context=context)
    try:
        channel = await _attach(browser, page.target_id)
        channel.on("Fetch.requestPaused", lambda paused: _fulfill_with_empty_page(channel, paused))
        channel.send("Page.enable")
        channel.send("DOMStorage.enable")
        await channel.call("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        for origin, items in origins.items():
            await _store(channel, origin, items)
    finally:
        await browser.close_page(page)


async def _attach(browser: Browser, target: str) -> Channel:
    attached = await browser.channel.call(
        "Target.attachToTarget", {"targetId": target, "flatten": True}
    )
    channel = browser.channel.child(attached["sessionId"])
    if channel is None:
        raise BrowserTrouble("The tab was closed while tabmux took hold of it.")
    return channel


def _fulfill_with_empty_page(channel: Channel, paused: Params) -> None:
    """Give every address an empty document."""
    channel.send(
        "Fetch.fulfillRequest",
        {
            "requestId": paused["requestId"],
            "responseCode": 200,
            "responseHeaders": [{"name": "Content-Type", "value": "text/html"}],
            "body": _EMPTY_PAGE,
        },
    )


async def _store(channel: Channel, origin: str, items: Items) -> None:
    visit = await channel.call("Page.navigate", {"url": f"{origin}/"}, timeout=NAVIGATE_SECONDS)
    if problem := visit.get("errorText"):
        raise BrowserTrouble(f"Could not store anything for {origin}: {problem}.")
    place = {"securityOrigin": origin, "isLocalStorage": True}
    for key, value in items.items():
        await channel.call(
            "DOMStorage.setDOMStorageItem", {"storageId": place, "key": key, "value": value}
        )
