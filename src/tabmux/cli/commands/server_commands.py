"""A server in the foreground, without a daemon."""

from __future__ import annotations

import sys
from typing import Any

import click

from tabmux.cli.setting_options import settings_of, with_settings


@click.command()
@with_settings
def serve(**flags: Any) -> None:
    """Serve MCP in this process, over --stdio or --http."""
    settings = settings_of(flags)
    if settings.stdio == settings.http:
        raise click.UsageError("Say either --stdio or --http.")
    from tabmux.daemon import server as server

    sys.exit(server.serve(settings))
