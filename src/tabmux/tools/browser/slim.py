"""Slim toolset: three tools and nothing else."""

from __future__ import annotations

import base64

from tabmux.content import Reply
from tabmux.page.page import Page
from tabmux.page.see.screenshots import ImageEncoding
from tabmux.page_text import address
from tabmux.tools.pipeline.argument_types import Url
from tabmux.tools.pipeline.file_access import save_temporary
from tabmux.tools.pipeline.tool import tool

SECONDS = 30.0


@tool(seconds=SECONDS + 5, read_only=True)
async def navigate(page: Page, url: Url) -> Reply:
    """Load a URL.

    Args:
        url: URL to navigate to
    """
    await page.navigation.go(url, SECONDS)
    return Reply(f"Navigated to {address(page.url)}.")


@tool(destroys=True, scripts=True)
async def evaluate(page: Page, script: str) -> Reply:
    """Evaluate a JavaScript script.

    Args:
        script: JS script to run on the page
    """
    return Reply().quote(await page.evaluation.run(script, SECONDS - 5))


@tool(reads=True)
async def screenshot(page: Page) -> Reply:
    """Take a screenshot; returns the path of a file."""
    picture = await page.screenshots.viewport(ImageEncoding())
    path = await save_temporary(".png", base64.b64decode(picture.data))
    return Reply(str(path), is_ours=True)
