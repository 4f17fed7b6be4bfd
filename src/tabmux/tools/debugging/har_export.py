"""The export_har tool: writes the requests of a page to a file."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tabmux.content import Reply
from tabmux.page.network.har import Bodies, archive
from tabmux.page.network.network_request import Request
from tabmux.page.page import Page
from tabmux.policy.header_redaction import Redaction
from tabmux.tools.debugging.network import received_body
from tabmux.tools.pipeline.argument_types import OutputFile
from tabmux.tools.pipeline.file_access import save, with_suffix
from tabmux.tools.pipeline.tool import tool

ARCHIVE_LIMIT = 20_000_000


@tool(reads=True, turn=False, over_dialog=True, seconds=60)
async def export_har(
    page: Page,
    redaction: Redaction,
    file_path: OutputFile,
    include_bodies: bool = False,
    include_preserved_requests: bool = False,
) -> Reply:
    """Write the page's requests to a file as an HTTP archive (.har).

    Args:
        file_path: Where to write it (.har).
        include_bodies: Write what was sent and received.
        include_preserved_requests: Also of the last two navigations.
    """
    kept = list(page.network.records.items(preserved=include_preserved_requests))
    entries = [(each, Bodies()) for each in kept]
    if include_bodies:
        entries = await _with_bodies(page, kept)
    data = msgspec.json.encode(archive(page.url, entries, redaction.shown))
    path = await save(with_suffix(file_path, ".har"), data)
    return Reply(f"Saved {len(kept)} requests to {path}.", is_ours=True)


async def _with_bodies(page: Page, requests: Sequence[Request]) -> list[tuple[Request, Bodies]]:
    """Fetch bodies until there are too many bytes; the newest are the likeliest to be had."""
    entries, left = [], ARCHIVE_LIMIT
    for request in reversed(requests):
        bodies = Bodies()
        if left > 0:
            sent = await page.network.request_body(request)
            bodies = Bodies(sent, await received_body(page, request))
            left -= len(bodies.sent or b"") + len(bodies.received or b"")
        entries.append((request, bodies))
    return entries[::-1]
