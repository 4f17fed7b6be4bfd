"""Grid checks: whether the Selenium Grid that is named answers, and how much room it has."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from typing import Any

from tabmux.cli.checks.check import Check
from tabmux.cli.daemon_ending import find_daemon
from tabmux.errors import Misuse, TabmuxError
from tabmux.settings import Settings, parse_flags, resolve_settings


def check_grid(name: str) -> Check:
    """Look at the grid of the daemon that runs, or else of the environment."""
    flags, environment = _start_of_daemon()
    environment = {**os.environ, **environment}
    settings = resolve_settings(flags, environment)
    if settings.grid is None:
        return Check(name, "ok", "No grid is named; --grid or TABMUX_GRID does it.")
    import asyncio

    try:
        line, warning = asyncio.run(_ask(settings, environment))
    except TabmuxError as error:
        fix = error.hint or "See whether the hub runs, and whether its address is right."
        return Check(name, "problem", error.message, fix)
    if warning:
        return Check(name, "warning", f"{settings.grid}: {line}.", warning)
    return Check(name, "ok", f"{settings.grid}: {line}.")


async def _ask(settings: Settings, environment: Mapping[str, str]) -> tuple[str, str]:
    from tabmux.browsers.grid.grid_client import GridClient
    from tabmux.browsers.grid.grid_options import grid_options
    from tabmux.timings import Timings

    options = grid_options(settings.grid or "", dict(settings.grid_options), environment)
    state = await GridClient(options, Timings(grid_answer=5.0)).state()
    warning = ""
    if not state.nodes:
        warning = "Start a node: sessions wait until there is one."
    elif not state.manages_downloads:
        warning = "Start the nodes with --enable-managed-downloads true to get downloads here."
    return f"Selenium {state.version.split(' ')[0]}, {state.line}", warning


def _start_of_daemon() -> tuple[dict[str, Any], dict[str, str]]:
    """Return the flags and the variables that the daemon which runs was started with."""
    import psutil

    try:
        process = find_daemon()
        if process is None:
            return {}, {}
        words, environment = process.cmdline(), process.environ()
        flags = list(itertools.dropwhile(lambda word: not word.startswith("--"), words))
        return parse_flags(flags), environment
    except (psutil.Error, Misuse):  # another version may know other flags
        return {}, {}
