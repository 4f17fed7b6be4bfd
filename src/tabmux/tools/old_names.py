"""Old names: tools as earlier versions of chrome-devtools-mcp had them; callable, never listed."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from tabmux.content import Reply
from tabmux.page.environment.emulation import EmulationSettings
from tabmux.page.page import Page
from tabmux.tools.core.navigation import navigate_page
from tabmux.tools.debugging.emulation import Network
from tabmux.tools.pipeline.argument_types import Milliseconds
from tabmux.tools.pipeline.tool import tool


@tool(over_dialog=True, anywhere=True, seconds=60, read_only=True)
async def navigate_page_history(
    page: Page, navigate: Literal["back", "forward"], timeout: Milliseconds = 0
) -> Reply:
    """Go back or forward; navigate_page does it now.

    Args:
        navigate: Which way.
        timeout: Milliseconds.
    """
    return await navigate_page(page, type=navigate, timeout=timeout)


@tool(repeatable=True, read_only=True)
async def emulate_cpu(page: Page, throttling_rate: Annotated[float, Field(ge=1, le=20)]) -> Reply:
    """Slow the CPU down and leave the rest of the emulation as it is; emulate does it now.

    Args:
        throttling_rate: How many times slower.
    """
    return await _emulate(page, replace(page.emulation.current, cpu=throttling_rate))


@tool(repeatable=True, read_only=True)
async def emulate_network(
    page: Page, throttling_option: Network | Literal["No emulation"]
) -> Reply:
    """Slow the network down and leave the rest of the emulation as it is; emulate does it now.

    Args:
        throttling_option: Which network.
    """
    network = None if throttling_option == "No emulation" else throttling_option
    return await _emulate(page, replace(page.emulation.current, network=network))


async def _emulate(page: Page, wanted: EmulationSettings) -> Reply:
    await page.emulation.apply(wanted)
    return Reply("Emulation configured." if any(wanted.lines) else "Nothing is emulated any more.")
