"""Storage tools: local and session storage of a site."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import get_args

from tabmux.content import Reply
from tabmux.errors import Misuse
from tabmux.page.environment.cookies_and_storage import (
    Kind,
    StorageArea,
    What,
    clear,
    frame_of,
    origin_of,
)
from tabmux.page.page import Page
from tabmux.tools.pipeline.tool import tool

PREVIEW = 100
_SECRET = re.compile(r"token|secret|passw|auth|session|credential|api.?key|jwt", re.IGNORECASE)


@tool(reads=True)
async def list_storage(page: Page, kind: Kind = "local", origin: str | None = None) -> Reply:
    """List what the page's origin has stored; what looks like a credential is not shown.

    Args:
        kind: Which storage.
        origin: That of another frame of the page.
    """
    frame = await frame_of(page, origin)
    entries = await StorageArea(frame, kind).entries()
    return Reply.lines(
        (f"{key}: {_shown(key, value)}" for key, value in sorted(entries)),
        empty=f"{origin_of(frame.url)} has nothing in {kind} storage.",
    )


@tool(reads=True)
async def get_storage_item(
    page: Page, key: str, kind: Kind = "local", origin: str | None = None
) -> Reply:
    """Show one stored value whole.

    Args:
        key: Key of the item.
        kind: Which storage.
        origin: That of another frame of the page.
    """
    value = await StorageArea(await frame_of(page, origin), kind).get(key)
    if value is None:
        raise Misuse(f"Nothing is stored as {key!r}.", hint="Call list_storage.")
    return Reply(value)


@tool(repeatable=True)
async def set_storage_item(
    page: Page, key: str, value: str, kind: Kind = "local", origin: str | None = None
) -> Reply:
    """Store a value.

    Args:
        key: Key of the item.
        value: Value to store.
        kind: Which storage.
        origin: That of another frame of the page.
    """
    frame = await frame_of(page, origin)
    await StorageArea(frame, kind).set(key, value)
    return Reply(f"Stored {key} in {kind} storage of {origin_of(frame.url)}.")


@tool(destroys=True, repeatable=True)
async def remove_storage_item(
    page: Page, key: str, kind: Kind = "local", origin: str | None = None
) -> Reply:
    """Remove a stored value.

    Args:
        key: Key of the item.
        kind: Which storage.
        origin: That of another frame of the page.
    """
    there = await StorageArea(await frame_of(page, origin), kind).remove(key)
    return Reply(f"Removed {key}." if there else f"Nothing was stored as {key}.")


@tool(destroys=True, repeatable=True, exclusive=True)
async def clear_storage(
    page: Page,
    types: Sequence[What] = (),
    all_sites: bool = False,
) -> Reply:
    """Delete what the page's site has stored; waits until no other call uses the browser.

    Args:
        types: All of them when empty.
        all_sites: Of every site, which logs the user out everywhere; localStorage then
            takes sessionStorage along.
    """
    wanted = list(types) or list(get_args(What))
    await clear(page, wanted, all_sites=all_sites)
    whose = "all sites" if all_sites else "the page's site"
    return Reply(f"Cleared {', '.join(wanted)} of {whose}.")


def _shown(key: str, value: str) -> str:
    # A JSON web token starts with the base64 of an opening brace and a quotation mark.
    if _SECRET.search(key) or value.startswith("eyJ"):
        return f"<{len(value)} characters; get_storage_item shows them>"
    return value if len(value) <= PREVIEW else f"{value[:PREVIEW]}… ({len(value)} characters)"
