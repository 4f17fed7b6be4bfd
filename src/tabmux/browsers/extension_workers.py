"""Extension workers: service workers of the extensions that tabmux manages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabmux.browsers.browser import Browser
from tabmux.cdp.channel import Channel, Params
from tabmux.errors import BrowserTrouble, TabmuxError
from tabmux.page.workers import SERVICE, Worker

START_SECONDS = 5.0
POLL_SECONDS = 0.05
STOP_SECONDS = 10.0


async def worker_started(browser: Browser, ident: str) -> bool:
    """Wait until an extension's service worker listens; before, events for it are lost."""
    try:
        async with asyncio.timeout(START_SECONDS):
            target = await _find_worker(browser, ident)
            while target is None:
                await asyncio.sleep(POLL_SECONDS)
                target = await _find_worker(browser, ident)
            await _wait_for_script(browser, target)
    except (TimeoutError, TabmuxError):
        return False
    return True


async def extension_workers(browser: Browser) -> dict[str, str]:
    """Return the addresses of the workers that run, by name."""
    found = await _managed_workers(browser)
    return {browser.worker_names.of(each["targetId"]): each["url"] for each in found}


@asynccontextmanager
async def extension_worker(browser: Browser, name: str) -> AsyncIterator[Worker | None]:
    """Hold a worker for the length of the block; None where there is no such worker."""
    for target in await _managed_workers(browser):
        if browser.worker_names.of(target["targetId"]) == name:
            break
    else:
        yield None
        return
    async with _attached(browser, target["targetId"]) as channel:
        worker = Worker(name, SERVICE, target["url"], channel)
        channel.on("Runtime.executionContextCreated", worker.set_world)
        await channel.call("Runtime.enable")
        yield worker


async def _managed_workers(browser: Browser) -> list[Params]:
    # Patterns of addresses cannot hold what an extension does.
    if not browser.manages_extensions or browser.urls.is_restricted:
        return []
    return await _worker_targets(browser, "")


async def _find_worker(browser: Browser, ident: str) -> str | None:
    found = await _worker_targets(browser, ident)
    return str(found[0]["targetId"]) if found else None


async def _worker_targets(browser: Browser, ident: str) -> list[Params]:
    """Return the workers of one extension, or of all."""
    found = await browser.channel.call(
        "Target.getTargets", {"filter": [{"type": "service_worker"}]}
    )
    start = f"chrome-extension://{ident}"
    return [target for target in found["targetInfos"] if target["url"].startswith(start)]


async def _wait_for_script(browser: Browser, target: str) -> None:
    """Ask the worker something: it answers when its script has run."""
    async with _attached(browser, target) as channel:
        await channel.call("Runtime.evaluate", {"expression": "undefined"})


@asynccontextmanager
async def _attached(browser: Browser, target: str) -> AsyncIterator[Channel]:
    command = {"targetId": target, "flatten": True}
    session = (await browser.channel.call("Target.attachToTarget", command))["sessionId"]
    try:
        channel = browser.channel.child(session)
        if channel is None:
            raise BrowserTrouble("The extension's worker has just ended.", hint="Try again.")
        yield channel
    finally:
        _detach(browser.channel, session)


def _detach(browser: Channel, session: str) -> None:
    """Detach from a worker as soon as it answers: a script in it may have to be stopped first."""
    if channel := browser.child(session):
        sign = channel.call("Runtime.evaluate", {"expression": "1"}, timeout=STOP_SECONDS)
        command = {"sessionId": session}
        sign.add_done_callback(lambda _: browser.send("Target.detachFromTarget", command))
