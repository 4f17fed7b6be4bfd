"""Command secrets: what commands to an extension may not see of the secrets in its tabs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from tabmux.daemon.bridge.command_tools import PICTURE, SCRIPT
from tabmux.errors import Busy
from tabmux.page.handle import PageHandle
from tabmux.secrets.filled_values import FILLED

# For other calls on the tab.
TURN_SECONDS = 30.0


@asynccontextmanager
async def unseen_secrets(command: str, pages: Sequence[PageHandle]) -> AsyncIterator[None]:
    """Keep secrets from a command that is carried out in the block.

    Args:
        command: What the extension is to do.
        pages: The tabs that it may do it in, as far as they are known over CDP: only there
            secrets are typed.
    """
    looks = command == SCRIPT or (command == PICTURE and FILLED.has_values)
    async with AsyncExitStack() as block:
        for handle in pages if looks else ():
            await _take_turn(handle, block)
            page = await handle.attach()
            page.dialogs.refuse_if_open()
            if command == SCRIPT:
                await page.secrets.begin_script()
            else:
                await block.enter_async_context(page.secrets.covered())
        yield


async def _take_turn(handle: PageHandle, block: AsyncExitStack) -> None:
    """Let no secret be typed meanwhile."""
    try:
        async with asyncio.timeout(TURN_SECONDS):
            await block.enter_async_context(handle.lock)
    except TimeoutError as error:
        raise Busy(f"Another call on page {handle.id} is running.", hint="Try again.") from error
