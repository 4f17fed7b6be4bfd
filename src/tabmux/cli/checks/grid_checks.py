"""Grid checks: whether the Selenium Grid that is named answers, and how much room it has."""

from __future__ import annotations

import itertools
from typing import Any

from tabmux.cli.checks.check import Check
from tabmux.cli.daemon_ending import find_daemon
from tabmux.errors import TabmuxError
from tabmux.settings import Settings, resolve_settings


def check_grid(name: str) -> Check:
    """Look at the grid of the environment, or else of the daemon that runs."""
    settings = resolve_settings(_flags_of_daemon())
    if settings.grid is None:
        return Check(name, "ok", "No grid is named; --grid or TABMUX_GRID does it.")
    import asyncio

    try:
        line, warning = asyncio.run(_ask(settings))
    except TabmuxError as error:
        fix = error.hint or "See whether the hub runs, and whether its address is right."
        return Check(name, "problem", error.message, fix)
    if warning:
        return Check(name, "warning", f"{settings.grid}: {line}.", warning)
    return Check(name, "ok", f"{settings.grid}: {line}.")


async def _ask(settings: Settings) -> tuple[str, str]:
    from tabmux.browsers.grid.grid_client import GridClient
    from tabmux.browsers.grid.grid_options import grid_options
    from tabmux.timings import Timings

    options = grid_options(settings.grid or "", dict(settings.grid_options))
    state = await GridClient(options, Timings(grid_answer=5.0)).state()
    warning = ""
    if not state.nodes:
        warning = "Start a node: sessions wait until there is one."
    elif not state.manages_downloads:
        warning = "Start the nodes with --enable-managed-downloads true to get downloads here."
    return f"Selenium {state.version.split(' ')[0]}, {state.line}", warning


def _flags_of_daemon() -> dict[str, Any]:
    """Return what the daemon that runs was told of a grid."""
    import psutil

    try:
        process = find_daemon()
        words = process.cmdline() if process is not None else []
    except psutil.Error:
        return {}
    pairs = itertools.pairwise(words)
    return {word[2:]: value for word, value in pairs if word in ("--grid", "--config")}
