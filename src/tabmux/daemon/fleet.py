"""Fleet: the pool of a Selenium Grid, where the settings name one; nothing of it is loaded else."""

from __future__ import annotations

import fcntl
import hashlib
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabmux.folders import make_private, runtime_folder
from tabmux.settings import Settings
from tabmux.timings import Timings

if TYPE_CHECKING:
    from tabmux.browsers.browser_kind import BrowserSpec
    from tabmux.browsers.grid.grid import Grid
    from tabmux.cdp.cdp_connection import Fence


@asynccontextmanager
async def grid_pool(
    settings: Settings, timings: Timings, owner: str = "", fence: Fence | None = None
) -> AsyncIterator[Grid | None]:
    """Give the pool of the grid that the settings name, for the length of the block.

    Args:
        settings: Which grid, and how much of it.
        timings: How long to wait for what.
        owner: What the Grid knows this daemon by; the daemon's own id when absent.
        fence: What says that nothing may be sent to browsers now, because others may have them.
    """
    if settings.grid is None:
        yield None
        return
    from tabmux.browsers.grid.grid import Grid
    from tabmux.browsers.grid.grid_options import grid_options

    options = grid_options(settings.grid, dict(settings.grid_options))
    with nullcontext(owner) if owner else daemon_id() as mark:
        async with Grid(options, mark, timings, fence) as grid:
            yield grid


def grid_spec(grid: Grid, token: str) -> BrowserSpec:
    """Return a session's place on a grid; who it belongs to is told the Grid by a digest alone."""
    from tabmux.browsers.grid.grid_browser import GridSpec

    return GridSpec(grid=grid, token=hashlib.sha256(token.encode()).hexdigest()[:16])


def placed_grid_spec(grid: Grid, row: Mapping[str, Any]) -> BrowserSpec:
    """Return the place on a grid that a session had in the server before.

    Args:
        grid: The grid.
        row: What was written down of it.
    """
    from tabmux.browsers.grid.grid_browser import GridSpec

    return GridSpec(grid=grid, token=str(row["token"]), placement=row["placement"])


@contextmanager
def daemon_id() -> Iterator[str]:
    """Give what a grid knows this daemon by; it outlives the process, and only one has it."""
    folder = Path(runtime_folder())
    make_private(folder)
    with (folder / "daemon-id").open("a+", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # Another server of the same user; what is left of this one ends by itself.
            yield secrets.token_hex(8)
            return
        file.seek(0)
        if not (known := file.read(64).strip()):
            known = secrets.token_hex(8)
            file.write(f"{known}\n")
            file.flush()
        yield known
