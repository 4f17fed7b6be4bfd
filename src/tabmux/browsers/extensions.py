"""Extensions that were just installed, on their way to being of use."""

from __future__ import annotations

import asyncio

from tabmux.browsers.browser import Browser
from tabmux.errors import TabmuxError

START_SECONDS = 5.0
LOOK_SECONDS = 0.05


async def worker_started(browser: Browser, ident: str) -> bool:
    """Wait until an extension's service worker listens; before, events for it are lost."""
    try:
        async with asyncio.timeout(START_SECONDS):
            target = await _worker(browser, ident)
            while target is None:
                await asyncio.sleep(LOOK_SECONDS)
                target = await _worker(browser, ident)
            await _answer(browser, target)
    except (TimeoutError, TabmuxError):
        return False
    return True


async def _worker(browser: Browser, ident: str) -> str | None:
    found = await browser.channel.call(
        "Target.getTargets", {"filter": [{"type": "service_worker"}]}
    )
    for target in found["targetInfos"]:
        if target["url"].startswith(f"chrome-extension://{ident}/"):
            return str(target["targetId"])
    return None


async def _answer(browser: Browser, target: str) -> None:
    """Ask the worker something: it answers when its script has run."""
    command = {"targetId": target, "flatten": True}
    session = (await browser.channel.call("Target.attachToTarget", command))["sessionId"]
    try:
        if channel := browser.channel.child(session):
            await channel.call("Runtime.evaluate", {"expression": "undefined"})
    finally:
        browser.channel.send("Target.detachFromTarget", {"sessionId": session})
