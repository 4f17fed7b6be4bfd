"""Screencast tools: record the page as video."""

from __future__ import annotations

import secrets
import tempfile
from pathlib import Path

from tabmux.content import Reply
from tabmux.page.page import Page
from tabmux.page.see.screencast import Kind
from tabmux.tools.pipeline.argument_types import OutputFile
from tabmux.tools.pipeline.file_access import created, with_suffix
from tabmux.tools.pipeline.tool import tool

STOP_SECONDS = 120.0
_SUFFIX: dict[Kind, str] = {"video": ".mp4", "pictures": ".png"}


@tool()
async def screencast_start(page: Page, file_path: OutputFile | None = None) -> Reply:
    """Start filming the page; screencast_stop saves the film.

    Args:
        file_path: Where to save it: .mp4, or .png for an animated picture.
    """
    wanted = file_path or _temporary()
    await page.screencast.start(
        lambda kind: with_suffix(wanted, _SUFFIX[kind]),
        as_pictures=wanted.suffix.lower() == _SUFFIX["pictures"],
    )
    return Reply(f"Recording; screencast_stop will save it to {page.screencast.target}.")


@tool(seconds=STOP_SECONDS)
async def screencast_stop(page: Page) -> Reply:
    """Stop filming the page, and save the film."""
    path = page.screencast.target
    with created(path) as file:
        remark = await page.screencast.stop(file.write)
    return Reply(f"Stopped recording and saved it to {path}.").add(remark)


def _temporary() -> Path:
    return Path(tempfile.gettempdir()) / f"tabmux-screencast-{secrets.token_hex(8)}"
