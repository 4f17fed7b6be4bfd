"""The grant_permissions tool: what a site may use without asking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tabmux.content import Reply
from tabmux.errors import BadArguments, Refused
from tabmux.page.environment import permissions as site_permissions
from tabmux.page.page import Page
from tabmux.policy.policy import Policy
from tabmux.tools.pipeline.argument_types import Url
from tabmux.tools.pipeline.tool import tool

Permission = Literal[
    "audioCapture", "backgroundFetch", "backgroundSync", "clipboardReadWrite",
    "clipboardSanitizedWrite", "displayCapture", "durableStorage", "geolocation", "idleDetection",
    "keyboardLock", "localFonts", "midi", "midiSysex", "nfc", "notifications", "paymentHandler",
    "periodicBackgroundSync", "pointerLock", "sensors", "speakerSelection", "storageAccess",
    "topLevelStorageAccess", "videoCapture", "wakeLockScreen", "windowManagement",
]  # fmt: skip


@tool(destroys=True)
async def grant_permissions(
    page: Page,
    policy: Policy,
    permissions: Sequence[Permission] = (),
    origin: Url = "",
    reset: bool = False,
) -> Reply:
    """Let a site use these without asking, and nothing else, in this browser context.

    Args:
        permissions: What it may use.
        origin: Otherwise the page's own.
        reset: First forget all that was granted, to any site.
    """
    if not permissions and not reset:
        raise BadArguments("Say what to grant.", hint="Give permissions, or reset.")
    if not policy.clipboard and any(name.startswith("clipboard") for name in permissions):
        raise Refused("tabmux was started without --allow-clipboard.")
    if reset:
        await site_permissions.reset(page)
    if not permissions:
        return Reply("Sites ask again.")
    site = origin or await page.main.run("origin")
    if site == "null":
        raise BadArguments("The page has no origin.", hint="Give an origin.")
    page.urls.check(site)
    await site_permissions.grant(page, site, permissions)
    return Reply(f"{site} may use {', '.join(permissions)} without asking.")
